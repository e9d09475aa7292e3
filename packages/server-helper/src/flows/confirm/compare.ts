import { transactionKey } from '../../ids.ts';
import { allows, isKnown, isSilence, type Answer } from '../../payments/answer.ts';
import type { Attempt } from '../../payments/attempt.ts';
import type { EvidenceRow } from '../../payments/evidence.ts';
import { readAnswer } from '../../payments/hinted-rows.ts';
import type { Verdict } from '../../payments/judge.ts';
import type { PaymentState } from '../../payments/payment.ts';
import type { PaymentRecord } from '../../payments/payment-record.ts';
import { decideByEvidence } from '../../payments/status-decision.ts';
import { askAttempt, type AskingContext } from './ask.ts';

/**
 * How the gateway contradicts money that we recorded from its own answer: it does not know the
 * session · it does not name the transaction · it names the transaction and no longer confirms it.
 */
export type Contradiction = 'session_unknown' | 'transaction_missing' | 'transaction_unconfirmed';

/** What the gateway says about one attempt, compared with our record of it. */
export type Comparison =
  | { readonly outcome: 'same' }
  /** Recording the gateway's word would change the payment, from a state to a state. */
  | { readonly outcome: 'differs'; readonly from: PaymentState; readonly to: PaymentState }
  /** We recorded money that the gateway does not know. Its answer would change nothing. */
  | {
      readonly outcome: 'contradicts';
      readonly from: PaymentState;
      readonly discrepancy: Contradiction;
    }
  /** Nothing is known: the gateway gave no answer, or one that cannot be used. */
  | {
      readonly outcome: 'silent' | 'unreadable';
      /** Of a {@link GatewayError}, or `partial_answer`. */
      readonly code: string;
    };

/** What is wrong with an answer about one session; the gateway itself works. */
const answered: ReadonlySet<string> = new Set([
  'partial_answer',
  'unreadable_answer',
  'answer_too_large',
  'invalid_request',
  'rejected',
]);

/** Asks the gateway about one attempt and compares, without recording anything. */
export async function compareAttempt(
  context: AskingContext,
  record: PaymentRecord,
  attempt: Attempt,
  now: number,
): Promise<Comparison> {
  const heard = await askAttempt(context, record, attempt);
  const { code } = heard.answer;
  const reading = { ...context.readings, now, boundElsewhere: new Map() };
  const { answer } = readAnswer(record, attempt, heard, reading);
  if (!isKnown(answer) && !isSilence(answer)) return compareUnknown(record, attempt);
  const found: Comparison = isSilence(answer)
    ? { outcome: 'same' }
    : compareRows(record, attempt, answer, now);
  if (code === undefined || found.outcome !== 'same') return found;
  return { outcome: answered.has(code) ? 'unreadable' : 'silent', code };
}

function compareRows(
  record: PaymentRecord,
  attempt: Attempt,
  answer: Answer,
  now: number,
): Comparison {
  const { state } = record.payment;
  // An answer that lacks rows says nothing about the payment; the running shop reports it.
  const shown = { ...answer, missingRows: 0 };
  const { verdict, change } = decideByEvidence(record, attempt, shown, now);
  const to = change?.payment.state ?? state;
  const money =
    allows[answer.kind].isFull && to === state ? moneyOf(record, attempt) : new Set<string>();
  const discrepancy = contradictionOf(money, answer.rows, verdict);
  if (discrepancy !== undefined) return { outcome: 'contradicts', from: state, discrepancy };
  return change === null ? { outcome: 'same' } : { outcome: 'differs', from: state, to };
}

/**
 * A session that the gateway does not know has no money. That agrees with a record without money.
 */
function compareUnknown(record: PaymentRecord, attempt: Attempt): Comparison {
  const { state } = record.payment;
  return moneyOf(record, attempt).size === 0
    ? { outcome: 'same' }
    : { outcome: 'contradicts', from: state, discrepancy: 'session_unknown' };
}

/** The keys of the transactions whose money we recorded for an attempt; of a voided one there is none. */
function moneyOf({ payment, ledger }: PaymentRecord, { number }: Attempt): ReadonlySet<string> {
  if (payment.state === 'voided') return new Set();
  const own = ledger.filter(({ attemptNumber }) => attemptNumber === number);
  return new Set(own.map(({ transactionId }) => transactionKey(transactionId)));
}

function contradictionOf(
  money: ReadonlySet<string>,
  rows: readonly EvidenceRow[],
  verdict: Verdict,
): Contradiction | undefined {
  const named = new Set(rows.map(({ transactionId }) => transactionKey(transactionId)));
  if ([...money].some((id) => !named.has(id))) return 'transaction_missing';
  return money.size > 0 && verdict.kind === 'nothing' ? 'transaction_unconfirmed' : undefined;
}
