import { decimalOf, type Money } from '../money.ts';
import type { AttemptKind } from './attempt.ts';
import type { LedgerKind, OperationState, ReviewReason } from './record.ts';
import { describeInArabic } from './timeline-ar.ts';
import type { AttemptStep, OperationFact, TimelineFact } from './timeline.ts';

/** A language of {@link describeEntry}. */
export type TimelineLanguage = 'en' | 'ar';

/**
 * Describes an entry of an order's timeline in a sentence for an operator. The rows of `evidence` are
 * the gateway's own words; show them beside the sentence.
 *
 * @example
 * const explanation = await payments.explain('1001');
 * for (const entry of explanation?.timeline ?? []) {
 *   console.log(entry.at, describeEntry(entry, 'ar'));
 * }
 */
export function describeEntry(entry: TimelineFact, language: TimelineLanguage = 'en'): string {
  return language === 'ar' ? describeInArabic(entry) : describeInEnglish(entry);
}

function describeInEnglish(fact: TimelineFact): string {
  switch (fact.kind) {
    case 'attempt': {
      const requested = `, ${means[fact.means]} of ${amountOf(fact.amount)},`;
      return `Attempt ${fact.attempt}${fact.step === 'requested' ? requested : ''} ${steps[fact.step]}.`;
    }
    case 'evidence': {
      const { length } = fact.rows;
      return `The gateway reported ${length} transaction${length === 1 ? '' : 's'} of attempt ${fact.attempt}.`;
    }
    case 'verdict':
      return `Transaction ${fact.transactionId} of attempt ${fact.attempt} ${verdicts[fact.verdict]}.`;
    case 'operation': {
      const { operation, operationId, amount, reason, by } = fact;
      const why = reason === null ? '' : ` (${reason}${decidedBy(by)})`;
      const what = operation === 'recurring' ? 'recurring charge' : operation;
      return `The ${what} ${operationId} of ${amountOf(amount)} ${stateOf(fact)}${why}.`;
    }
    case 'review': {
      const { reason, about, resolution, by } = fact;
      return resolution === null
        ? `A person must review ${about}: ${reviews[reason]}.`
        : `The review of ${about} is over (${resolution}${decidedBy(by)}): ${reviews[reason]}.`;
    }
    case 'payment':
      return `The payment of ${amountOf(fact.amount)} is ${fact.state.replaceAll('_', ' ')}.`;
    case 'refunded':
      return `The refunded total is ${amountOf(fact.total)}.`;
    case 'cancelled':
      return `The merchant cancelled the order${askedBy(fact.by)}.`;
    case 'redelivered':
      return `The event ${fact.eventId} is delivered again${askedBy(fact.by)}.`;
  }
}

/** The people are named once, where the operation begins. */
function stateOf({ state, wasSent, requestedBy, approvedBy }: OperationFact): string {
  const asked = askedBy(requestedBy);
  const approved = approvedBy === null ? '' : ` and approved by ${approvedBy}`;
  if (state === 'sending') return `${states[state]}${asked}${approved}`;
  if (state === 'failed' && !wasSent) return 'was withdrawn before it was sent';
  return state === 'proposed' ? `${states[state]}${asked}` : states[state];
}

const askedBy = (by: string | null | undefined): string =>
  typeof by === 'string' ? `, asked for by ${by}` : '';

const decidedBy = (by: string | null): string => (by === null ? '' : `, by ${by}`);

const amountOf = ({ minorUnits, currency }: Money): string =>
  `${decimalOf(minorUnits)} ${currency}`;

const means: Readonly<Record<AttemptKind, string>> = {
  link: 'a payment link',
  sale: 'a sale',
  authorization: 'an authorization',
  charge: 'a recurring charge',
};

const steps: Readonly<Record<AttemptStep, string>> = {
  requested: 'was requested',
  open: 'is open',
  succeeded: 'succeeded',
  closed: 'is closed',
  lost: 'is lost: no answer of the gateway arrived',
  withdrawn: 'is not offered any more: the gateway takes no payment on its page',
  unwatched: 'is not checked any more',
};

const verdicts: Readonly<Record<LedgerKind, string>> = {
  payment: 'pays the order',
  late: 'came late',
  duplicate: 'is a duplicate charge',
  discrepancy: 'does not match the order',
  charge: 'is a recurring charge',
};

const reviews: Readonly<Record<ReviewReason, string>> = {
  amount_mismatch: 'the gateway took an amount other than the order’s',
  currency_mismatch: 'the gateway took another currency',
  duplicate_charge: 'the customer paid twice',
  incomplete_answer: 'the gateway left transactions out, and one of them may be a payment',
  no_evidence: 'the gateway does not say whether the link was paid',
  order_changed: 'the order’s price changed after its payment link was made',
  order_mismatch: 'the gateway names another order',
  order_missing:
    'money came for an order that the shop did not find; loadOrder must answer the order itself when no shopper asks',
  paid_in_review: 'money came while the payment was in review',
  paid_late: 'money came after the order was cancelled or had expired',
  payment_contradiction: 'the gateway contradicts its former confirmation of the payment',
  refund_contradiction: 'the refunded amount contradicts the state of the refund',
  refunded_before_confirmed: 'the money was refunded before the payment was confirmed',
  superseded_amount: 'a link for a former price was paid',
  transaction_of_another_order: 'the transaction belongs to another order',
  unattributed_payment: 'a webhook alone says that the payment is for this order',
  unknown_outcome: 'the gateway’s answer was lost, and the operation may have happened',
  unreadable_answer: 'the gateway’s answer cannot be understood, and may mean a payment',
};

const states: Readonly<Record<OperationState, string>> = {
  proposed: 'waits for the approval of another person',
  sending: 'is being sent',
  pending: 'was accepted, and is not confirmed yet',
  succeeded: 'succeeded',
  failed: 'failed',
  unknown: 'has an unknown outcome',
};
