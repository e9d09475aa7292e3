/**
 * An answer's own fields and no others: what some script of the page gave to every object is no
 * word of the shop's server.
 *
 * @param answer - Whatever JSON can be; what is no object has none.
 */
export function ownFields(answer: unknown): Readonly<Record<string, unknown>> {
  return { __proto__: null, ...(answer as object) };
}
