/**
 * Reads a number above 0 that a bench is given, as in `--seconds 60`.
 *
 * @throws when it is none.
 */
export function readNumber(parameters: readonly string[], name: string, usual: number): number {
  const at = parameters.indexOf(name);
  const value = at === -1 ? usual : Number(parameters[at + 1]);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`${name} takes a number above 0.`);
}
