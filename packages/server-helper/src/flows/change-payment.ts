import { ConfigurationError, nameOf, PaymentsError } from '../errors.ts';
import { type TransactionId, transactionKey } from '../ids.ts';
import { measure, observe, type StepReport } from '../telemetry.ts';
import { LEAP_MS } from '../clock.ts';
import { apply, checkChange, entryOf, movementsOf, newNames } from '../payments/document.ts';
import { recoverOperations } from '../payments/operation-outcome.ts';
import type { Change, PaymentEvent, PaymentRecord } from '../payments/record.ts';
import { rightTimes } from '../payments/checks.ts';
import type { CommitHook, Save, SaveResult, Store } from '../stores/store.ts';
import type { FlowContext } from './flow-context.ts';
import { loadRecord } from './waiting.ts';
import { ConnectionLostError, HookTimeoutError } from '../stores/rules.ts';

/** Of four processes that change one order, each wins a fourth; only a faulty writer has this many conflicts. */
const MAX_TRIES = 100;

/** The clocks of machines that work together differ by less than an hour. */
const ahead = { aheadMs: LEAP_MS };

/** Transactions that an earlier decision named and the store found bound to another order, with that order. */
export type BoundElsewhere = ReadonlyMap<TransactionId, string>;

/** A change to commit, `null` for none, or an object that may hold a change. */
export type Decision = Change | null | { readonly kind: string; readonly change?: Change | null };

/** Decides about a payment. Pure, since it is called again after each conflict. */
export type Decide<D extends Decision> = (
  record: PaymentRecord | null,
  now: number,
  boundElsewhere: BoundElsewhere,
) => D;

/** How {@link changePayment} begins, and how it gives up. */
export interface ChangeOptions {
  /** The record to decide on first. @defaultValue the stored record, which is loaded */
  readonly record?: PaymentRecord | null | undefined;
  /** The code of the error after too many conflicts. */
  readonly busyCode?: 'attempt_in_progress' | 'operation_in_progress' | 'store_unavailable';
}

/**
 * Changes a payment: the only way in which a flow writes a record.
 *
 * Loads the record, decides, and commits the change of the decision. Where another process changed
 * the payment first, it decides again on the new record. The promises:
 *
 * - The returned decision was made on the latest record, and its change is committed exactly once. The
 *   returned record includes that change.
 * - A money operation that a process left half-way is marked `unknown` before `decide` sees it, since
 *   it may have been sent and must not be sent again. Times that a clock set which ran ahead are put right.
 * - An error on COMMIT does not mean "not committed". The stored record is read and decided on
 *   again, so `decide` must recognise its own work there: an operation by its owner, for example.
 * - A transaction that is bound to another order is `known` to the next decision.
 *
 * @throws {@link PaymentsError} `hook_failed`, `store_unavailable`, `request_id_reused` for an
 * operation id of another order, `busyCode` after too many conflicts; else what `decide` throws.
 */
export async function changePayment<Tx, D extends Decision>(
  context: FlowContext<Tx>,
  orderId: string,
  decide: Decide<D>,
  { record: first, busyCode = 'operation_in_progress' }: ChangeOptions = {},
): Promise<{ readonly decision: D; readonly record: PaymentRecord | null }> {
  const boundElsewhere = new Map<TransactionId, string>();
  let record = first === undefined ? await loadRecord(context.store, orderId) : first;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const now = context.clock.now();
    const recovery = record && (recoverOperations(record, now) ?? rightTimes(record, now, ahead));
    if (recovery !== null) {
      ({ record } = await tryCommit(context, record, recovery, boundElsewhere));
      continue;
    }
    const decision = decide(record, now, boundElsewhere);
    const change = changeIn(decision);
    if (change === null) return { decision, record };
    const tried = await tryCommit(context, record, change, boundElsewhere);
    if (tried.isCommitted) return { decision, record: tried.record };
    ({ record } = tried);
  }
  throw new PaymentsError(busyCode, 'The payment keeps changing. Try again in a moment.');
}

/** Reads an order's record once {@link changePayment} has marked what a process left half-way. */
export const loadPayment = async <Tx>(context: FlowContext<Tx>, orderId: string) =>
  (await changePayment(context, orderId, () => null)).record;

const changeIn = (decision: Decision): Change | null => {
  if (decision === null || 'payment' in decision) return decision;
  return decision.change ?? null;
};

/** A change that writes the recurring token under the first key of the shop. */
function renewed<Tx>({ recurringTokens }: FlowContext<Tx>, change: Change): Change {
  const { payment } = change;
  const { orderId, recurringToken: sealed } = payment;
  if (sealed === null) return change;
  const recurringToken = recurringTokens.renew(orderId, sealed);
  return { ...change, payment: { ...payment, recurringToken } };
}

/** Commits a change. @returns the record after it, or the record of another process. */
async function tryCommit<Tx>(
  context: FlowContext<Tx>,
  record: PaymentRecord | null,
  decided: Change,
  boundElsewhere: Map<TransactionId, string>,
): Promise<{ readonly isCommitted: boolean; readonly record: PaymentRecord | null }> {
  const save = saveOf(record, renewed(context, decided), context.clock.now());
  const result = await commit(context, decided, save);
  if (result.outcome === 'saved') {
    for (const { type, orderId, id } of decided.events)
      context.logger.info({ orderId, eventId: id }, `recorded the event ${type}`);
    return { isCommitted: true, record: save.record };
  }
  if (result.outcome === 'conflict') return { isCommitted: false, record: result.record };
  const { name, orderId } = result;
  if (name.kind === 'operation') {
    const words =
      'This requestId was used for another order. Give each operation a key of its own.';
    throw new PaymentsError('request_id_reused', words);
  }
  if (name.kind !== 'transaction') throw new Error(`The ${name.kind} belongs to another order.`);
  const taken = decided.ledger.find((row) => transactionKey(row.transactionId) === name.name);
  if (taken !== undefined) boundElsewhere.set(taken.transactionId, orderId);
  return { isCommitted: false, record: await loadRecord(context.store, decided.payment.orderId) };
}

/** What the store saves of a change. Where only times change, the payment is as old as before. */
export function saveOf(before: PaymentRecord | null, change: Change, now: number): Save {
  const { redelivers, payment, endsCheck = false } = change;
  const entry =
    redelivers === undefined
      ? entryOf(before, change)
      : ({ kind: 'redelivered', at: payment.updatedAt, ...redelivers } as const);
  const updatedAt = entry === null ? (before?.payment.updatedAt ?? now) : payment.updatedAt;
  const record = apply(before, { ...change, payment: { ...payment, updatedAt } });
  checkChange(change, record);
  return {
    record,
    names: newNames(before, record),
    entry,
    events: change.events,
    movements: movementsOf(before, record),
    at: now,
    endsCheck,
    ...(redelivers && { redelivers: redelivers.eventId }),
    mayBeLost: isReservation(change) || (entry === null && endsCheck),
  };
}

/**
 * Whether a change only reserves the names of payment links. Such a change may be lost: a shopper
 * learns the address of a link from a later change, which opens the link, and no money arrives
 * before that. A sale is no reservation, since its card is charged at once.
 */
function isReservation(change: Change): boolean {
  const { attempts, ledger, reviews, operations, events } = change;
  return (
    ledger.length + reviews.length + operations.length + events.length === 0 &&
    attempts.length > 0 &&
    attempts.every(({ kind, state }) => kind === 'link' && state === 'creating')
  );
}

/**
 * Commits a change once. After an error it reads the record: a version as high as the change's own means
 * that some commit succeeded, a conflict. Where the merchant's own work threw, nothing was committed.
 */
async function commit<Tx>(
  context: FlowContext<Tx>,
  change: Change,
  save: Save,
): Promise<SaveResult> {
  const { store, inTransaction, hookTimeoutMs, logger, reportError } = context;
  const hook = watched(store, inTransaction);
  const { orderId, version } = change.payment;
  try {
    const write = () => store.save(save, hook, hookTimeoutMs);
    return await (save.entry === null ? write() : observe('commit', reportOf(change), write));
  } catch (cause) {
    const own = thrownByHook(change, cause);
    if (own !== null) {
      reportError?.(own.error, { where: 'inTransaction', orderId });
      throw hookFailed(own.error);
    }
    logger.warn({ orderId, version, error: nameOf(cause) }, 'a commit ended without an answer');
    const stored = await loadRecord(store, orderId);
    const isStored = (stored?.payment.version ?? 0) >= version;
    if (isStored && cause instanceof ConfigurationError)
      reportError?.(cause, { where: 'inTransaction', orderId });
    if (isStored) return { outcome: 'conflict', record: stored };
    if (cause instanceof ConfigurationError) throw cause;
    throw new PaymentsError('store_unavailable', 'The payment could not be recorded.', { cause });
  }
}

/** The report of a commit. It measures the time to confirm where the commit pays the order. */
function reportOf({ payment, attempts, events }: Change): StepReport<SaveResult> {
  const details = { orderId: payment.orderId, version: payment.version, state: payment.state };
  return {
    details,
    result: ({ outcome }) => {
      if (outcome !== 'saved') return { outcome };
      const isPaid = events.some(({ type }) => type === 'paid');
      const paidBy = attempts.find(({ state }) => state === 'succeeded');
      if (isPaid && paidBy) measure('timeToConfirm', payment.updatedAt - paidBy.createdAt);
      return { outcome: 'committed' };
    },
  };
}

type AnyHook = CommitHook<never>;

/** The wrapper of each hook, always the same at a store of one style: it may remember refusals. */
const watching = { sync: new WeakMap<AnyHook, AnyHook>(), async: new WeakMap<AnyHook, AnyHook>() };
const thrown = new WeakMap<PaymentEvent, { readonly error: unknown }>();

/**
 * Wraps the merchant's hook to note its own error, since a store may report only that the commit failed. A hook of a
 * synchronous store is called directly: to await its result would be work outside of the commit.
 */
export function watched<Tx>(
  { hookStyle }: Pick<Store<Tx>, 'hookStyle'>,
  hook: CommitHook<Tx> | undefined,
): CommitHook<Tx> | undefined {
  if (hook === undefined) return undefined;
  const known = watching[hookStyle].get(hook) as CommitHook<Tx> | undefined;
  if (known !== undefined) return known;
  const run: CommitHook<Tx> = (tx, event) => {
    // The store may call the hook again, in another transaction, after a throw.
    thrown.delete(event);
    const noted = (error: unknown): never => {
      thrown.set(event, { error });
      throw error;
    };
    try {
      // What the hook changes of it is its own, also where the commit is tried again.
      const result = hook(tx, structuredClone(event));
      return hookStyle === 'sync' ? result : Promise.resolve(result).catch(noted);
    } catch (error) {
      return noted(error);
    }
  };
  watching[hookStyle].set(hook, run);
  return run;
}

/** What the merchant's own work threw, where a change's commit failed by it. */
export function thrownByHook(
  { events }: Pick<Save, 'events'>,
  failure: unknown,
): { readonly error: unknown } | null {
  if (failure instanceof ConnectionLostError) return null;
  if (failure instanceof HookTimeoutError) return { error: failure };
  return events.map((event) => thrown.get(event)).find((one) => one !== undefined) ?? null;
}

/** The error where the merchant's own code threw; its message reaches shoppers and quotes nothing. */
export const hookFailed = (cause: unknown): PaymentsError =>
  new PaymentsError(
    'hook_failed',
    'The shop could not do its part, so the payment is not recorded yet. This is tried again.',
    { cause },
  );
