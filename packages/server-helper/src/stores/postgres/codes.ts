import { StoreDeadlineError } from '../store-errors.ts';
import { repeated } from '../waiting.ts';

/**
 * The first letters of the codes that mean "this statement was undone": errors of data,
 * constraints, states, rights, resources and limits, and a cancelled query. After an error of a
 * connection, a server or a pooler, and after one without a code, the statement may have been
 * committed.
 */
const undone = /^(?:2|4|53|54|55|57014|P0)/;
/** The exception: "statement completion unknown". */
const COMPLETION_UNKNOWN = '40003';
/** The connection has lost a prepared statement that the driver still counts on. */
const FORGOTTEN = '26000';
/**
 * A serialization failure and a deadlock. Concurrent work caused them, so a repetition may succeed.
 */
const transient: ReadonlySet<string> = new Set(['40001', '40P01', FORGOTTEN]);

/** Whether an error means that nothing of the statement was done. */
export function isUndone(error: unknown): boolean {
  const code = codeOf(error);
  return code !== COMPLETION_UNKNOWN && undone.test(code);
}

/** Whether the database undid a statement for a reason that has nothing to do with the statement. */
export const isTransient = (error: unknown): boolean => transient.has(codeOf(error));

/** Whether a connection is useless, because its driver counts on a statement that is lost. */
export const isForgotten = (error: unknown): boolean => codeOf(error) === FORGOTTEN;

/** Whether a unique value was taken already. */
export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === '23505';

/** Whether others held a locked row, or the database, for too long. */
export const isHeldUp = (error: unknown): boolean =>
  codeOf(error) === '55P03' || error instanceof StoreDeadlineError;

/** Whether the transaction takes no more statements, since one had failed. */
export const isAborted = (error: unknown): boolean => codeOf(error) === '25P02';

/** Whether the transaction of a savepoint has ended. */
export const isEnded = (error: unknown): boolean => /^(?:25P01|3B001)$/.test(codeOf(error));

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  // PostgreSQL's codes have five letters or digits, unlike Node's, such as ECONNRESET.
  return typeof code === 'string' && code.length === 5 ? code : '';
}

/** Repeats work that PostgreSQL undid because of concurrent work. */
export const again = <T>(work: () => Promise<T>): Promise<T> => repeated(isTransient, work);
