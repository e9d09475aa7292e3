import { transactionKey, type TransactionId } from '../../ids.ts';
import type { EvidenceRow } from '../../payments/evidence.ts';
import type { TransactionHint } from '../../payments/transaction-hint.ts';
import {
  isRefusal,
  isWholeAnswer,
  type AskedStatus,
  type HeardStatus,
  type KnownTransactions,
} from './ask-status.ts';

/** Transactions of one attempt that one status check asks about; the newest, should there be more. */
const MOST_BOUND = 8;

interface Heard {
  readonly id: TransactionId;
  /** Absent for a transaction that is bound to the attempt. */
  readonly hint?: TransactionHint;
  readonly answer: AskedStatus;
}

/**
 * Asks the gateway about transactions, all at once, and puts the answers together: one answer about an
 * attempt, whole only if each question was answered whole.
 *
 * @param bound - The transactions that the attempt has in the ledger.
 * @param isSessionEmpty - Whether the gateway said that the session has none.
 */
export async function askTransactions(
  ask: (id: TransactionId) => Promise<AskedStatus>,
  bound: readonly TransactionId[],
  { hints, hasSignOfMoney }: Pick<KnownTransactions, 'hints' | 'hasSignOfMoney'>,
  isSessionEmpty: boolean,
): Promise<HeardStatus> {
  const own = bound.slice(-MOST_BOUND);
  const heard = await Promise.all([
    ...own.map(async (id): Promise<Heard> => ({ id, answer: await ask(id) })),
    ...hints.asked.map(async (hint): Promise<Heard> => {
      const { transactionId: id } = hint;
      return { id, hint, answer: refusedAsNone(await ask(id)) };
    }),
  ]);
  const shown = rowsOnce(heard);
  const hinted = {
    rows: shown.flatMap(({ row, hint }) => (hint === undefined ? [] : { row, hint })),
    asked: hints.asked,
    answered: heard.flatMap(({ hint, answer }) => (hint && isWholeAnswer(answer) ? [hint] : [])),
    needless: hints.needless,
    isComplete: hints.isComplete && own.length === bound.length,
    isSessionEmpty,
    hasSignOfMoney,
  };
  const sure = heard.filter(({ hint }) => hint === undefined);
  const failed = heard.find(({ answer }) => answer.kind !== 'rows' || !answer.isWhole)?.answer;
  const isAllSilent = heard.every(({ answer }) => answer.kind === 'no_answer');
  const isUnknown = sure.every(({ answer }) => answer.kind === 'unknown_session');
  if (failed !== undefined && isAllSilent) return { answer: failed, hinted };
  if (failed !== undefined && sure.length > 0 && isUnknown && hinted.rows.length === 0) {
    return { answer: failed, hinted };
  }
  const answer: AskedStatus = {
    kind: 'rows',
    rows: shown.filter(({ hint }) => hint === undefined).map(({ row }) => row),
    // Without a question nothing is known.
    isWhole: failed === undefined && (heard.length > 0 || isSessionEmpty),
    ...lackOf(heard),
    code: failed?.code,
    httpStatus: failed?.httpStatus,
  };
  return { answer, hinted };
}

/** A text from outside may be no transaction; a gateway that says so has none to show. */
const refusedAsNone = (answer: AskedStatus): AskedStatus =>
  answer.kind === 'unknown_session' || isRefusal(answer)
    ? { kind: 'rows', rows: [], unreadableMoney: 0, isWhole: true }
    : answer;

/**
 * The rows of several answers. A transaction's rows are taken from the question about it, or else from
 * the first that shows it: a later answer may show another refund of it, which contradicts nothing.
 */
function rowsOnce(heard: readonly Heard[]) {
  const owners = new Map(heard.map((one) => [transactionKey(one.id), one]));
  const rows: { readonly row: EvidenceRow; readonly hint: TransactionHint | undefined }[] = [];
  for (const one of heard) {
    if (one.answer.kind !== 'rows') continue;
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
function lackOf(heard: readonly Heard[]) {
  const trusted = heard.filter(({ hint }) => hint === undefined || hint.source === 'return');
  const answers = trusted.flatMap(({ answer }) => (answer.kind === 'rows' ? answer : []));
  const sum = (numbers: readonly number[]): number =>
    numbers.reduce((one, other) => one + other, 0);
  return {
    unreadableMoney: sum(answers.map(({ unreadableMoney }) => unreadableMoney)),
    unreadableIds: answers.flatMap(({ unreadableIds = [] }) => unreadableIds),
    missingRows: sum(answers.map(({ missingRows = 0 }) => missingRows)),
  };
}
