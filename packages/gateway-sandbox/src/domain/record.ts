import { isSameCard } from './cards.ts';
import { eventOf, happeningOf } from './events.ts';
import type { Outcome } from './outcome.ts';
import { announce } from './outbox.ts';
import { ofEnvironment, savedCardsOf } from './tenant.ts';
import type { ArmableOperation, ArmedOutcome, Moment, SavedCard, Tenant } from './tenant.ts';
import { answerPayment, endEntry, followEntries } from './transaction.ts';
import type { LedgerEntry, Session, Transaction } from './transaction.ts';

/** A transaction with its session. */
export interface Payment {
  readonly session: Session;
  readonly transaction: Transaction;
}

/**
 * Records that a ledger entry is new or has ended: all that follows from it is set, told and
 * reported here, so that no webhook reports money that the ledger does not hold.
 */
export function record(
  tenant: Tenant,
  { session, transaction }: Payment,
  entry: LedgerEntry,
  { now, effects }: Pick<Moment, 'now' | 'effects'>,
): void {
  followEntries(transaction);
  if (transaction.status === 'SUCCESS') session.paidBy = transaction.id;
  if (entry === transaction.entries[0] && entry.result === 'done') {
    rememberCard(tenant, session, transaction);
  }
  effects.push({ at: now, ...happeningOf(session, transaction, entry) });
  const event = eventOf(session, transaction, entry);
  if (event === null) return;
  effects.push({ at: now, kind: 'webhook-event', id: event.id, event });
  announce(tenant, event, now);
}

/** Records the issuer's answer to a payment. A payment that has an answer keeps it. */
export function settle(
  tenant: Tenant,
  payment: Payment,
  responseCode: string,
  moment: Pick<Moment, 'now' | 'effects'>,
): void {
  const entry = answerPayment(payment.transaction, responseCode, moment.now);
  if (entry !== null) record(tenant, payment, entry, moment);
}

/** Records the end of a refund. One that has ended stays as it is. */
export function settleRefund(
  tenant: Tenant,
  payment: Payment,
  entry: LedgerEntry,
  { reason, ...moment }: Pick<Moment, 'now' | 'effects'> & { readonly reason: string | null },
): void {
  if (entry.result !== 'pending') return;
  endEntry(entry, reason, moment.now);
  record(tenant, payment, entry, moment);
}

/**
 * A card that was typed on a page and approved is saved for the customer's next payment, once. Its
 * id is the transaction's, so that it needs no chance of its own.
 */
function rememberCard(tenant: Tenant, session: Session, transaction: Transaction): void {
  const { environment, customerKey } = session;
  const { card } = transaction;
  if (transaction.method !== 'card' || customerKey === null) return;
  const known = savedCardsOf(tenant, session).find(({ card: saved }) => isSameCard(saved, card));
  const saved: SavedCard = { id: known?.id ?? transaction.id, environment, customerKey, card };
  tenant.savedCards.set(saved.id, saved);
  if (known !== undefined) return;
  const key = ofEnvironment(environment, customerKey);
  tenant.savedByCustomer.set(key, [...(tenant.savedByCustomer.get(key) ?? []), saved.id]);
}

const payments: ReadonlySet<ArmableOperation> = new Set([
  'createPaymentLink',
  'sale',
  'chargeRecurring',
]);

export function armNext(tenant: Tenant, { outcome, operation, merchantOrderId }: ArmedOutcome) {
  const armed = { outcome, operation, merchantOrderId };
  tenant.armed.push(armed);
  return { armed };
}

/** Decides every payment that no armed outcome decides; null lets them go their way again. */
export function setProfileOutcome(
  tenant: Tenant,
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
