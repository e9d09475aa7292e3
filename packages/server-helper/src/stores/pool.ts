import { ConfigurationError } from '../errors.ts';
import type { PaymentEvent } from '../payments/record.ts';
import { type Row, whole } from './sql.ts';
import type { CommitHook } from './store.ts';
import { HookTimeoutError } from './store-errors.ts';
import { settledIn } from './waiting.ts';

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
   * Whether opening runs the migrations that the database lacks. With `false` such a database is
   * refused by `store_not_migrated`, and the account needs no right to make tables; `pay-button
   * migrate` runs them.
   * @defaultValue `true`
   */
  readonly migrate?: boolean;
}

/** How long a call waits for the database unless the shop says otherwise, in milliseconds. */
export const TIMEOUT_MS = 2_000;

/** The merchant's own work inside a save. */
export interface Hook<Tx> {
  readonly run: CommitHook<Tx>;
  readonly timeoutMs: number;
}

/** Runs it for each event. @throws {@link HookTimeoutError}, and begins nothing more then. */
export async function runHook<Tx>(hook: Hook<Tx>, events: readonly PaymentEvent[], tx: Tx) {
  const { run, timeoutMs } = hook;
  const endsAt = performance.now() + timeoutMs;
  const all = async (): Promise<void> => {
    for (const event of events) if (performance.now() < endsAt) await run(tx, event);
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
  const isSubmittable = submit !== undefined;
  const answer = given.at(-1);
  try {
    if (isOver()) throw new Error(AFTER_THE_END);
    const [, found] = control.exec(String(sql)) ?? [];
    if (found !== undefined) refuse(`sent ${found.toUpperCase()}`);
  } catch (error) {
    if (isSubmittable) throw error;
    if (typeof answer !== 'function') return Promise.reject(error);
    process.nextTick(answer, error);
    return undefined;
  }
  if (isSubmittable) return send(...given);
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

function refuse(what: string): never {
  throw new ConfigurationError(
    'transaction_control',
    `inTransaction ${what}. The kit begins and ends the transaction, with its own change in it, and gives the connection back. Leave that out; for a part that may fail, use SAVEPOINT and ROLLBACK TO SAVEPOINT, and for a setting in PostgreSQL SET LOCAL.`,
  );
}

/** A statement that came later would be outside of every transaction, on a connection of others. */
const AFTER_THE_END =
  'inTransaction sent SQL after its transaction had ended. Await every statement in it.';

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
