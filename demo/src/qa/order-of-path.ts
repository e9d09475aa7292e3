/** The order that a page is about; `undefined` for all other pages. */
export function orderOfPath(path: string): string | undefined {
  return /^\/(?:orders|wait|thanks|retry)\/([A-Z0-9]{1,40})$/.exec(path)?.[1];
}
