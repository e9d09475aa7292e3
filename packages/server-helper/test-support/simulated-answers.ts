import { openEnvelope } from '../src/gateway/meaning.ts';
import { GatewayError } from '../src/gateway/gateway-error.ts';
import { noteRefusedQuestion } from '../src/gateway/answer.ts';
import { notePart, saysNothing, statusData, type Transaction } from '../src/gateway/status.ts';
import { transactionId } from '../src/ids.ts';
import { rowOf, type SimulatedTransaction } from './simulated-transactions.ts';

/** What the simulated gateway does instead of just answering. */
export type GatewayMood =
  | 'well'
  | 'create-refused'
  | 'create-answer-lost'
  | 'status-unreachable'
  | 'status-pending'
  | 'status-wrong-amount'
  | 'status-unknown-words'
  /** Writes the ids of the transactions that an order has for certain in another case. */
  | 'status-other-case'
  /** Shows a payment of another order, which that order has for certain. */
  | 'status-of-another'
  /** Answers 404 about sessions that live. */
  | 'status-not-found'
  /** Leaves out the last row, and says that there is one more. */
  | 'status-partial'
  /** Calls each transaction both paid and failed. */
  | 'status-contradictory';

/** The rows by which a gateway in a mood shows a transaction. */
export function shownRows(
  mood: GatewayMood,
  transaction: SimulatedTransaction,
  { amount }: { readonly amount: string },
  isBound: boolean,
): readonly Transaction[] {
  const row = rowOf(transaction);
  // Ids of another order always come in another case.
  if (mood === 'status-other-case' || mood === 'status-of-another') {
    const id = isBound ? transactionId(row.transactionId.toUpperCase()) : row.transactionId;
    return [{ ...row, transactionId: id }];
  }
  if (mood === 'status-contradictory') {
    const both = [row, { ...row, ...oppositeOf(row) }];
    return isOdd(row) ? both.toReversed() : both;
  }
  return [{ ...row, ...distortions[mood]?.(amount) }];
}

const paid = { transactionStatus: 'SUCCESS', paymentStatus: 'APPROVED' } as const;
const failed = { transactionStatus: 'FAILED', paymentStatus: 'DECLINED' } as const;

/** Whether a transaction's rows come in the other order. */
const isOdd = ({ transactionId: id }: Transaction): boolean => Number(id.at(-1)) % 2 === 1;

const oppositeOf = ({ transactionStatus }: Transaction): Partial<Transaction> =>
  transactionStatus === 'SUCCESS' ? failed : paid;

/** The wrong part of each row, by the session's amount. */
const distortions: Partial<Record<GatewayMood, (amount: string) => Partial<Transaction>>> = {
  'status-pending': () => ({ transactionStatus: 'PENDING', paymentStatus: 'PENDING' }),
  'status-wrong-amount': (amount) => ({ amount: `1${amount}` }),
  'status-unknown-words': () => ({ paymentStatus: 'CAPTURED' }),
};

/**
 * The status answer with these rows; a part of it in the mood for that.
 *
 * @param isOddlyWritten - Whether the gateway writes none and one of them in other forms than the specification's.
 */
export function answerOf(mood: GatewayMood, rows: readonly Transaction[], isOddlyWritten: boolean) {
  if (isOddlyWritten) {
    const content = rows.length === 1 ? rows[0] : rows;
    readOddly(rows.length === 0 ? null : { content }, rows.length);
  }
  if (mood !== 'status-partial') return { transactions: [...rows] };
  const part = { transactions: rows.slice(0, -1) };
  notePart(part, part.transactions, { missing: 1 });
  return part;
}

/** Reads data in an odd envelope as the client does. @throws where it finds another number of rows. */
function readOddly(data: unknown, rows: number): void {
  const opened = openEnvelope('A', { code: 200, errorCode: '000', data }, saysNothing);
  const read = opened.kind === 'data' ? statusData.parse(opened.data).content : null;
  if (read?.length !== rows) throw new Error(`An answer with ${rows} rows was not understood.`);
}

/** The error by which the client says that the gateway does not know a session. */
export function notFound(): GatewayError {
  const error = new GatewayError({
    code: 'not_found',
    operation: 'retrieveStatus',
    outcome: 'rejected',
    message: 'no such session',
    httpStatus: 404,
  });
  noteRefusedQuestion(error, 404);
  return error;
}

type Words = Pick<Transaction, 'transactionId' | 'amount' | 'transactionStatus' | 'paymentStatus'>;

/** What a row says about money, in a line. */
export const wordsOf = ({ transactionId: id, ...row }: Words): string =>
  `${id} ${row.amount} ${row.transactionStatus} ${row.paymentStatus}`;
