import { balanceOf, hasDone, refundStatusOf } from '../../domain/money/ledger.ts';
import { sessionState } from '../../domain/session/session.ts';
import type { Session } from '../../domain/session/session.ts';
import { isApproved, isOpen } from '../../domain/transaction/transaction.ts';
import type { Transaction } from '../../domain/transaction/transaction.ts';
import type { inspectorTexts } from './texts.ts';

export type PaymentState = keyof (typeof inspectorTexts)['en']['paymentStates'];

/** The state of a payment, from its session and its attempts, oldest first, and its diagram. */
export function paymentStateOf(
  session: Session,
  attempts: readonly Transaction[],
  now: number,
): { readonly diagram: 'checkout' | 'authorization'; readonly state: PaymentState } {
  const last = attempts.find(({ id }) => id === session.paidBy) ?? attempts.at(-1);
  if (last?.entries[0]?.kind === 'authorization') {
    return { diagram: 'authorization', state: stateOfAuthorization(last) };
  }
  return { diagram: 'checkout', state: stateOfPurchase(session, last, now) };
}

function stateOfAuthorization(transaction: Transaction): PaymentState {
  if (isOpen(transaction)) return 'challenge';
  if (!isApproved(transaction)) return 'declined';
  if (hasDone(transaction.entries, 'void')) return 'voided';
  return hasDone(transaction.entries, 'capture')
    ? afterRefunds(transaction, 'captured')
    : 'authorized';
}

function stateOfPurchase(
  session: Session,
  last: Transaction | undefined,
  now: number,
): PaymentState {
  if (last?.status === 'SUCCESS') return afterRefunds(last, 'paid');
  if (last !== undefined && isOpen(last)) return 'challenge';
  if (sessionState(session, now) === 'EXPIRED') return 'expired';
  return last === undefined ? 'open' : 'declined';
}

function afterRefunds({ entries }: Transaction, none: 'paid' | 'captured'): PaymentState {
  const states = { NONE: none, PARTIAL: 'partly-refunded', FULL: 'refunded' } as const;
  return states[refundStatusOf(balanceOf(entries))];
}
