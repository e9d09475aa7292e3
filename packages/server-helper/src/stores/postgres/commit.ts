import { transactionKey } from '../../ids.ts';
import type { Attempt } from '../../payments/attempt.ts';
import { changeEntry } from '../../payments/audit.ts';
import type { Change, PaymentRecord } from '../../payments/payment-record.ts';
import { checkChange, isReservation, refusalOf } from '../commit-rules.ts';
import { text } from '../rows.ts';
import type { CommitHook, CommitResult } from '../store.ts';
import { Batcher } from './batcher.ts';
import { sendChanges, type CommitAnswer, type CommitRequest } from './commit-sql.ts';
import { again, type PostgresConnections, type Run, type Statement } from './connections.ts';
import { isTaken, isTransient, isUndone } from './errors.ts';
import type { PostgresTransaction } from './postgres-transaction.ts';
import type { StoredOrder } from './record.ts';

const ownersOf: Statement = {
  name: 'pay_owners_of',
  text: 'SELECT kind, id, order_id FROM pay_owners WHERE id = ANY ($1)',
};

/** How often a change is sent again after a concurrent write, when no rule refuses it. */
const MAX_TRIES = 5;

/** The merchant's own work inside a commit. */
export interface Hook {
  readonly run: CommitHook<PostgresTransaction>;
  readonly timeoutMs: number;
}

/** The result of sending a change once. `taken` is an error: an id may belong to another order. */
type Sent = CommitAnswer | { readonly taken: unknown };

/**
 * Commits changes. The database writes a change only onto the rows that the change was decided on.
 * When the database has written nothing, {@link refusalOf} gives the reason; without a reason the
 * change is sent again.
 */
export class Commits {
  readonly #connections: PostgresConnections;
  readonly #load: (orderId: string) => Promise<StoredOrder | null>;
  readonly #batches: Batcher<CommitRequest, CommitAnswer>;

  constructor(
    connections: PostgresConnections,
    load: (orderId: string) => Promise<StoredOrder | null>,
    timeoutMs: number,
  ) {
    this.#connections = connections;
    this.#load = load;
    this.#batches = new Batcher({
      keyOf: ({ change }) => change.payment.orderId,
      send: (requests) => sendChanges(this.#runOf(requests), requests, false),
      isUndone,
      timeoutMs,
    });
  }

  /** Whether the shared statements wait for an answer, see {@link Batcher.isStuck}. */
  get isStuck(): boolean {
    return this.#batches.isStuck;
  }

  /** Commits a change. A change that runs the merchant's work has a transaction of its own. */
  async commit(change: Change, hook: Hook | undefined): Promise<CommitResult> {
    const { checkEnd, events } = change;
    const entry = JSON.stringify(changeEntry(change));
    // Before the change is sent together with those of other orders, which it must not fail.
    checkChange(change, entry);
    const hookToRun = events.length > 0 ? hook : undefined;
    let attempts: readonly Attempt[] = checkEnd === undefined ? [] : [checkEnd.attempt];
    let sent: Sent | undefined;
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      sent = await this.#send({ change, entry, attempts }, hookToRun, tries > 1);
      if ('isWritten' in sent && sent.isWritten) return { outcome: 'committed' };
      const { record, owners } = await this.#stored(sent, change);
      const refusal = refusalOf(change, factsOf(record, owners));
      if (refusal?.outcome === 'conflict') return { ...refusal, record };
      if (refusal !== null) return refusal;
      attempts = record?.attempts ?? [];
    }
    if (sent !== undefined && 'taken' in sent) throw sent.taken;
    return { outcome: 'conflict' };
  }

  async #send(request: CommitRequest, hook: Hook | undefined, waits: boolean): Promise<Sent> {
    if (hook !== undefined) return this.#sendWithHook(request, hook);
    const alone = (): Promise<CommitAnswer> => sendOne(this.#runOf([request]), request);
    try {
      return await (waits ? this.#connections.waiting(alone) : this.#batches.run(request));
    } catch (error) {
      return takenOr(error);
    }
  }

  #sendWithHook(request: CommitRequest, hook: Hook): Promise<Sent> {
    const ours = async (run: Run): Promise<CommitAnswer> => {
      // Only an error of our own statement means that an id is taken; the merchant's SQL may fail
      // in the same way.
      const sent: Sent = await sendOne(run, request).catch(takenOr);
      if ('taken' in sent || !sent.isWritten) throw new NotWritten(sent);
      return sent;
    };
    const theirs = async (tx: PostgresTransaction, isTimeUp: () => boolean): Promise<void> => {
      for (const event of request.change.events) if (!isTimeUp()) await hook.run(tx, event);
    };
    const sending: Promise<Sent> = again(
      () => this.#connections.withHook(hook.timeoutMs, ours, theirs),
      isTransient,
    );
    return sending.catch((error: unknown) => {
      if (error instanceof NotWritten) return error.sent;
      throw error;
    });
  }

  /** What is stored that kept a change from being written. */
  async #stored(sent: Sent, { payment, ledger, operations }: Change) {
    if ('isWritten' in sent) return { record: sent.record, owners: new Map<string, string>() };
    const ids = [
      ...ledger.map((row) => transactionKey(row.transactionId)),
      ...operations.map(({ id }) => id),
    ];
    const [order, { rows }] = await Promise.all([
      this.#load(payment.orderId),
      this.#connections.query(ownersOf, [ids]),
    ]);
    const owners = new Map(
      rows.map((row) => [`${text(row, 'kind')} ${text(row, 'id')}`, text(row, 'order_id')]),
    );
    return { record: order?.record ?? null, owners };
  }

  #runOf(requests: readonly CommitRequest[]): Run {
    const mayBeLost = requests.every(({ change }) => isReservation(change));
    return (statement, values) => this.#connections.query(statement, values, mayBeLost);
  }
}

const factsOf = (record: PaymentRecord | null, owners: ReadonlyMap<string, string>) => ({
  version: record?.payment.version ?? 0,
  orderOfTransaction: (key: string) => owners.get(`transaction ${key}`),
  orderOfOperation: (id: string) => owners.get(`operation ${id}`),
});

/** Sends one change, which may wait for rows that somebody else has locked. */
async function sendOne(run: Run, request: CommitRequest): Promise<CommitAnswer> {
  const [answer] = await sendChanges(run, [request], true);
  if (answer === undefined) throw new Error('The database answered for no change.');
  return answer;
}

function takenOr(error: unknown): Sent {
  if (isTaken(error)) return { taken: error };
  throw error;
}

/** Undoes the transaction of a change that was not written. */
class NotWritten extends Error {
  override readonly name = 'NotWritten';
  readonly sent: Sent;

  constructor(sent: Sent) {
    super('the change was not written');
    this.sent = sent;
  }
}
