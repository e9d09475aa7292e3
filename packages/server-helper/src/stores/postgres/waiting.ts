import { setTimeout as pause } from 'node:timers/promises';
import { StoreDeadlineError } from '../store-errors.ts';

/** A moment by which several steps of one call must have ended. */
export class Deadline {
  readonly #endsAt: number;

  constructor(milliseconds: number) {
    this.#endsAt = performance.now() + milliseconds;
  }

  /**
   * Waits for a step until the deadline. A step that takes longer goes on, and its result is
   * dropped.
   *
   * @throws {@link StoreDeadlineError} when the time is up, else what the step throws.
   */
  within<T>(step: Promise<T>): Promise<T> {
    const left = this.#endsAt - performance.now();
    return settledIn(step, left, () => new StoreDeadlineError('the database did not answer'));
  }
}

/**
 * Waits for a step, at most for the given milliseconds, then rejects with the error from `timeUp`.
 */
export function settledIn<T>(
  step: Promise<T>,
  milliseconds: number,
  timeUp: () => Error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    // After a stall of this process an answer may have arrived unread: the answer is read first.
    const end = (): unknown => setImmediate(() => reject(timeUp()));
    const timer = setTimeout(end, Math.max(0, milliseconds));
    step.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Limits how many pieces of work run at once. Further work waits in the order of arrival. */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(most: number) {
    this.#free = most;
  }

  /**
   * Runs a piece of work in its turn.
   *
   * @param waitMs - How long to wait for the turn, in milliseconds.
   * @throws {@link StoreDeadlineError} when no turn came in time. The work has not begun then.
   */
  async run<T>(waitMs: number, work: () => Promise<T>): Promise<T> {
    await this.#turn(waitMs);
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The turn is handed over, so that a newcomer does not take it.
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  #turn(waitMs: number): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free -= 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const take = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        reject(new StoreDeadlineError('others held the database for too long'));
      }, waitMs);
      this.#waiting.push(take);
    });
  }
}

const MAX_TRIES = 5;
const FIRST_PAUSE_MS = 10;

/**
 * Repeats work that the database undid because of concurrent work, a few times. The pauses grow and are
 * random, so that two colliding processes part.
 */
export async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries >= MAX_TRIES || !isTransient(error)) throw error;
      await pause(Math.random() * FIRST_PAUSE_MS * 2 ** tries);
    }
  }
}

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
const UNIQUE_VIOLATION = '23505';
const LOCK_NOT_AVAILABLE = '55P03';

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
export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === UNIQUE_VIOLATION;

/** Whether others held a locked row, or the database, for too long. */
export const isHeldUp = (error: unknown): boolean =>
  codeOf(error) === LOCK_NOT_AVAILABLE || error instanceof StoreDeadlineError;

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  // PostgreSQL's codes have five letters or digits, unlike Node's, such as ECONNRESET.
  return typeof code === 'string' && code.length === 5 ? code : '';
}
