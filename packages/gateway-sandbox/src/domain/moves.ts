import { isSameCard, declineReason, codeOf, type Outcome } from './outcome.ts';
import { addTimer } from './clock.ts';
import { eventOf, happeningOf } from './events.ts';
import { announce } from './outbox.ts';
import { ofEnvironment, savedCardsOf, findTransaction } from './tenant.ts';
import type { ArmableOperation, ArmedOutcome, Moment, Tenant, TransactionName } from './tenant.ts';
import {
  answerPayment,
  endEntry,
  followEntries,
  balanceOf,
  hasDone,
  isApproved,
  newEntry,
} from './transaction.ts';
import type { LedgerEntry, Transaction } from './transaction.ts';

/**
 * Records that a ledger entry is new or has ended: all that follows from it is set, told and
 * reported here, so that no webhook reports money that the ledger does not hold.
 */
export function record(moment: Moment, transaction: Transaction, entry: LedgerEntry): void {
  const { tenant, now, effects } = moment;
  followEntries(transaction);
  if (transaction.status === 'SUCCESS') transaction.session.paidBy = transaction;
  if (entry === transaction.entries[0] && entry.result === 'done') {
    rememberCard(tenant, transaction);
  }
  effects.push({ at: now, ...happeningOf(transaction, entry) });
  const event = eventOf(transaction, entry);
  if (event === null) return;
  effects.push({ at: now, kind: 'webhook-event', id: event.id, event });
  announce(tenant, event, now);
}

/** Records the issuer's answer to a payment. A payment that has an answer keeps it. */
export function settle(moment: Moment, transaction: Transaction, responseCode: string): void {
  const entry = answerPayment(transaction, responseCode, moment.now);
  if (entry !== null) record(moment, transaction, entry);
}

/** Saves a card that was typed on a page, once. The transaction's id needs no chance of its own. */
function rememberCard(tenant: Tenant, { id, session, method, card }: Transaction): void {
  const { environment, customerKey } = session;
  if (method !== 'card' || customerKey === null) return;
  const saved = savedCardsOf(tenant, session);
  const known = saved.find((one) => isSameCard(one.card, card));
  if (known !== undefined) known.card = card;
  else tenant.savedCards.set(ofEnvironment(environment, customerKey), [...saved, { id, card }]);
}

const payments: ReadonlySet<ArmableOperation> = new Set([
  'createPaymentLink',
  'sale',
  'chargeRecurring',
]);

export function armNext({ tenant }: Moment, { outcome, operation, merchantOrderId }: ArmedOutcome) {
  const armed = { outcome, operation, merchantOrderId };
  tenant.armed.push(armed);
  return { armed };
}

/** Decides every payment that no armed outcome decides; null lets them go their way again. */
export function setProfileOutcome(
  { tenant }: Moment,
  { outcome }: { readonly outcome: Outcome | null },
) {
  tenant.profileOutcome = outcome;
  return { kind: 'set' } as const;
}

/** The call uses up the oldest armed outcome that fits it; the outcome of a profile stays. */
export function takeArmed(
  tenant: Tenant,
  operation: ArmableOperation,
  merchantOrderId: string,
): Outcome | null {
  const index = tenant.armed.findIndex(
    (one) =>
      (one.merchantOrderId === null || one.merchantOrderId === merchantOrderId) &&
      (one.operation === null ? payments.has(operation) : one.operation === operation),
  );
  const [armed] = index === -1 ? [] : tenant.armed.splice(index, 1);
  return armed?.outcome ?? (payments.has(operation) ? tenant.profileOutcome : null);
}

/** How long an accepted refund takes to settle (X6); assumed, the specification says only "may". */
const refundSettlesMs = 2000;

type MoneyMove = TransactionName & { readonly amountMinor: number };

const captureFailure = 'Capture was declined by the issuer';
const refundFailure = 'Refund was declined by the issuer';

/** §4.5, N24: one capture for each authorization, in full or in part. */
export function capture(moment: Moment, command: MoneyMove) {
  const { tenant } = moment;
  const found = findTransaction(tenant, command);
  if ('trap' in found) return { kind: 'unknown-transaction', ...found } as const;
  const { amountMinor } = command;
  const refusal = refusalOfAuthorization(found);
  if (refusal !== null) return { kind: refusal } as const;
  if (amountMinor > found.entries[0].amountMinor) return { kind: 'above-authorized' } as const;
  const armed = takeArmed(tenant, 'capture', found.session.merchantOrderId);
  const magic = found.sideEffects.captureFails ? captureFailure : null;
  const reason = armed === null ? magic : declineReason(codeOf(armed));
  const entry = moveAtOnce(moment, found, { kind: 'capture', amountMinor, reason });
  return reason === null
    ? ({ kind: 'accepted', transaction: found, entry } as const)
    : ({ kind: 'declined', reason } as const);
}

/** §4.6: gives an authorization up before its capture, whole and once (N25). */
export function voidAuthorization(moment: Moment, command: TransactionName) {
  const found = findTransaction(moment.tenant, command);
  if ('trap' in found) return { kind: 'unknown-transaction', ...found } as const;
  const { amountMinor, status } = found;
  const refusal = refusalOfAuthorization(found);
  if (refusal !== null) {
    // The gateway itself captured a standard sale (§4.4).
    const isCaptured = refusal === 'no-authorization' && status === 'SUCCESS';
    return { kind: isCaptured ? 'already-captured' : refusal } as const;
  }
  const entry = moveAtOnce(moment, found, { kind: 'void', amountMinor, reason: null });
  return { kind: 'accepted', transaction: found, entry } as const;
}

/** A movement that ends at the instant at which it begins. */
function moveAtOnce(
  moment: Moment,
  transaction: Transaction,
  { reason, ...move }: Pick<LedgerEntry, 'kind' | 'amountMinor' | 'reason'>,
): LedgerEntry {
  const entry = newEntry({ id: moment.random.uuid(), createdAt: moment.now, ...move });
  endEntry(entry, reason, moment.now);
  transaction.entries.push(entry);
  record(moment, transaction, entry);
  return entry;
}

/** Null when the transaction is an authorization that is neither captured nor voided. */
export function refusalOfAuthorization(transaction: Transaction) {
  const { entries } = transaction;
  if (entries[0].kind !== 'authorization') return 'no-authorization';
  if (hasDone(entries, 'capture')) return 'already-captured';
  if (hasDone(entries, 'void')) return 'voided';
  return isApproved(transaction) ? null : 'not-authorized';
}

/** §4.3: accepts a refund. A pending refund counts against the balance; a failed one frees it. */
export function refund(moment: Moment, command: MoneyMove) {
  const { tenant, now, random } = moment;
  const transaction = findTransaction(tenant, command);
  if ('trap' in transaction) return { kind: 'unknown-transaction', ...transaction } as const;
  const { amountMinor } = command;
  const balance = balanceOf(transaction.entries);
  if (transaction.status !== 'SUCCESS') {
    return { kind: 'nothing-taken', transaction, balance } as const;
  }
  if (amountMinor > balance.refundableMinor) {
    return { kind: 'above-balance', transaction, balance } as const;
  }
  const armed = takeArmed(tenant, 'refund', transaction.session.merchantOrderId);
  const planned = armed === null ? magicReason(transaction) : declineReason(codeOf(armed));
  const begun = { id: random.uuid(), kind: 'refund', amountMinor, createdAt: now } as const;
  const entry = newEntry(begun, planned);
  transaction.entries.push(entry);
  tenant.refunded.set(entry.id, transaction);
  record(moment, transaction, entry);
  const at = now + refundSettlesMs;
  addTimer(tenant.timers, { at, kind: 'refund-settled', id: entry.id, round: 0 });
  return { kind: 'accepted', transaction, entry } as const;
}

/** 9908.01: the first refund fails, so that the second shows that the balance is free again. */
function magicReason({ sideEffects, entries }: Transaction): string | null {
  const isFirst = !entries.some(({ kind }) => kind === 'refund');
  return sideEffects.refundFails && isFirst ? refundFailure : null;
}

/** Ends an accepted refund as it was planned, or as `succeeds` says. One that has ended stays so. */
export function endRefund(
  moment: Moment,
  { refundId, succeeds }: { readonly refundId: string; readonly succeeds?: boolean },
) {
  const transaction = moment.tenant.refunded.get(refundId);
  const entry = transaction?.entries.find(({ id }) => id === refundId);
  if (transaction === undefined || entry === undefined) return { kind: 'unknown-refund' } as const;
  if (entry.result !== 'pending') return { kind: 'already-ended', entry } as const;
  const wanted = succeeds === true ? null : refundFailure;
  endEntry(entry, succeeds === undefined ? entry.plannedReason : wanted, moment.now);
  record(moment, transaction, entry);
  return { kind: 'ended', transaction } as const;
}
