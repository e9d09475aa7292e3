import type { GatewayClient } from '../../gateway/gateway-client.ts';
import { GatewayError } from '../../gateway/gateway-error.ts';
import { keysOf, madeBy, refusedWith } from '../../gateway/answer.ts';
import { lackOf, type StatusInput } from '../../gateway/status.ts';
import type { Profile } from '../../gateway/profile.ts';
import { type TransactionId, transactionKey } from '../../ids.ts';
import {
  allows,
  type Answer,
  answerOf,
  type EvidenceRow,
  isUndecided,
  isUnknown,
  isSilence,
  showsNothing,
} from '../../payments/answer.ts';
import type { Attempt } from '../../payments/attempt.ts';
import { type Heard, type HintedAnswer, readAnswer } from '../../payments/reading.ts';
import type { PaymentRecord, PaymentState } from '../../payments/record.ts';
import {
  hintsToAsk,
  type HintTurn,
  type TransactionHint,
} from '../../payments/transaction-hint.ts';
import { type Counters, remembered } from './unknown-links.ts';
import type { Verdict } from '../../payments/judge.ts';
import { decideByEvidence } from '../../payments/transition.ts';
import { takenOf } from '../../payments/document.ts';

export type AskingGateway = Pick<GatewayClient, 'retrieveStatus'>;

/** How the gateway's status call answers. */
export type StatusReadings = Pick<Profile['status'], 'asksFor' | 'notFound'> &
  Partial<Profile['session']> & { readonly areHintsSigned?: boolean };

export const sessionReadings: StatusReadings = { asksFor: 'session', notFound: 'unknown' };

/** What a question about an attempt needs. */
export interface AskingContext {
  readonly gateway: AskingGateway;
  readonly readings?: StatusReadings | undefined;
}

/**
 * Asks the gateway about an attempt: about its session or, of a sale, about its transaction. A gateway that answers
 * transactions only is asked about those that the attempt is known to have, and that hints named.
 */
export async function askAttempt(
  { gateway: client, readings = sessionReadings }: AskingContext,
  record: PaymentRecord,
  attempt: Attempt,
): Promise<Heard> {
  const gateway: AskingGateway = {
    retrieveStatus: (question) => client.retrieveStatus(question, madeBy(attempt.keys)),
  };
  const { asksFor } = readings;
  const { sessionId, transactionId } = attempt;
  if (sessionId === null) {
    return { answer: await ask(gateway, { transactionId: transactionId ?? '' }) };
  }
  let session: Answer | undefined;
  if (asksFor !== 'transaction') {
    session = await ask(gateway, { sessionId });
    // A gateway that knows transactions only may have an empty answer for any other id, or an error.
    const isNothing = showsNothing(session) || isSilence(session);
    if (asksFor === 'session') return { answer: session };
    if (!isNothing) return askBeside(gateway, record, session);
  }
  const own = record.ledger
    .filter(({ attemptNumber, kind }) => attemptNumber === attempt.number && kind !== 'charge')
    .map((row) => row.transactionId);
  return askTransactions(gateway, own, hintsToAsk(record.hints ?? [], idsOf(record)), session);
}

/** Asks about hinted transactions that a session does not show. */
async function askBeside(
  gateway: AskingGateway,
  record: PaymentRecord,
  session: Answer,
): Promise<Heard> {
  // One that may still change is asked about: the session may be gone by then.
  const settled = session.rows.filter((row) => !isUndecided(row));
  const known = [
    ...idsOf(record),
    ...record.attempts.map(({ sessionId }) => sessionId ?? ''),
    ...settled.map(({ transactionId }) => transactionId),
  ];
  const turn = hintsToAsk(record.hints ?? [], known);
  const { hinted } = await askTransactions(gateway, [], turn, session);
  return { answer: session, hinted };
}

/** Ids that need no question of their own: those of sales, and of money that is bound. */
const idsOf = ({ attempts, ledger }: PaymentRecord): readonly string[] => [
  ...attempts.map(({ transactionId }) => transactionId ?? ''),
  ...ledger.map(({ transactionId }) => transactionId),
];

/** Asks the gateway one question. */
export async function ask(gateway: AskingGateway, question: StatusInput): Promise<Answer> {
  try {
    const status = await gateway.retrieveStatus(question);
    const { transactions: rows } = status;
    const keys = keysOf(status);
    const missingRows = lackOf(status)?.missing;
    return missingRows === undefined
      ? answerOf('whole', { rows, keys })
      : answerOf('part', { rows, keys, missingRows, code: 'partial_answer' });
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { code, httpStatus } = error;
    const why = { code, httpStatus, keys: keysOf(error) };
    // An unreadable row does not hide another row that says paid.
    const part = lackOf(error);
    if (part !== undefined) {
      const { transactions: rows, unreadable, missing: missingRows } = part;
      const unreadableIds = unreadable.filter((id) => id !== null);
      const unreadableMoney = unreadable.length - unreadableIds.length;
      return answerOf('part', { rows, missingRows, unreadableMoney, unreadableIds, ...why });
    }
    const refusal = refusedWith(error);
    if (refusal === undefined) return answerOf('silent', why);
    return answerOf(refusal === 404 ? 'unknown' : 'refused', why);
  }
}

/** Transactions of one attempt that one status check asks about; the newest, should there be more. */
const MOST_BOUND = 8;

interface HeardOf {
  readonly id: TransactionId;
  /** Absent for a transaction that is bound to the attempt. */
  readonly hint?: TransactionHint;
  readonly answer: Answer;
}

/**
 * Asks the gateway about transactions, all at once, and puts the answers together: one answer about an
 * attempt, full only if each question was answered in full.
 *
 * @param bound - The transactions that the attempt has in the ledger.
 */
async function askTransactions(
  gateway: AskingGateway,
  bound: readonly TransactionId[],
  turn: HintTurn,
  session: Answer | undefined,
): Promise<Heard> {
  const own = bound.slice(-MOST_BOUND);
  const askFor = (id: TransactionId) => ask(gateway, { transactionId: id });
  const heard = await Promise.all([
    ...own.map(async (id): Promise<HeardOf> => ({ id, answer: await askFor(id) })),
    ...turn.asked.map(async (hint): Promise<HeardOf> => {
      const { transactionId: id } = hint;
      const answer = await askFor(id);
      return { id, hint, answer: hint.source === 'signed' ? answer : refusedAsNone(answer) };
    }),
  ]);
  const shown = rowsOnce(heard);
  const hinted: HintedAnswer = {
    rows: shown.flatMap(({ hint, ...one }) => (hint === undefined ? [] : { ...one, hint })),
    asked: turn.asked,
    answered: heard.flatMap(({ hint, answer }) => (hint && isFull(answer) ? [hint] : [])),
    needless: turn.needless,
    isComplete: turn.isComplete && own.length === bound.length,
    wasAsked: heard.length > 0,
    session,
  };
  const sure = heard.filter(({ hint }) => hint === undefined);
  const failed = heard.find(({ answer }) => !isFull(answer))?.answer;
  const isAllSilent = heard.every(({ answer }) => isSilence(answer));
  const isNoneKnown = sure.length > 0 && sure.every(({ answer }) => answer.kind === 'unknown');
  if (failed !== undefined && (isAllSilent || (isNoneKnown && hinted.rows.length === 0)))
    return { answer: failed, hinted };
  const kind = failed === undefined ? 'transactions' : 'some-transactions';
  const rows = shown.filter(({ hint }) => hint === undefined).map(({ row }) => row);
  const { code, httpStatus } = failed ?? {};
  return { answer: answerOf(kind, { rows, ...lackIn(heard), code, httpStatus }), hinted };
}

const isFull = ({ kind }: Answer): boolean => allows[kind].isFull;

/** A text that the gateway has not signed may be no transaction; a gateway that says so has none to show. */
const refusedAsNone = (answer: Answer): Answer =>
  answer.kind === 'unknown' || answer.kind === 'refused' ? answerOf('whole') : answer;

/**
 * The rows of several answers. A transaction's rows are taken from the question about it, or else from
 * the first that shows it: a later answer may show another refund of it, which contradicts nothing. What a
 * bound transaction's answer shows needs no hint.
 */
function rowsOnce(heard: readonly HeardOf[]) {
  const showing = new Map<string, Set<HeardOf>>();
  for (const one of heard)
    for (const key of one.answer.rows.map(keyOf))
      showing.set(key, (showing.get(key) ?? new Set()).add(one));
  return heard.flatMap((one) =>
    one.answer.rows.flatMap((row) => {
      const all = [...(showing.get(keyOf(row)) ?? [])];
      const owner = all.find(({ id }) => transactionKey(id) === keyOf(row)) ?? all[0];
      const hint = all.every((other) => other.hint !== undefined) ? one.hint : undefined;
      return owner === one ? { row, hint, shownBeside: all.map(({ id }) => id) } : [];
    }),
  );
}

const keyOf = ({ transactionId }: EvidenceRow): string => transactionKey(transactionId);

/** What is missing from the answers. Of what a webhook named, rows that cannot be read say nothing. */
function lackIn(heard: readonly HeardOf[]) {
  const trusted = heard.filter(({ hint }) => hint === undefined || hint.source === 'return');
  const answers = trusted.map(({ answer }) => answer);
  const sum = (numbers: readonly number[]): number =>
    numbers.reduce((one, other) => one + other, 0);
  return {
    unreadableMoney: sum(answers.map(({ unreadableMoney }) => unreadableMoney)),
    unreadableIds: answers.flatMap(({ unreadableIds }) => unreadableIds),
    missingRows: sum(answers.map(({ missingRows }) => missingRows)),
  };
}

/** Counts signed webhooks that named a transaction, for any order and for one: a return may contradict them. */
export function countSigned(
  store: Counters,
  { id, orderId }: { readonly id: TransactionId; readonly orderId: string },
  hits: 0 | 1,
  now: number,
) {
  const key = `signed/${transactionKey(id)}`;
  return Promise.all([key, `${key}/${orderId}`].map((one) => remembered(store, one, hits, now)));
}

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
  // A session that the gateway does not know has no money, which agrees with a record without money.
  if (isUnknown(answer))
    return moneyOf(record, attempt).size === 0
      ? { outcome: 'same' }
      : { outcome: 'contradicts', from: record.payment.state, discrepancy: 'session_unknown' };
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

/** The keys of the transactions whose money we recorded for an attempt, and that its status is to show. */
function moneyOf({ payment, ledger }: PaymentRecord, attempt: Attempt): ReadonlySet<string> {
  const own = ledger.filter(({ attemptNumber }) => attemptNumber === attempt.number);
  // A charge shows at an attempt of its own, if at all, and money that is only held need not show.
  const shown = own
    .filter(({ kind }) => kind !== 'charge' || attempt.kind === 'charge')
    .filter((row) => takenOf(payment, row) > 0);
  return new Set(shown.map(({ transactionId }) => transactionKey(transactionId)));
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
