/**
 * Errors by which PostgreSQL undid the statement that it answers, by the first letters of their
 * codes: of data, constraints, states, rights, resources and limits, and a cancelled query. What
 * ends a connection, a server or a pooler, and every error without a code, leaves open whether the
 * statement was committed.
 */
const undone = /^(?:2|4|53|54|55|57014|P0)/;
/** Its name: "statement completion unknown". */
const COMPLETION_UNKNOWN = '40003';

/** Whether an error of a statement means that nothing of it was done. */
export function isUndone(error: unknown): boolean {
  const code = codeOf(error);
  return code !== COMPLETION_UNKNOWN && undone.test(code);
}

/** A unique value taken at this moment, a serialization failure, a deadlock: again, it may succeed. */
const contended: ReadonlySet<string> = new Set(['23505', '40001', '40P01']);

/** Whether an error came of others who wrote at the same moment. */
export const isContended = (error: unknown): boolean => contended.has(codeOf(error));

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  // PostgreSQL's codes have five letters or digits, unlike Node's, such as ECONNRESET.
  return typeof code === 'string' && code.length === 5 ? code : '';
}
