import {
  balanceOf,
  hasDone,
  isApproved,
  isOpen,
  refundStatusOf,
  sessionState,
} from '../../domain/transaction.ts';
import type { Session, Transaction } from '../../domain/transaction.ts';
import type { inspectorTexts } from './texts.ts';

export type PaymentState = keyof (typeof inspectorTexts)['en']['paymentStates'];

/** The states of one transaction, in the order in which a list offers them. */
export const transactionStates = [
  'paid',
  'authorized',
  'captured',
  'voided',
  'partly-refunded',
  'refunded',
  'declined',
  'pending',
] as const;
export type TransactionState = (typeof transactionStates)[number];

/** The state of a payment, from its session and its attempts, oldest first, and its diagram. */
export function paymentStateOf(
  session: Session,
  attempts: readonly Transaction[],
  now: number,
): { readonly diagram: 'checkout' | 'authorization'; readonly state: PaymentState } {
  const last = attempts.find(({ id }) => id === session.paidBy) ?? attempts.at(-1);
  const isAuthorization = last?.entries[0]?.kind === 'authorization';
  const diagram = isAuthorization ? 'authorization' : 'checkout';
  const state = last === undefined ? 'open' : transactionStateOf(last);
  if (state === 'pending') return { diagram, state: 'challenge' };
  const isUnpaid = state === 'open' || (state === 'declined' && !isAuthorization);
  const hasExpired = isUnpaid && sessionState(session, now) === 'EXPIRED';
  return { diagram, state: hasExpired ? 'expired' : state };
}

/** The state of one transaction, in the words of the payment trade. */
export function transactionStateOf(transaction: Transaction): TransactionState {
  const { entries } = transaction;
  if (isOpen(transaction)) return 'pending';
  if (!isApproved(transaction)) return 'declined';
  if (hasDone(entries, 'void')) return 'voided';
  const isAuthorization = entries[0]?.kind === 'authorization';
  if (isAuthorization && !hasDone(entries, 'capture')) return 'authorized';
  const none = isAuthorization ? 'captured' : 'paid';
  const states = { NONE: none, PARTIAL: 'partly-refunded', FULL: 'refunded' } as const;
  return states[refundStatusOf(balanceOf(entries))];
}
