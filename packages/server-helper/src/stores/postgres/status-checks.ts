import { attemptOfName, type MerchantOrderId } from '../../ids.ts';
import { awaitsHint, type Attempt } from '../../payments/attempt.ts';
import { closedEntry } from '../../payments/audit.ts';
import {
  chooseCheck,
  endedCheck,
  takenForCheck,
  takesHints,
  withAttempt,
  withHint,
} from '../check-rules.ts';
import { text } from '../rows.ts';
import type { CheckRequest, StartedStatusCheck } from '../check-request.ts';
import { StoreDeadlineError } from '../store-errors.ts';
import { Batcher } from './batcher.ts';
import type { PostgresConnections, Statement } from './connections.ts';
import { isLockTimeout, isUndone } from './errors.ts';
import type { StoredOrder } from './record.ts';

/**
 * Takes attempts of different orders for a status check, each unless the payment or its last check
 * is another by now. Rows are found by arrays of keys, never by a join with a table: the plan is then
 * right for tables of every size.
 */
const takeSql = (lock: 'SKIP LOCKED' | ''): string => `
  WITH asked AS (
    SELECT * FROM jsonb_to_recordset($1) AS n (order_id text, number integer, version bigint,
      last_check_at bigint, now bigint, unended_since bigint, next_check_at bigint)
  ), locked AS (
    SELECT n.order_id FROM asked n CROSS JOIN LATERAL (
      SELECT FROM pay_payments o WHERE o.order_id = n.order_id AND o.version = n.version
        AND o.last_check_at IS NOT DISTINCT FROM n.last_check_at
      FOR NO KEY UPDATE ${lock}) same
  ), gate AS (
    UPDATE pay_payments p
    SET last_check_at = (SELECT n.now FROM asked n WHERE n.order_id = p.order_id)
    WHERE p.order_id = ANY (ARRAY(SELECT order_id FROM locked))
    RETURNING p.order_id)
  UPDATE pay_attempts a SET (last_check_at, unended_since, next_check_at) =
    (SELECT n.now, n.unended_since, n.next_check_at FROM asked n WHERE n.order_id = a.order_id)
  WHERE a.order_id = ANY (ARRAY(SELECT order_id FROM gate))
    AND a.number = (SELECT n.number FROM asked n WHERE n.order_id = a.order_id)
  RETURNING a.order_id`;
const take: Statement = { name: 'pay_take', text: takeSql('SKIP LOCKED') };
const takeWaiting: Statement = { name: 'pay_take_waiting', text: takeSql('') };

/** An attempt as it is to be taken, and what it was chosen by. */
interface Taking {
  readonly taken: Attempt;
  readonly version: number;
  /** When the order was last checked. */
  readonly lastCheckAt: number | null;
}

/** Replaces when an attempt was and will be checked, unless any of that is another by now. */
const watchSql = (lock: 'SKIP LOCKED' | ''): string => `
  WITH watched AS (
    UPDATE pay_attempts SET state = $7, next_check_at = $8, hinted_at = $9,
      unended_since = CASE WHEN NOT $12::boolean THEN unended_since END
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
const MAX_TRIES = 20;

/**
 * When attempts were and will be checked. A rule is decided on the rows as they were read, and its
 * result is written only if they are still the same; if not, the rule is decided anew. The first try
 * waits for no row that somebody else has locked, the next ones do.
 */
export class StatusChecks {
  readonly #connections: PostgresConnections;
  readonly #takes: Batcher<Taking, boolean>;
  readonly #load: (orderId: string) => Promise<StoredOrder | null>;

  constructor(
    connections: PostgresConnections,
    load: (orderId: string) => Promise<StoredOrder | null>,
    timeoutMs: number,
  ) {
    this.#connections = connections;
    this.#load = load;
    this.#takes = new Batcher({
      keyOf: ({ taken }) => taken.orderId,
      send: (takings) => this.#take(take, takings),
      isUndone,
      timeoutMs,
    });
  }

  /** Whether the shared statements wait for an answer, see {@link Batcher.isStuck}. */
  get isStuck(): boolean {
    return this.#takes.isStuck;
  }

  async begin(request: CheckRequest): Promise<StartedStatusCheck | null> {
    for (let tries = 0; ; tries += 1) {
      const order = await this.#load(request.orderId);
      if (order === null) return null;
      const { record, lastCheckAt } = order;
      const chosen = tries < MAX_TRIES ? chooseCheck(record, request) : null;
      if (chosen === null) return { record, taken: null };
      const taken = takenForCheck(chosen, request);
      const taking = { taken, version: record.payment.version, lastCheckAt };
      const sending = tries === 0 ? this.#takes.run(taking) : this.#takeWaiting(taking);
      const isTakenNow = await sending.catch((error: unknown) => {
        // Another transaction has locked the order and takes long: there is nothing to take now.
        if (isLockTimeout(error) || error instanceof StoreDeadlineError) return null;
        throw error;
      });
      if (isTakenNow === null) return { record, taken: null };
      if (isTakenNow) return { record: withAttempt(record, taken), taken };
    }
  }

  async end(attempt: Attempt, nextCheckAt: number | null, now: number): Promise<void> {
    const end = { attempt, nextCheckAt };
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
      const record = (await this.#load(named.orderId))?.record;
      const stored = record?.attempts.find(({ number }) => number === named.attemptNumber);
      if (record === undefined || stored === undefined) return null;
      if (!takesHints(record, stored)) return null;
      const hinted = withHint(stored, now);
      const { hintedAt, nextCheckAt } = stored;
      // Of many hints at once, an earlier one needs no write of its own.
      const isNoted = hinted.hintedAt === hintedAt && hinted.nextCheckAt === nextCheckAt;
      if (isNoted || (await this.#watch(stored, hinted, now, tries > 0))) return named.orderId;
    }
    throw new StoreDeadlineError('others changed the attempt again and again');
  }

  async #take(statement: Statement, takings: readonly Taking[]): Promise<readonly boolean[]> {
    const asked = takings.map(({ taken, version, lastCheckAt }) => ({
      order_id: taken.orderId,
      number: taken.number,
      version,
      last_check_at: lastCheckAt,
      now: taken.lastCheckAt,
      unended_since: taken.unendedSince,
      next_check_at: taken.nextCheckAt,
    }));
    const { rows } = await this.#connections.query(statement, [JSON.stringify(asked)], true);
    const ids = new Set(rows.map((row) => text(row, 'order_id')));
    return takings.map(({ taken }) => ids.has(taken.orderId));
  }

  async #takeWaiting(taking: Taking): Promise<boolean> {
    const [isTaken] = await this.#connections.waiting(() => this.#take(takeWaiting, [taking]));
    return isTaken === true;
  }

  async #attempts(orderId: string): Promise<readonly Attempt[]> {
    return (await this.#load(orderId))?.record.attempts ?? [];
  }

  /** @returns whether the attempt was still as it was read. */
  async #watch(before: Attempt, after: Attempt, now: number, waits: boolean): Promise<boolean> {
    const { orderId, number, state, lastCheckAt, nextCheckAt, hintedAt } = before;
    const entry = after.state === state ? null : JSON.stringify(closedEntry(number, now));
    const read = [orderId, number, state, lastCheckAt, nextCheckAt, hintedAt];
    const written = [after.state, after.nextCheckAt, after.hintedAt];
    const isEnded = before.unendedSince !== null && after.unendedSince === null;
    const values = [...read, ...written, now, entry, isEnded];
    const { rowCount } = await (waits
      ? this.#connections.waiting(() => this.#connections.query(watchWaiting, values))
      : this.#connections.query(watch, values));
    return rowCount !== 0;
  }
}
