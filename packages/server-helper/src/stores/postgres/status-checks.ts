import { attemptOfName, type MerchantOrderId } from '../../ids.ts';
import type { Attempt } from '../../payments/attempt.ts';
import { closedEntry } from '../../payments/audit.ts';
import {
  awaitsHint,
  checkEndOf,
  chooseCheck,
  endedCheck,
  takenForCheck,
  takesHints,
  withAttempt,
  withHint,
} from '../check-rules.ts';
import type { CheckRequest, StartedStatusCheck } from '../store.ts';
import { StoreDeadlineError } from '../store-errors.ts';
import type { PostgresConnections, Statement } from './connections.ts';
import { isLockTimeout } from './errors.ts';
import type { StoredOrder } from './record.ts';

/** Takes an attempt for a status check, unless the payment or its last check is another by now. */
const takeSql = (lock: 'SKIP LOCKED' | ''): string => `
  WITH gate AS (
    UPDATE pay_payments SET last_check_at = $5 WHERE order_id IN (
      SELECT order_id FROM pay_payments
      WHERE order_id = $1 AND version = $3 AND last_check_at IS NOT DISTINCT FROM $4
      FOR NO KEY UPDATE ${lock})
    RETURNING order_id)
  UPDATE pay_attempts a SET last_check_at = $5, next_check_at = $6 FROM gate
  WHERE a.order_id = $1 AND a.number = $2`;
const take: Statement = { name: 'pay_take', text: takeSql('SKIP LOCKED') };
const takeWaiting: Statement = { name: 'pay_take_waiting', text: takeSql('') };

/** Replaces when an attempt was and will be checked, unless any of that is another by now. */
const watchSql = (lock: 'SKIP LOCKED' | ''): string => `
  WITH watched AS (
    UPDATE pay_attempts SET state = $7, next_check_at = $8, hinted_at = $9
    WHERE (order_id, number) IN (
      SELECT order_id, number FROM pay_attempts
      WHERE order_id = $1 AND number = $2 AND state = $3
        AND last_check_at IS NOT DISTINCT FROM $4
        AND next_check_at IS NOT DISTINCT FROM $5
        AND hinted_at IS NOT DISTINCT FROM $6
      FOR NO KEY UPDATE ${lock})
    RETURNING order_id
  ), closed AS (
    INSERT INTO pay_audit (order_id, recorded_at, entry)
    SELECT order_id, $10::bigint, $11::text FROM watched WHERE $11 IS NOT NULL)
  SELECT order_id FROM watched`;
const watch: Statement = { name: 'pay_watch', text: watchSql('SKIP LOCKED') };
const watchWaiting: Statement = { name: 'pay_watch_waiting', text: watchSql('') };

/** How often a rule is decided anew on what others have written meanwhile. */
const MAX_TRIES = 5;

/**
 * When attempts were and will be checked. A rule is decided on the rows as they were read, and its
 * result is written only if they are still the same; if not, the rule is decided anew. The first try
 * waits for no row that somebody else has locked, the next ones do.
 */
export class StatusChecks {
  readonly #connections: PostgresConnections;
  readonly #load: (orderId: string) => Promise<StoredOrder | null>;

  constructor(
    connections: PostgresConnections,
    load: (orderId: string) => Promise<StoredOrder | null>,
  ) {
    this.#connections = connections;
    this.#load = load;
  }

  async begin(request: CheckRequest): Promise<StartedStatusCheck | null> {
    for (let tries = 0; ; tries += 1) {
      const order = await this.#load(request.orderId);
      if (order === null) return null;
      const { record, lastCheckAt } = order;
      const chosen = tries < MAX_TRIES ? chooseCheck(record, request) : null;
      if (chosen === null) return { record, taken: null };
      const taken = takenForCheck(chosen, request);
      const { orderId, number, nextCheckAt } = taken;
      const { version } = record.payment;
      const values = [orderId, number, version, lastCheckAt, request.now, nextCheckAt];
      const isTakenNow = await this.#guarded(tries === 0 ? take : takeWaiting, values, true).catch(
        (error: unknown) => {
          // Another transaction has locked the order and takes long: there is nothing to take now.
          if (isLockTimeout(error) || error instanceof StoreDeadlineError) return null;
          throw error;
        },
      );
      if (isTakenNow === null) return { record, taken: null };
      if (isTakenNow) return { record: withAttempt(record, taken), taken };
    }
  }

  async end(attempt: Attempt, nextCheckAt: number | null, now: number): Promise<void> {
    const end = checkEndOf(attempt, nextCheckAt);
    // Most often nothing has come since the check began. After a hint the whole order counts.
    let attempts: readonly Attempt[] = [attempt];
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      if (tries > 0 || awaitsHint(attempt)) attempts = await this.#attempts(attempt.orderId);
      const stored = attempts.find(({ number }) => number === attempt.number);
      if (stored === undefined) return;
      const ended = endedCheck(stored, end, attempts, now);
      if (ended === stored || (await this.#watch(stored, ended, now, tries > 0))) return;
    }
  }

  async hint(name: MerchantOrderId, now: number): Promise<string | null> {
    const named = attemptOfName(name);
    if (named === null) return null;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const attempts = await this.#attempts(named.orderId);
      const stored = attempts.find(({ number }) => number === named.attemptNumber);
      if (stored === undefined || !takesHints(stored)) return null;
      if (await this.#watch(stored, withHint(stored, now), now, tries > 0)) return named.orderId;
    }
    throw new StoreDeadlineError('others changed the attempt again and again');
  }

  async #attempts(orderId: string): Promise<readonly Attempt[]> {
    return (await this.#load(orderId))?.record.attempts ?? [];
  }

  #watch(before: Attempt, after: Attempt, now: number, waits: boolean): Promise<boolean> {
    const { orderId, number, state, lastCheckAt, nextCheckAt, hintedAt } = before;
    const entry = after.state === state ? null : JSON.stringify(closedEntry(number, now));
    return this.#guarded(
      waits ? watchWaiting : watch,
      [orderId, number, state, lastCheckAt, nextCheckAt, hintedAt].concat([
        after.state,
        after.nextCheckAt,
        after.hintedAt,
        now,
        entry,
      ]),
      false,
    );
  }

  /** @returns whether the rows were still as they were read. */
  async #guarded(
    statement: Statement,
    values: readonly unknown[],
    mayBeLost: boolean,
  ): Promise<boolean> {
    const send = () => this.#connections.query(statement, values, mayBeLost);
    const waits = statement === takeWaiting || statement === watchWaiting;
    const { rowCount } = await (waits ? this.#connections.waiting(send) : send());
    return rowCount !== 0;
  }
}
