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

/** The connection does not know a prepared statement that its driver believes it knows. */
const FORGOTTEN = '26000';
/** A serialization failure, a deadlock: all was undone because of others, and may succeed again. */
const transient: ReadonlySet<string> = new Set(['40001', '40P01', FORGOTTEN]);
const UNIQUE_VIOLATION = '23505';
const LOCK_NOT_AVAILABLE = '55P03';

/** Whether the database undid a statement for a reason that has nothing to do with the statement. */
export const isTransient = (error: unknown): boolean => transient.has(codeOf(error));

/** Whether a connection is of no use any more, since its driver is wrong about what it knows. */
export const isForgotten = (error: unknown): boolean => codeOf(error) === FORGOTTEN;

/** Whether a value that must be unique was taken, perhaps at this moment. */
export const isTaken = (error: unknown): boolean => codeOf(error) === UNIQUE_VIOLATION;

/** Whether a row or table was not waited for any longer. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === LOCK_NOT_AVAILABLE;

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  // PostgreSQL's codes have five letters or digits, unlike Node's, such as ECONNRESET.
  return typeof code === 'string' && code.length === 5 ? code : '';
}
