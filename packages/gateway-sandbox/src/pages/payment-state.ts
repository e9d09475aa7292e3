import {
  balanceOf,
  hasDone,
  isApproved,
  isOpen,
  refundStatusOf,
  sessionState,
} from '../domain/transaction.ts';
import type { Session, Transaction } from '../domain/transaction.ts';
import { toneOf } from './furniture.ts';
import { byLanguage, html } from './html.ts';
import type { Html, Language } from './html.ts';

/** The states of payments and of transactions, in the words of the trade. */
export const stateTexts = byLanguage({
  open: ['Open', 'بانتظار الدفع'],
  challenge: ['3-D Secure', 'التحقق الآمن'],
  paid: ['Paid', 'مدفوعة'],
  authorized: ['Authorized', 'مبلغ محجوز'],
  captured: ['Captured', 'تم التحصيل'],
  voided: ['Voided', 'فُك الحجز'],
  'partly-refunded': ['Partly refunded', 'مستردة جزئيًا'],
  refunded: ['Refunded', 'مستردة بالكامل'],
  declined: ['Declined', 'مرفوضة'],
  expired: ['Expired', 'منتهية الصلاحية'],
  pending: ['Pending', 'معلّقة'],
});

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
type TransactionState = (typeof transactionStates)[number];

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

/**
 * The possible states of a payment (§3), in the rows of their drawing: on the hosted page, where a
 * decline leaves the payment open, and of an authorization, which is captured or voided later.
 */
const diagrams = {
  checkout: ['open', 'challenge', 'paid', 'partly-refunded', 'refunded', 'expired', 'declined'],
  authorization: [
    'challenge',
    'authorized',
    'captured',
    'partly-refunded',
    'refunded',
    'declined',
    'voided',
  ],
} as const;

type PaymentState = (typeof diagrams)[keyof typeof diagrams][number];

/** The state of a payment, from its session and its attempts, oldest first, and its diagram. */
export function paymentStateOf(
  session: Session,
  attempts: readonly Transaction[],
  now: number,
): { readonly diagram: keyof typeof diagrams; readonly state: PaymentState } {
  const last = attempts.find(({ id }) => id === session.paidBy) ?? attempts.at(-1);
  const isAuthorization = last?.entries[0]?.kind === 'authorization';
  const diagram = isAuthorization ? 'authorization' : 'checkout';
  const state = last === undefined ? 'open' : transactionStateOf(last);
  if (state === 'pending') return { diagram, state: 'challenge' };
  const isUnpaid = state === 'open' || (state === 'declined' && !isAuthorization);
  const hasExpired = isUnpaid && sessionState(session, now) === 'EXPIRED';
  return { diagram, state: hasExpired ? 'expired' : state };
}

const currentState = { en: 'Current state', ar: 'الحالة الحالية' } as const;

/** The possible states of a payment as a drawing, with its current one lit. The style draws the steps. */
export function paymentDiagram(
  session: Session,
  attempts: readonly Transaction[],
  now: number,
  language: Language,
): Html {
  const { diagram, state: current } = paymentStateOf(session, attempts, now);
  const texts = stateTexts[language];
  const label = currentState[language];
  const node = (state: PaymentState) =>
    html`<span class="state ${state === current && `state-lit state-${state} ${toneOf(state)}`}"
      >${texts[state]}</span
    >`;
  return html`<div class="scroller" tabindex="0" role="group" aria-label="${label}">
    <div class="states states-${diagram}" role="img" aria-label="${label}: ${texts[current]}">
      ${diagrams[diagram].map(node)}
    </div>
  </div>`;
}
