import { balanceOf, hasDone, refundStatusOf } from '../../domain/ledger.ts';
import { sessionState } from '../../domain/session.ts';
import type { Session } from '../../domain/session.ts';
import { isApproved, isOpen } from '../../domain/transaction.ts';
import type { Transaction } from '../../domain/transaction.ts';
import type { PaymentState } from './state-labels.ts';

/** Which ways a payment can take, and where it is. */
export interface Standing {
  readonly diagram: 'checkout' | 'authorization';
  readonly state: PaymentState;
}

/** Where a payment stands, from its session and its attempts, oldest first. */
export function standingOf(
  session: Session,
  attempts: readonly Transaction[],
  now: number,
): Standing {
  const last = attempts.find(({ id }) => id === session.paidBy) ?? attempts.at(-1);
  if (last?.entries[0]?.kind === 'authorization') {
    return { diagram: 'authorization', state: stateOfHold(last) };
  }
  return { diagram: 'checkout', state: stateOfPurchase(session, last, now) };
}

function stateOfHold(transaction: Transaction): PaymentState {
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
