import { setTimeout as pause } from 'node:timers/promises';
import { StoreDeadlineError } from './store-errors.ts';

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
export async function repeated<T>(
  isTransient: (error: unknown) => boolean,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries >= MAX_TRIES || !isTransient(error)) throw error;
      await pause(Math.random() * FIRST_PAUSE_MS * 2 ** tries);
    }
  }
}

/** How a {@link Batcher} sends its calls. */
export interface BatcherOptions<Request, Answer> {
  /** No two calls of one statement have the same key. Absent where any may share a statement. */
  keyOf?(request: Request): string;
  /** Sends the calls of one statement; answers in their order. */
  send(requests: readonly Request[]): Promise<readonly Answer[]>;
  /** Whether an error means that nothing of a statement was done. */
  isUndone(error: unknown): boolean;
  /** How long a call waits to be sent, in milliseconds. */
  readonly timeoutMs: number;
}

interface Call<Request, Answer> {
  readonly request: Request;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * The most calls of one statement. With more, the first call would wait for the work of the others.
 */
const MAX_TOGETHER = 64;
/** Even a busy database answers some statement sooner. */
const STUCK_MS = 1_500;
/** The most statements under way: the database runs one while the other travels. */
const MAX_STATEMENTS = 2;

/**
 * Sends the calls of one event-loop turn, and those that come while two statements are under way, in
 * one statement. Each caller gets an answer or an error of their own: when the statement failed and
 * nothing of it was done, each call is sent again alone.
 */
export class Batcher<Request, Answer> {
  readonly #options: BatcherOptions<Request, Answer>;
  #waiting: Call<Request, Answer>[] = [];
  #statements = 0;
  /** Since when calls wait without any that was answered; absent while none waits. */
  #unansweredSince: number | undefined;
  #isScheduled = false;

  constructor(options: BatcherOptions<Request, Answer>) {
    this.#options = options;
  }

  /** Whether calls wait, and for seconds none was answered. */
  get isStuck(): boolean {
    return performance.now() - (this.#unansweredSince ?? Infinity) > STUCK_MS;
  }

  /** Queues a call; resolves with its own answer. */
  run(request: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        // After a stall of this process the call may be about to be sent, so it gets one more turn.
        setImmediate(() => this.#giveUp(call));
      }, this.#options.timeoutMs);
      const call = { request, resolve, reject, timer };
      this.#waiting.push(call);
      this.#unansweredSince ??= performance.now();
      this.#schedule();
    });
  }

  #giveUp(call: Call<Request, Answer>): void {
    if (!this.#waiting.includes(call)) return;
    this.#waiting = this.#waiting.filter((one) => one !== call);
    call.reject(new StoreDeadlineError('the database did not answer'));
  }

  #schedule(): void {
    const isFull = this.#statements >= MAX_STATEMENTS;
    if (this.#isScheduled || isFull || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const calls = this.#take();
      if (calls.length === 0) return;
      this.#statements += 1;
      void this.#send(calls).then((isAnswered) => this.#ended(isAnswered));
      this.#schedule();
    });
  }

  #ended(isAnswered: boolean): void {
    this.#statements -= 1;
    const isIdle = this.#statements === 0 && this.#waiting.length === 0;
    if (isIdle) this.#unansweredSince = undefined;
    else if (isAnswered) this.#unansweredSince = performance.now();
    this.#schedule();
  }

  /** The longest waiting first; a call whose key is taken waits for the next statement. */
  #take(): readonly Call<Request, Answer>[] {
    const taken = new Map<unknown, Call<Request, Answer>>();
    this.#waiting = this.#waiting.filter((call) => {
      const key = this.#options.keyOf?.(call.request) ?? call;
      if (taken.size >= MAX_TOGETHER || taken.has(key)) return true;
      clearTimeout(call.timer);
      taken.set(key, call);
      return false;
    });
    return [...taken.values()];
  }

  /** @returns whether the statement was answered well. */
  async #send(calls: readonly Call<Request, Answer>[]): Promise<boolean> {
    try {
      const answers = await this.#options.send(calls.map(({ request }) => request));
      for (const [index, call] of calls.entries()) call.resolve(answers[index] as Answer);
      return true;
    } catch (error) {
      if (calls.length > 1 && this.#options.isUndone(error)) {
        for (const call of calls) void this.#send([call]);
      } else {
        for (const call of calls) call.reject(error);
      }
      return false;
    }
  }
}
