import { columnsOf, type Name, textOf } from '../../payments/document.ts';
import type { PaymentRecord } from '../../payments/record.ts';
import { type Hook, runHook } from '../pool.ts';
import {
  addedRows,
  orderColumns,
  orderValues,
  recordIn,
  text,
  optionalWhole,
  queuedOf,
} from '../sql.ts';
import {
  type Save,
  everyOrder,
  HOOK_TIMEOUT_MS,
  LONGEST_DELIVERY_WAIT_MS,
  type Store,
  type Taken,
  type Taking,
} from '../store.ts';
import {
  type PostgresConnections,
  type PostgresTransaction,
  rowsIn,
  type Run,
  again,
  isUniqueViolation,
  isHeldUp,
} from './connections.ts';
import { isExpected, nameTaken, reported } from '../rules.ts';

/** Rows that the statement is given: of each save some, behind the id of its order. */
interface Given {
  /** As for {@link rowsIn}. JSON comes last. */
  readonly columns: string;
  readonly rowsOf: (save: Save) => readonly (readonly unknown[])[];
}

const orders: Given = {
  columns: `order_id text, version bigint, state text, amount bigint, currency text,
    created_at bigint, updated_at bigint, saved_at bigint, due_at bigint, made_at bigint,
    grown_at bigint, is_hinted boolean, reviewed_at bigint, open_reviews text, proposed_at bigint,
    unknown_at bigint, is_askable boolean, has_money boolean, ends_check boolean, record json`,
  rowsOf: (save) => {
    const [, ...values] = orderValues(save);
    const { isAskable, hasMoney } = columnsOf(save.record);
    return [[...values, isAskable, hasMoney, save.endsCheck ?? false, textOf(save.record)]];
  },
};
const named: Given = { columns: 'order_id text, kind text, name text', rowsOf: addedRows.names };
const log: Given = {
  columns: 'order_id text, version bigint, recorded_at bigint, entry json',
  rowsOf: addedRows.log,
};
const events: Given = {
  columns: 'order_id text, place bigint, event_id text, type text, at bigint, event json',
  rowsOf: addedRows.events,
};
const movements: Given = {
  columns: `order_id text, place bigint, kind text, amount bigint, currency text, recorded_at bigint,
    confirm_ms bigint`,
  rowsOf: addedRows.movements,
};
const dead: Given = {
  columns: 'order_id text, event_id text, at bigint',
  rowsOf: ({ redelivers, at }) => (redelivers === undefined ? [] : [[redelivers, at]]),
};

const all = [orders, named, log, events, movements, dead];
const columnsIn = ({ columns }: Given): readonly string[] => columns.split(',');

/** Reads given rows, behind the arrays of those before. */
function rowsFrom(given: Given): string {
  const before = all.slice(0, all.indexOf(given)).flatMap(columnsIn);
  return rowsIn(before.length + 1, given.columns);
}

/** The values of the statement, an array for each column. JSON is one text. */
function valuesOf(saves: readonly Save[]): readonly unknown[] {
  const sorted = saves.toSorted((one, other) => (orderIdOf(one) < orderIdOf(other) ? -1 : 1));
  return all.flatMap((given) => {
    const rows = sorted.flatMap((save) =>
      given.rowsOf(save).map((row) => [orderIdOf(save), ...row]),
    );
    return columnsIn(given).map((column, place) => {
      const values = rows.map((row) => row[place]);
      return column.endsWith(' json') ? `[${values.join(',')}]` : values;
    });
  });
}

/** What is stored of a document, beside its text. */
const columns = `${orderColumns}, is_askable, has_money`;

/**
 * What is written beside the documents that are `saved`. Names come in an order that all processes share, so
 * that no two statements wait for each other in a circle.
 */
const besides = `
  names AS (
    INSERT INTO pay_names (kind, name, order_id)
    SELECT kind, name, order_id FROM ${rowsFrom(named)}
    JOIN saved USING (order_id) ORDER BY kind COLLATE "C", name COLLATE "C"
  ), log AS (
    INSERT INTO pay_log (order_id, version, recorded_at, entry)
    SELECT order_id, version, recorded_at, entry FROM ${rowsFrom(log)} JOIN saved USING (order_id)
  ), events AS (
    INSERT INTO pay_events (order_id, event_id, type, event, next_try_at)
    SELECT order_id, event_id, type, event, at FROM ${rowsFrom(events)}
    JOIN saved USING (order_id) ORDER BY place
    ON CONFLICT DO NOTHING
  ), movements AS (
    INSERT INTO pay_movements (order_id, kind, amount, currency, recorded_at, confirm_ms)
    SELECT order_id, kind, amount, currency, recorded_at, confirm_ms
    FROM ${rowsFrom(movements)} JOIN saved USING (order_id)
  ), dead AS (
    SELECT * FROM ${rowsFrom(dead)} JOIN saved USING (order_id)
  ), redelivered AS (
    UPDATE pay_events e SET outcome = 'waiting', tries = 0,
      next_try_at = (SELECT at FROM dead WHERE dead.event_id = e.event_id)
    WHERE order_id = ANY (ARRAY(SELECT order_id FROM dead))
      AND event_id = ANY (ARRAY(SELECT event_id FROM dead)) AND outcome = 'dead'
  )`;

/**
 * Saves any number of orders, each whole or not at all, and returns those that are not saved, with their
 * documents as they were when the statement began. A new order is inserted, but not where one is seen:
 * ON CONFLICT would wait for its lock. Another one is written onto the version before. A name that is stored
 * is an error, which undoes the statement.
 *
 * Orders are found by lookups (subqueries, LATERAL, ON CONFLICT) and never by a join with the table, so that
 * the plan suits tables of every size. They come sorted and before names, as in all processes.
 *
 * @param lock - Whether to pass over an order that another transaction has locked, or to wait.
 */
const saveSql = (lock: 'SKIP LOCKED' | ''): string => `
  WITH n AS (
    SELECT * FROM ${rowsFrom(orders)}
  ), inserted AS (
    INSERT INTO pay_orders (${columns}, record)
    SELECT ${columns}, record FROM n
    WHERE version = 1 AND (SELECT 1 FROM pay_orders o WHERE o.order_id = n.order_id) IS NULL
    ON CONFLICT DO NOTHING RETURNING order_id
  ), ready AS (
    SELECT n.*,
      CASE WHEN due_at IS NOT NULL AND NOT ends_check THEN same.unended_since END AS unended_since
    FROM n CROSS JOIN LATERAL (SELECT o.unended_since FROM pay_orders o
      WHERE o.order_id = n.order_id AND o.version = n.version - 1 FOR NO KEY UPDATE ${lock}) same
    WHERE n.version > 1
  ), updated AS (
    INSERT INTO pay_orders (${columns}, record, unended_since)
    SELECT ${columns}, record, unended_since FROM ready
    ON CONFLICT (order_id) DO UPDATE SET (${columns}, record, unended_since) =
      (${columns.replaceAll(/\w+/g, 'excluded.$&')}, excluded.record, excluded.unended_since)
    RETURNING order_id
  ), saved AS (
    SELECT order_id FROM inserted UNION ALL SELECT order_id FROM updated
  ),${besides}
  SELECT n.order_id, stored.record FROM n LEFT JOIN saved USING (order_id)
  LEFT JOIN LATERAL (SELECT o.record::text AS record FROM pay_orders o
    WHERE o.order_id = n.order_id LIMIT 1) stored ON true
  WHERE saved.order_id IS NULL`;

const SAVE = saveSql('SKIP LOCKED');
const SAVE_WAITING = saveSql('');

const orderIdOf = ({ record }: Save): string => record.payment.orderId;

/** What became of a save: it is done; another document is stored than it was made for; or an error. */
type Sent =
  | 'saved'
  | { readonly instead: PaymentRecord | null }
  /** One of its names is stored already. */
  | { readonly violation: unknown };

/** Saves changes: those of many orders in one statement, and one with a hook in a transaction. */
export function savesIn(
  connections: PostgresConnections,
  load: (orderId: string) => Promise<PaymentRecord | null>,
): Pick<Store<PostgresTransaction>, 'save'> {
  const batches = connections.batcher<Save, Sent>({
    keyOf: orderIdOf,
    send: (saves) => sendSaves(connections.query, 'pay_save', SAVE, saves),
  });
  const send = async (save: Save, hook: Hook<PostgresTransaction> | undefined): Promise<Sent> => {
    if (hook !== undefined && save.events.length > 0) return sendWithHook(connections, save, hook);
    const sent = await batches.run(save).catch(violationIn);
    const isHeld = sent !== 'saved' && 'instead' in sent && isExpected(sent.instead, save);
    if (!isHeld) return sent;
    return connections.waiting(() => sendOne(connections.query, save));
  };
  return {
    // Where its names are stored already, those of its own order are left out.
    async save(save, run, timeoutMs = HOOK_TIMEOUT_MS) {
      for (let { names } = save; ;) {
        const sent = await send({ ...save, names }, run && { run, timeoutMs });
        if (sent === 'saved') return { outcome: 'saved' };
        if ('instead' in sent) {
          const { instead } = sent;
          // A statement does not see what was saved while it waited.
          const record = isExpected(instead, save) ? await load(orderIdOf(save)) : instead;
          return { outcome: 'conflict', record };
        }
        const ownerOf = await ownersIn(connections, names);
        const taken = nameTaken(save, ownerOf);
        if (taken !== undefined) return taken;
        const fresh = names.filter((name) => ownerOf(name) === undefined);
        if (fresh.length === names.length) throw sent.violation;
        names = fresh;
      }
    },
  };
}

/** Undoes the transaction of a change that was not saved. */
const notSaved = new Error('the change was not saved');

async function sendWithHook(
  connections: PostgresConnections,
  save: Save,
  hook: Hook<PostgresTransaction>,
): Promise<Sent> {
  let sent: Sent = 'saved';
  const ours = async (run: Run): Promise<void> => {
    sent = await sendOne(run, save);
    if (sent !== 'saved') throw notSaved;
  };
  const theirs = (tx: PostgresTransaction) => runHook(hook, save.events, tx);
  try {
    await again(() => connections.withHook(hook.timeoutMs, ours, theirs));
  } catch (error) {
    if (error !== notSaved) throw error;
  }
  return sent;
}

const OWNERS = `SELECT n.kind, n.name, owner.order_id FROM ${rowsIn(1, 'kind text, name text')}
  CROSS JOIN LATERAL (SELECT o.order_id FROM pay_names o
    WHERE o.kind = n.kind AND o.name = n.name LIMIT 1) owner`;

async function ownersIn(
  connections: PostgresConnections,
  names: readonly Name[],
): Promise<(name: Name) => string | undefined> {
  const values = [names.map(({ kind }) => kind), names.map(({ name }) => name)];
  const rows = await connections.query('pay_owners', OWNERS, values);
  const owners = new Map(
    rows.map((row) => [`${text(row, 'kind')} ${text(row, 'name')}`, text(row, 'order_id')]),
  );
  return ({ kind, name }) => owners.get(`${kind} ${name}`);
}

/** Sends the changes of different orders in one statement; answers in their order. */
async function sendSaves(
  run: Run,
  name: string,
  sql: string,
  saves: readonly Save[],
): Promise<readonly Sent[]> {
  const rows = await run(name, sql, valuesOf(saves));
  const unsaved = new Map(rows.map((row) => [text(row, 'order_id'), row]));
  return saves.map((save) => {
    const row = unsaved.get(orderIdOf(save));
    if (row === undefined) return 'saved';
    return { instead: row['record'] === null ? null : recordIn(row) };
  });
}

/** Sends one change, which waits for an order that somebody else has locked. */
const sendOne = (run: Run, save: Save): Promise<Sent> =>
  sendSaves(run, 'pay_save_waiting', SAVE_WAITING, [save]).then(
    ([sent = 'saved']) => sent,
    violationIn,
  );

/** Reads an error of our own statement; the merchant's SQL may fail in the same way. */
function violationIn(error: unknown): Sent {
  if (isUniqueViolation(error)) return { violation: error };
  throw error;
}

/** Whether the order `o` may be taken by `n`. A taking in the future does not count. */
const isFree = `
  CASE n.which WHEN 'watched' THEN o.due_at IS NOT NULL
    WHEN 'unpaid' THEN o.is_askable AND NOT o.has_money ELSE o.is_askable END
  AND (o.taken_at IS NULL OR abs(n.now - o.taken_at) >= n.gap_ms)`;

/**
 * Takes orders, and reads them whether they are taken or not. Orders are found by lookups and by arrays
 * of keys, so that the plan suits tables of every size.
 *
 * @param lock - Whether to pass over an order that another transaction has locked, or to wait.
 */
const takeSql = (lock: 'SKIP LOCKED' | ''): string => `
  WITH n AS (
    SELECT * FROM ${rowsIn(1, 'order_id text, now bigint, gap_ms bigint, lease_ms bigint, which text')}
  ), free AS (
    SELECT n.order_id FROM n CROSS JOIN LATERAL (SELECT FROM pay_orders o
      WHERE o.order_id = n.order_id AND ${isFree} FOR NO KEY UPDATE ${lock}) same
  ), taken AS (
    UPDATE pay_orders o SET (taken_at, saved_at, due_at, unended_since) =
      (SELECT n.now, n.now, CASE WHEN o.due_at IS NOT NULL THEN n.now + n.lease_ms END,
          CASE WHEN o.due_at IS NOT NULL THEN coalesce(o.unended_since, n.now) END
        FROM n WHERE n.order_id = o.order_id)
    WHERE o.order_id = ANY (ARRAY(SELECT order_id FROM free))
    RETURNING o.order_id, o.record::text AS record, o.taken_at
  )
  SELECT order_id, record, taken_at, 'taken' AS how FROM taken
  UNION ALL SELECT n.order_id, stored.* FROM n
  CROSS JOIN LATERAL (SELECT o.record::text, o.taken_at, CASE WHEN ${isFree} THEN 'held' END
    FROM pay_orders o WHERE o.order_id = n.order_id LIMIT 1) stored
  WHERE n.order_id <> ALL (ARRAY(SELECT order_id FROM taken))`;

const TAKE = takeSql('SKIP LOCKED');
const TAKE_WAITING = takeSql('');

interface Request extends Taking {
  readonly orderId: string;
}

/** An order that was asked for; `isHeld` where another transaction may have kept it from being taken. */
interface Answer {
  readonly taken: Taken;
  readonly isHeld: boolean;
}

/** How often an order is asked for that seems to be free and is not taken. */
const MAX_TRIES = 4;

/**
 * Takes orders for status checks: those of many calls in one statement. The first try waits for no order
 * that somebody else has locked, the next ones do; where that takes long, there is nothing to take now.
 */
export function takesIn(connections: PostgresConnections): Pick<Store<unknown>, 'take'> {
  const send = async (name: string, sql: string, requests: readonly Request[]) => {
    const values = (['orderId', 'now', 'gapMs', 'leaseMs', 'which'] as const).map((column) =>
      requests.map((request) => request[column]),
    );
    const answers = new Map<string, Answer>();
    for (const row of await connections.query(name, sql, values, true)) {
      const isTaken = row['how'] === 'taken';
      const taken = { record: recordIn(row), isTaken, takenAt: optionalWhole(row, 'taken_at') };
      answers.set(text(row, 'order_id'), { taken, isHeld: row['how'] === 'held' });
    }
    return requests.map(({ orderId }) => answers.get(orderId) ?? null);
  };
  const atOnce = connections.batcher<Request, Answer | null>({
    keyOf: ({ orderId }) => orderId,
    send: (requests) => send('pay_take', TAKE, requests),
  });
  return {
    async take(orderId, taking) {
      const request = { ...taking, orderId };
      let answer = await atOnce.run(request);
      for (let tries = 1; answer?.isHeld === true && tries < MAX_TRIES; tries += 1) {
        const { taken } = answer;
        const waiting = connections.waiting(() =>
          send('pay_take_waiting', TAKE_WAITING, [request]),
        );
        const [next = null] = await waiting.catch((error: unknown) => {
          if (isHeldUp(error)) return [{ taken, isHeld: false }];
          throw error;
        });
        answer = next;
      }
      return answer && answer.taken;
    },
  };
}

const CLAIM_DUE = `
  WITH due AS (
    SELECT order_id, due_at, taken_at FROM pay_orders
    WHERE due_at <= $1 AND due_at > $4
      AND CASE WHEN $6::boolean THEN made_at > $5 AND grown_at <= $1
        ELSE made_at > $5 OR is_hinted END
      AND (taken_at IS NULL OR abs($1 - taken_at) >= $7)
    ORDER BY due_at, taken_at NULLS FIRST LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
  ), claimed AS (
    UPDATE pay_orders SET saved_at = $1::bigint, due_at = $1::bigint + $3::bigint
    WHERE order_id = ANY (ARRAY(SELECT order_id FROM due)) RETURNING order_id)
  SELECT order_id FROM due JOIN claimed USING (order_id) ORDER BY due.due_at, taken_at NULLS FIRST`;

/**
 * Each type is read in the order of its index, however many events of other types wait: those that are
 * due, and before them those that a clock which ran ahead has put off. An event is passed over whose order
 * has an earlier undelivered one of these types.
 */
const CLAIM_EVENTS = `
  WITH due AS (
    SELECT found.* FROM unnest($4::text[]) AS asked (type)
    CROSS JOIN (VALUES (1, 0, $1::bigint),
      (0, $1::bigint + ${LONGEST_DELIVERY_WAIT_MS}, ${Number.MAX_SAFE_INTEGER}))
      AS span (place, since, until)
    CROSS JOIN LATERAL (
      SELECT order_id, event_id, next_try_at FROM pay_events w
      WHERE w.type = asked.type AND w.next_try_at > span.since AND w.next_try_at <= span.until
        AND NOT EXISTS (SELECT FROM pay_events earlier
          WHERE earlier.order_id = w.order_id AND earlier.seq < w.seq
            AND earlier.next_try_at IS NOT NULL AND earlier.type = ANY ($4))
      ORDER BY w.next_try_at LIMIT $2 FOR UPDATE OF w SKIP LOCKED) found
    ORDER BY span.place, found.next_try_at LIMIT $2
  )
  UPDATE pay_events o SET tries = o.tries + 1, next_try_at = $1::bigint + $3::bigint FROM due
  WHERE o.order_id = due.order_id AND o.event_id = due.event_id
  RETURNING o.event::text AS event, o.outcome, o.tries`;

const END_DELIVERY = `UPDATE pay_events SET outcome = $4, next_try_at = $5
  WHERE order_id = $1 AND event_id = $2 AND tries = $3`;

/** Leases what is due, and writes how deliveries ended. */
export const claimsIn = (
  connections: PostgresConnections,
): Pick<Store<unknown>, 'claimDue' | 'claimEvents' | 'endDelivery' | 'deadLetters'> => ({
  async claimDue(now, limit, { gapMs, leaseMs }, { dueAfter, madeAfter, bySchedule } = everyOrder) {
    const values = [now, limit, leaseMs, dueAfter, madeAfter, bySchedule, gapMs];
    const rows = await connections.query('pay_claim_due', CLAIM_DUE, values, true);
    return rows.map((row) => text(row, 'order_id'));
  },
  async claimEvents(...asked) {
    const rows = await connections.query('pay_claim_events', CLAIM_EVENTS, asked);
    return rows.map(queuedOf).map(({ event, tries }) => ({ event, tryNumber: tries }));
  },
  async endDelivery({ event, tryNumber }, report) {
    const { outcome, nextTryAt } = reported(report);
    const values = [event.orderId, event.id, tryNumber, outcome, nextTryAt];
    await connections.query('pay_end_delivery', END_DELIVERY, values);
  },
  async deadLetters(limit) {
    const letters = `SELECT event::text AS event, outcome, tries FROM pay_events
        WHERE outcome = 'dead' ORDER BY seq LIMIT $1`;
    return (await connections.query('pay_dead_letters', letters, [limit])).map(queuedOf);
  },
});
