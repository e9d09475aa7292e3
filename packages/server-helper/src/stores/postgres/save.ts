import { columnsOf, type Name, recordOf, textOf } from '../../payments/document.ts';
import type { PaymentRecord } from '../../payments/record.ts';
import { text } from '../row.ts';
import type { CommitHook, Save, SaveResult } from '../store.ts';
import { Batcher } from './batcher.ts';
import { type PostgresConnections, rowsIn, type Run, type Statement } from './connections.ts';
import type { PostgresTransaction } from './postgres-transaction.ts';
import { again, isUndone, isUniqueViolation } from './waiting.ts';

/** What is stored of a document, beside its text. */
const columns = `order_id, version, state, amount, currency, created_at, updated_at, saved_at, due_at,
      made_at, grown_at, is_hinted, is_askable, has_money, reviewed_at, open_reviews, proposed_at,
      unknown_at`;

/**
 * What is written beside the documents that are `saved`. Names come in an order that all processes share, so
 * that no two statements wait for each other in a circle.
 */
const besides = `
  names AS (
    INSERT INTO pay_names (kind, name, order_id)
    SELECT kind, name, order_id FROM ${rowsIn(21, 'order_id text, kind text, name text')}
    JOIN saved USING (order_id) ORDER BY kind COLLATE "C", name COLLATE "C"
  ), log AS (
    INSERT INTO pay_log (order_id, version, recorded_at, entry)
    SELECT order_id, version, recorded_at, entry
    FROM ${rowsIn(24, 'order_id text, version bigint, recorded_at bigint, entry json')}
    JOIN saved USING (order_id)
  ), events AS (
    INSERT INTO pay_events (order_id, event_id, type, event, next_try_at)
    SELECT order_id, event_id, type, event, at
    FROM ${rowsIn(28, 'order_id text, event_id text, type text, at bigint, place bigint, event json')}
    JOIN saved USING (order_id) ORDER BY place
    ON CONFLICT DO NOTHING
  ), movements AS (
    INSERT INTO pay_movements (order_id, kind, amount, currency, recorded_at, confirm_ms)
    SELECT order_id, kind, amount, currency, recorded_at, confirm_ms
    FROM ${rowsIn(
      34,
      `order_id text, kind text, amount bigint, currency text, recorded_at bigint,
      confirm_ms bigint`,
    )}
    JOIN saved USING (order_id)
  ), dead AS (
    SELECT * FROM ${rowsIn(40, 'order_id text, event_id text, at bigint')} JOIN saved USING (order_id)
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
    SELECT * FROM ${rowsIn(
      1,
      `order_id text, version bigint, state text, amount bigint, currency text,
      created_at bigint, updated_at bigint, saved_at bigint, due_at bigint, made_at bigint,
      grown_at bigint, is_hinted boolean, is_askable boolean, has_money boolean, reviewed_at bigint,
      open_reviews text, proposed_at bigint, unknown_at bigint, ends_check boolean, record json`,
    )}
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

const saveAtOnce: Statement = { name: 'pay_save', text: saveSql('SKIP LOCKED') };
const saveWaiting: Statement = { name: 'pay_save_waiting', text: saveSql('') };

/** The values of the statement, an array for each column. JSON comes last, and as one text. */
function valuesOf(saves: readonly Save[]): readonly unknown[] {
  const sorted = saves.toSorted((one, other) => (orderIdOf(one) < orderIdOf(other) ? -1 : 1));
  /** The rows that each save has, behind the id of its order. */
  const arrays = (length: number, rowsOf: (save: Save) => readonly (readonly unknown[])[]) => {
    const rows = sorted.flatMap((save) => rowsOf(save).map((row) => [orderIdOf(save), ...row]));
    return Array.from({ length }, (_, column) => rows.map((row) => row[column]));
  };
  const withJson = (...given: Parameters<typeof arrays>) =>
    arrays(...given).map((column, index, { length }) =>
      index === length - 1 ? `[${column.join(',')}]` : column,
    );
  return [
    ...withJson(20, (save) => [orderRow(save)]),
    ...arrays(3, ({ names }) => names.map(({ kind, name }) => [kind, name])),
    ...withJson(4, ({ record: { payment }, entry }) =>
      entry === null ? [] : [[payment.version, entry.at, JSON.stringify(entry)]],
    ),
    ...withJson(6, ({ events, at }) =>
      events.map((event, place) => [event.id, event.type, at, place, JSON.stringify(event)]),
    ),
    ...arrays(6, ({ movements }) =>
      movements.map((one) => [
        one.kind,
        one.minorUnits,
        one.currency,
        one.recordedAt,
        one.confirmMs,
      ]),
    ),
    ...arrays(3, ({ redelivers, at }) => (redelivers === undefined ? [] : [[redelivers, at]])),
  ];
}

function orderRow({ record, at, endsCheck = false }: Save): readonly unknown[] {
  const { version, state, amount, createdAt, updatedAt } = record.payment;
  const beside = columnsOf(record);
  return [
    version,
    state,
    amount.minorUnits,
    amount.currency,
    createdAt,
    updatedAt,
    at,
    beside.dueAt,
    beside.madeAt,
    beside.grownAt,
    beside.isHinted,
    beside.isAskable,
    beside.hasMoney,
    beside.reviewedAt,
    beside.openReviews,
    beside.proposedAt,
    beside.unknownAt,
    endsCheck,
    textOf(record),
  ];
}

const orderIdOf = ({ record }: Save): string => record.payment.orderId;

/** What became of a save: it is done; another document is stored than it was made for; or an error. */
type Sent =
  | 'saved'
  | { readonly instead: PaymentRecord | null }
  /** One of its names is stored already. */
  | { readonly violation: unknown };

/** The merchant's own work inside a save. */
interface Hook {
  readonly run: CommitHook<PostgresTransaction>;
  readonly timeoutMs: number;
}

/** Writes documents: those of many orders in one statement, and one with a hook in a transaction. */
export class Saves {
  readonly #connections: PostgresConnections;
  readonly #load: (orderId: string) => Promise<PaymentRecord | null>;
  readonly #batches: Batcher<Save, Sent>;

  constructor(
    connections: PostgresConnections,
    load: (orderId: string) => Promise<PaymentRecord | null>,
    timeoutMs: number,
  ) {
    this.#connections = connections;
    this.#load = load;
    this.#batches = new Batcher({
      keyOf: orderIdOf,
      send: (saves) => sendSaves(this.#runOf(saves), saveAtOnce, saves),
      isUndone,
      timeoutMs,
    });
  }

  /** Whether the shared statements wait for an answer, see {@link Batcher.isStuck}. */
  get isStuck(): boolean {
    return this.#batches.isStuck;
  }

  /** Saves a change. Where its names are stored already, those of its own order are left out. */
  async save(save: Save, hook: Hook | undefined): Promise<SaveResult> {
    const orderId = orderIdOf(save);
    for (let { names } = save; ;) {
      const sent = await this.#send({ ...save, names }, hook);
      if (sent === 'saved') return { outcome: 'saved' };
      if ('instead' in sent) {
        const { instead } = sent;
        // A statement does not see what was saved while it waited.
        const record = isExpected(instead, save) ? await this.#load(orderId) : instead;
        return { outcome: 'conflict', record };
      }
      const ownerOf = await this.#owners(names);
      for (const name of names) {
        const owner = ownerOf(name) ?? orderId;
        if (owner === orderId || name.kind === 'reference') continue;
        return { outcome: 'name_taken', name, orderId: owner };
      }
      const fresh = names.filter((name) => ownerOf(name) === undefined);
      if (fresh.length === names.length) throw sent.violation;
      names = fresh;
    }
  }

  async #send(save: Save, hook: Hook | undefined): Promise<Sent> {
    if (hook !== undefined && save.events.length > 0) return this.#sendWithHook(save, hook);
    const sent = await this.#batches.run(save).catch(violationIn);
    const isHeld = sent !== 'saved' && 'instead' in sent && isExpected(sent.instead, save);
    if (!isHeld) return sent;
    return this.#connections.waiting(() => sendOne(this.#runOf([save]), save));
  }

  async #sendWithHook(save: Save, hook: Hook): Promise<Sent> {
    const ours = async (run: Run): Promise<Sent> => {
      const sent = await sendOne(run, save);
      if (sent !== 'saved') throw new NotSaved(sent);
      return sent;
    };
    const theirs = async (tx: PostgresTransaction, isTimeUp: () => boolean): Promise<void> => {
      for (const event of save.events) if (!isTimeUp()) await hook.run(tx, event);
    };
    try {
      return await again(() => this.#connections.withHook(hook.timeoutMs, ours, theirs));
    } catch (error) {
      if (error instanceof NotSaved) return error.sent;
      throw error;
    }
  }

  /** Whose the names are that are stored. */
  async #owners(names: readonly Name[]): Promise<(name: Name) => string | undefined> {
    const values = [names.map(({ kind }) => kind), names.map(({ name }) => name)];
    const { rows } = await this.#connections.query(
      {
        name: 'pay_owners',
        text: `
          SELECT n.kind, n.name, owner.order_id FROM ${rowsIn(1, 'kind text, name text')}
          CROSS JOIN LATERAL (SELECT o.order_id FROM pay_names o
            WHERE o.kind = n.kind AND o.name = n.name LIMIT 1) owner`,
      },
      values,
    );
    const owners = new Map(
      rows.map((row) => [`${text(row, 'kind')} ${text(row, 'name')}`, text(row, 'order_id')]),
    );
    return ({ kind, name }) => owners.get(`${kind} ${name}`);
  }

  #runOf(saves: readonly Save[]): Run {
    const mayBeLost = saves.every((save) => save.mayBeLost === true);
    return (statement, values) => this.#connections.query(statement, values, mayBeLost);
  }
}

/** Sends the changes of different orders in one statement; answers in their order. */
async function sendSaves(
  run: Run,
  statement: Statement,
  saves: readonly Save[],
): Promise<readonly Sent[]> {
  const { rows } = await run(statement, valuesOf(saves));
  const unsaved = new Map(rows.map((row) => [text(row, 'order_id'), row['record']]));
  return saves.map((save) => {
    const record = unsaved.get(orderIdOf(save));
    if (record === undefined) return 'saved';
    return { instead: typeof record === 'string' ? recordOf(record) : null };
  });
}

/** Sends one change, which waits for an order that somebody else has locked. */
const sendOne = (run: Run, save: Save): Promise<Sent> =>
  sendSaves(run, saveWaiting, [save]).then(([sent = 'saved']) => sent, violationIn);

/** Reads an error of our own statement; the merchant's SQL may fail in the same way. */
function violationIn(error: unknown): Sent {
  if (isUniqueViolation(error)) return { violation: error };
  throw error;
}

/** Whether what is stored is the document that a change was made for. */
const isExpected = (stored: PaymentRecord | null, { record }: Save): boolean =>
  (stored?.payment.version ?? 0) === record.payment.version - 1;

/** Undoes the transaction of a change that was not saved. */
class NotSaved extends Error {
  override readonly name = 'NotSaved';
  readonly sent: Sent;

  constructor(sent: Sent) {
    super('the change was not saved');
    this.sent = sent;
  }
}
