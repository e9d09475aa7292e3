import type { GatewayClient } from '../../gateway/gateway-client.ts';
import { GatewayError } from '../../gateway/gateway-error.ts';
import { refusesQuestion } from '../../gateway/meaning.ts';
import { isRefusedQuestion, lackOf } from '../../gateway/partial-status.ts';
import type { Profile } from '../../gateway/profile.ts';
import type { StatusInput } from '../../gateway/schemas/status.ts';
import { transactionKey, type TransactionId } from '../../ids.ts';
import { allows, answerOf, isSilence, showsNothing, type Answer } from '../../payments/answer.ts';
import type { Attempt } from '../../payments/attempt.ts';
import type { EvidenceRow } from '../../payments/evidence.ts';
import type { Heard, HintedAnswer } from '../../payments/hinted-rows.ts';
import type { PaymentRecord } from '../../payments/payment-record.ts';
import {
  hintsToAsk,
  type HintTurn,
  type TransactionHint,
} from '../../payments/transaction-hint.ts';

export type AskingGateway = Pick<GatewayClient, 'retrieveStatus'>;

/** How the gateway's status call answers. */
export type StatusReadings = Pick<Profile['status'], 'asksFor' | 'notFound'> &
  Partial<Profile['session']>;

export const sessionReadings: StatusReadings = { asksFor: 'session', notFound: 'unknown' };

/** What a question about an attempt needs. */
export interface AskingContext {
  readonly gateway: AskingGateway;
  readonly readings?: StatusReadings | undefined;
}

/**
 * Asks the gateway about an attempt: about its session or, of a sale, about its transaction. A gateway
 * that answers transactions only is asked about those that the attempt is known to have, and about those
 * that hints named.
 */
export async function askAttempt(
  { gateway, readings = sessionReadings }: AskingContext,
  record: PaymentRecord,
  attempt: Attempt,
): Promise<Heard> {
  const { asksFor } = readings;
  const { sessionId, transactionId } = attempt;
  if (sessionId === null) {
    return { answer: await ask(gateway, { transactionId: transactionId ?? '' }) };
  }
  let session: Answer | undefined;
  if (asksFor !== 'transaction') {
    session = await ask(gateway, { sessionId });
    // A gateway that knows transactions only may have an empty answer for any other id, or an error.
    const isNothing = showsNothing(session) || session.kind === 'refused';
    if (asksFor === 'session' || !isNothing) return { answer: session };
  }
  const own = record.ledger
    .filter(({ attemptNumber, kind }) => attemptNumber === attempt.number && kind !== 'charge')
    .map((row) => row.transactionId);
  return askTransactions(gateway, own, hintsToAsk(record.hints ?? [], idsOf(record)), session);
}

/** Ids that need no question of their own: those of sessions, and of money that is bound. */
const idsOf = ({ attempts, ledger }: PaymentRecord): readonly string[] => [
  ...attempts.flatMap(({ sessionId, transactionId }) => [sessionId ?? '', transactionId ?? '']),
  ...ledger.map(({ transactionId }) => transactionId),
];

/** Asks the gateway one question. */
export async function ask(gateway: AskingGateway, question: StatusInput): Promise<Answer> {
  try {
    const status = await gateway.retrieveStatus(question);
    const { transactions: rows } = status;
    const missingRows = lackOf(status)?.missing;
    return missingRows === undefined
      ? answerOf('whole', { rows })
      : { ...answerOf('part', { rows, missingRows }), code: 'partial_answer' };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { code, httpStatus } = error;
    // An unreadable row does not hide another row that says paid.
    const part = lackOf(error);
    if (part !== undefined) {
      const { transactions: rows, unreadable, missing: missingRows } = part;
      const unreadableIds = unreadable.filter((id) => id !== null);
      const unreadableMoney = unreadable.length - unreadableIds.length;
      const read = { rows, missingRows, unreadableMoney, unreadableIds };
      return { ...answerOf('part', read), code, httpStatus };
    }
    const isRefused = isRefusedQuestion(error) || refusesQuestion(httpStatus ?? 0);
    const kind = code === 'not_found' ? 'unknown' : isRefused ? 'refused' : 'silent';
    return { ...answerOf(kind), code, httpStatus };
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
      return { id, hint, answer: refusedAsNone(await askFor(id)) };
    }),
  ]);
  const shown = rowsOnce(heard);
  const hinted: HintedAnswer = {
    rows: shown.flatMap(({ row, hint }) => (hint === undefined ? [] : { row, hint })),
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
  const isUnknown = sure.every(({ answer }) => answer.kind === 'unknown');
  if (failed !== undefined && isAllSilent) return { answer: failed, hinted };
  if (failed !== undefined && sure.length > 0 && isUnknown && hinted.rows.length === 0) {
    return { answer: failed, hinted };
  }
  const kind = failed === undefined ? 'transactions' : 'some-transactions';
  const rows = shown.filter(({ hint }) => hint === undefined).map(({ row }) => row);
  const answer = answerOf(kind, { rows, ...lackIn(heard) });
  return { answer: { ...answer, code: failed?.code, httpStatus: failed?.httpStatus }, hinted };
}

const isFull = ({ kind }: Answer): boolean => allows[kind].isFull;

/** A text from outside may be no transaction; a gateway that says so has none to show. */
const refusedAsNone = (answer: Answer): Answer =>
  answer.kind === 'unknown' || answer.kind === 'refused' ? answerOf('whole') : answer;

/**
 * The rows of several answers. A transaction's rows are taken from the question about it, or else from
 * the first that shows it: a later answer may show another refund of it, which contradicts nothing.
 */
function rowsOnce(heard: readonly HeardOf[]) {
  const owners = new Map(heard.map((one) => [transactionKey(one.id), one]));
  const rows: { readonly row: EvidenceRow; readonly hint: TransactionHint | undefined }[] = [];
  for (const one of heard) {
    for (const row of one.answer.rows) {
      const key = transactionKey(row.transactionId);
      const owner = owners.get(key) ?? one;
      owners.set(key, owner);
      if (owner === one) rows.push({ row, hint: one.hint });
    }
  }
  return rows;
}

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
