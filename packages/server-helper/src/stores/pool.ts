import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { StoreDeadlineError, HookTimeoutError } from './rules.ts';
import { ConfigurationError, throwFindings } from '../errors.ts';
import { aDuration, aSwitch, field, group, must } from '../option-rules.ts';
import type { PaymentEvent } from '../payments/record.ts';
import { type Row, whole } from './sql.ts';
import type { CommitHook } from './store.ts';

/** A moment by which several steps of one call must have ended. */
export class Deadline {
  readonly #endsAt: number;

  constructor(milliseconds: number) {
    this.#endsAt = performance.now() + milliseconds;
  }

  /**
   * Waits for a step until the deadline. A step that takes longer goes on, and its result is dropped.
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
export function settledIn<T>(step: Promise<T>, ms: number, timeUp: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    // After a stall of this process an answer may have arrived unread: the answer is read first.
    const end = (): unknown => setImmediate(() => reject(timeUp()));
    const timer = setTimeout(end, Math.max(0, ms));
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
  readonly keyOf?: ((request: Request) => string) | undefined;
  /** Sends the calls of one statement; answers in their order. */
  send(requests: readonly Request[]): Promise<readonly Answer[]>;
  /** Whether an error means that nothing of a statement was done. */
  isUndone(error: unknown): boolean;
  /** How long a call waits to be sent, in milliseconds. */
  readonly timeoutMs: number;
  /** The most calls of one statement: with more, the first would wait for the work of the others. @defaultValue `64` */
  readonly most?: number;
}

interface Call<Request, Answer> {
  readonly request: Request;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
  readonly queuedAt: number;
}

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

  /** How long the call has waited that is sent next, in milliseconds. */
  get waitMs(): number {
    const [next] = this.#waiting;
    return next === undefined ? 0 : performance.now() - next.queuedAt;
  }

  /** Queues a call; resolves with its own answer. */
  run(request: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        // After a stall of this process the call may be about to be sent, so it gets one more turn.
        setImmediate(() => this.#giveUp(call));
      }, this.#options.timeoutMs);
      const queuedAt = performance.now();
      const call = { request, resolve, reject, timer, queuedAt };
      this.#waiting.push(call);
      this.#unansweredSince ??= queuedAt;
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
    const { keyOf, most = 64 } = this.#options;
    const taken = new Map<unknown, Call<Request, Answer>>();
    this.#waiting = this.#waiting.filter((call) => {
      const key = keyOf?.(call.request) ?? call;
      if (taken.size >= most || taken.has(key)) return true;
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

/** Options of a store that takes its connections from a pool. */
export interface PoolStoreOptions {
  /**
   * Whether the pool ends with the store, because nothing else uses the pool.
   * @defaultValue `false`
   */
  readonly endsPool?: boolean;
  /**
   * How long a call waits for the database, in milliseconds. The call then fails, and a connection
   * in an unclear state is closed. The merchant's own work in a commit has `hookTimeoutMs` instead.
   * @defaultValue `2_000`
   */
  readonly timeoutMs?: number;
  /**
   * Whether opening runs missing migrations, for which `pay-button migrate` is the other way. With `false` a
   * database that lacks some is refused by `store_not_migrated`, and the account needs no right to make tables.
   * @defaultValue `true`
   */
  readonly migrate?: boolean;
}

/** @throws {@link ConfigurationError} `invalid_option`, `invalid_timeout`. @param part - What a pool of the driver has. */
export function checkPool<T>(options: T, store: string, driver: string, part: string): T {
  const pool = must(
    (given) => typeof Object(given)[part] === 'object',
    `The option pool must be a pool of ${driver}.`,
    'The store takes its connections from it.',
    `Give what ${driver} makes: no address, no single connection.`,
  );
  const rules = group({
    pool: field(pool),
    timeoutMs: aDuration('A call would wait for ever for a database that hangs.'),
    endsPool: aSwitch,
    migrate: aSwitch,
    ...(driver === 'pg' && { preparedStatements: aSwitch }),
  });
  throwFindings(rules(options, store));
  return options;
}

/** How long a call waits for the database unless the shop says otherwise, in milliseconds. */
export const TIMEOUT_MS = 2_000;

/** The merchant's own work inside a save. */
export interface Hook<Tx> {
  readonly run: CommitHook<Tx>;
  readonly timeoutMs: number;
}

/** The event whose hook sends, also after its end. */
const hookedEvent = new AsyncLocalStorage<PaymentEvent>();

/** Runs it for each event. @throws {@link HookTimeoutError}, and begins nothing more then. */
export async function runHook<Tx>(hook: Hook<Tx>, events: readonly PaymentEvent[], tx: Tx) {
  const { run, timeoutMs } = hook;
  const endsAt = performance.now() + timeoutMs;
  const all = async (): Promise<void> => {
    for (const event of events) {
      // A process that stood still may get here before its timer.
      if (performance.now() >= endsAt) throw new HookTimeoutError(timeoutMs);
      await hookedEvent.run(event, run, tx, event);
    }
  };
  await settledIn(all(), timeoutMs, () => new HookTimeoutError(timeoutMs));
}

/** How a connection is lent to the merchant's work. */
export interface Loan {
  /** What would take the connection, or the end of its transaction, from its owner. */
  readonly ownersOnly: readonly PropertyKey[];
  /** What sends a statement: a text, or an object that has one as `text` or `sql`. */
  readonly sends: readonly PropertyKey[];
  /** What begins or ends a transaction, behind white space and comments; a savepoint does neither. */
  readonly control: RegExp;
  /** Whether the transaction has ended: its statements are refused from then on. */
  readonly isOver: () => boolean;
  /** Is told of each statement that failed. */
  readonly onError: (error: unknown) => void;
}

type Send = (...given: readonly unknown[]) => unknown;

/** A connection as the merchant's work gets it: all that it can do, but for what belongs to the kit. */
export const lent = <Connection extends object>(connection: Connection, loan: Loan): Connection =>
  new Proxy(connection, {
    get: (target, name) => {
      if (loan.ownersOnly.includes(name)) return () => refuse(`called ${String(name)}() on tx`);
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function' || name === 'constructor') return member;
      const method = member.bind(target) as Send;
      if (!loan.sends.includes(name)) return method;
      return (...given: unknown[]) => sendLent(method, loan, given);
    },
  });

/** A statement in each way that a driver takes one: with a promise, with a callback, or as a stream. */
function sendLent(send: Send, { control, isOver, onError }: Loan, given: unknown[]): unknown {
  const [statement] = given;
  const { submit, text, sql = text ?? statement } = Object(statement) as Record<string, unknown>;
  const answer = given.at(-1);
  try {
    // Outside of every transaction, on a connection of others.
    if (isOver()) throw sentLate(hookedEvent.getStore());
    const [, found] = control.exec(String(sql)) ?? [];
    if (found !== undefined) refuse(`sent ${found.toUpperCase()}`);
  } catch (error) {
    if (submit !== undefined) throw error;
    if (typeof answer !== 'function') return Promise.reject(error);
    process.nextTick(answer, error);
    return undefined;
  }
  if (submit !== undefined) return send(...given);
  if (typeof answer !== 'function') {
    const sent = send(...given) as Promise<unknown>;
    return sent.catch((error: unknown) => {
      onError(error);
      throw error;
    });
  }
  return send(...given.slice(0, -1), (error: unknown, result: unknown) => {
    if (error) onError(error);
    Reflect.apply(answer, undefined, [error, result]);
  });
}

function sentLate(event?: PaymentEvent): Error {
  const whose = event === undefined ? '' : ` for ${event.type} of order ${event.orderId}`;
  return new Error(`inTransaction sent SQL${whose} after its end. Await every statement.`);
}

function refuse(what: string): never {
  throw new ConfigurationError(
    'transaction_control',
    `inTransaction ${what}. The kit begins and ends the transaction, with its own change in it, and gives the connection back. Leave that out; for a part that may fail, use SAVEPOINT and ROLLBACK TO SAVEPOINT, and for a setting in PostgreSQL SET LOCAL.`,
  );
}

/**
 * A sample of the database's clock that took longer says little: the call may have waited for a
 * connection, and half of the wait would move our clock.
 */
const MAX_SAMPLE_MS = 250;

/** How far a database's clock is ahead; see `StoreHealth.clockOffsetMs`. */
export async function offsetOf(ask: () => Promise<readonly Row[]>): Promise<number | null> {
  const askedAt = Date.now();
  const [row = {}] = await ask();
  const answeredAt = Date.now();
  if (answeredAt - askedAt > MAX_SAMPLE_MS) return null;
  return whole(row, 'now') - (askedAt + answeredAt) / 2;
}
