import { attemptOfName, transactionKey, type MerchantOrderId, type TransactionId } from '../ids.ts';
import { parseAmount } from '../money.ts';
import { allows, type Answer, type AnswerKind } from './answer.ts';
import { isAhead, type Attempt } from './attempt.ts';
import { isMoney, type EvidenceRow } from './evidence.ts';
import { nameIn } from './judge.ts';
import type { PaymentRecord } from './payment-record.ts';
import type { TransactionHint } from './transaction-hint.ts';
import { YOUNG_MS } from './watch.ts';

/** A row of the gateway's answer about a transaction that a hint named. */
export interface HintedRow {
  readonly row: EvidenceRow;
  readonly hint: TransactionHint;
}

/** What the gateway answered about hinted transactions. */
export interface HintedAnswer {
  readonly rows: readonly HintedRow[];
  /** The hints that it was asked about. */
  readonly asked: readonly TransactionHint[];
  /** Of these, the ones about which it answered in full. */
  readonly answered: readonly TransactionHint[];
  /** Stored ids that need no question of their own. */
  readonly needless: readonly TransactionId[];
  /** Whether it has answered about every other hint. */
  readonly isComplete: boolean;
  /** Whether it also said that the session has no transaction. */
  readonly isSessionEmpty: boolean;
  /** Whether there is a sign of money without an id. */
  readonly hasSignOfMoney: boolean;
}

/** An answer with the rows that count for its attempt. */
export interface Attributed {
  readonly answer: Answer;
  /** Hinted transactions that are another order's, or none of the attempt's order. */
  readonly forgotten: readonly TransactionId[];
  /** Hinted transactions that may be the order's money, or may become it. */
  readonly unsettled: readonly TransactionId[];
  /** The order's other attempts that hinted transactions name. */
  readonly due: readonly MerchantOrderId[];
}

/** What an answer about transactions is that turns out to be about all that came by the session. */
const ofSession: Readonly<Partial<Record<AnswerKind, AnswerKind>>> = {
  transactions: 'whole',
  'some-transactions': 'part',
};

/**
 * What one hinted row means for an attempt. Money `waits` for its shopper to come back before it is
 * `unattributed`.
 */
type Meaning =
  | 'counts'
  | 'waits'
  | 'unattributed'
  | 'another-attempt'
  | 'another-order'
  | 'nothing';

/**
 * Decides which rows about hinted transactions count for an attempt. A hint proves nothing: a row counts
 * where it names the attempt. A row without a name counts for the order's newest link where the order's
 * own return address brought the transaction; money that a webhook alone brought is for a person, also
 * where its amount is an earlier link's. A row of another order is dropped without a review, so that
 * forged hints make no work.
 */
export function attributed(
  record: PaymentRecord,
  attempt: Attempt,
  { answer, hinted }: { readonly answer: Answer; readonly hinted?: HintedAnswer | undefined },
  now: number,
  boundElsewhere: ReadonlyMap<TransactionId, string>,
): Attributed {
  const proven = ofSession[answer.kind];
  if (hinted === undefined || proven === undefined) {
    return { answer, forgotten: [], unsettled: [], due: [] };
  }
  const meant = hinted.rows.map((one) => ({
    ...one,
    meaning: meaningOf(record, attempt, one, now, boundElsewhere),
  }));
  const of = (...meanings: readonly Meaning[]) =>
    meant.filter(({ meaning }) => meanings.includes(meaning));
  const own = of('counts', 'unattributed').map(({ row }) => row);
  const useful = new Set(
    meant.filter(({ meaning }) => meaning !== 'another-order').map((one) => hintOf(one)),
  );
  const rows = [...answer.rows, ...own];
  const { asked, answered, isComplete, isSessionEmpty } = hinted;
  // A transaction of the link proves that the answer "none in this session" says nothing.
  const { isFull } = allows[answer.kind];
  const isAnswered = rows.length === 0 ? isSessionEmpty : isFull && isComplete;
  const isOfSession = of('waits').length === 0 && isAnswered;
  return {
    answer: {
      ...answer,
      kind: isOfSession ? proven : answer.kind,
      rows,
      unattributed: of('unattributed').map(({ row }) => row.transactionId),
      // An id without an answer may be money as much as one that found no room.
      hasSignOfMoney: hinted.hasSignOfMoney || !isComplete || answered.length < asked.length,
    },
    forgotten: of('another-order')
      .map(hintOf)
      .filter((id) => !useful.has(id)),
    unsettled: meant.filter((one) => !staysNoMoney(record, one)).map(hintOf),
    due: of('another-attempt').flatMap((one) => dueName(record, one)),
  };
}

const hintOf = ({ hint }: HintedRow): TransactionId => hint.transactionId;

function meaningOf(
  record: PaymentRecord,
  attempt: Attempt,
  { row, hint }: HintedRow,
  now: number,
  boundElsewhere: ReadonlyMap<TransactionId, string>,
): Meaning {
  const key = transactionKey(row.transactionId);
  const known = record.ledger.find((one) => transactionKey(one.transactionId) === key);
  if (known !== undefined) return known.attemptNumber === attempt.number ? 'counts' : 'nothing';
  const name = nameIn(row);
  if (name !== undefined) {
    if (name === attempt.merchantOrderId) return 'counts';
    const isOfOrder = record.attempts.some((one) => one.merchantOrderId === name);
    return isOfOrder ? 'another-attempt' : 'another-order';
  }
  if (key !== transactionKey(hint.transactionId)) return 'nothing';
  // The shopper of this order says so: that may not be silence.
  if (hint.source === 'return') {
    return attempt.number === linkOf(record, hint, now)?.number ? 'counts' : 'nothing';
  }
  if (boundElsewhere.has(row.transactionId)) return 'another-order';
  const isExact = isMoney(row) && parseAmount(row.amount) === attempt.amount.minorUnits;
  if (!isExact) return 'nothing';
  return now - hint.hintedAt < YOUNG_MS ? 'waits' : 'unattributed';
}

/** Whether a hinted row is no money of the order, and stays so: one that was declined, or of another price. */
function staysNoMoney(
  { attempts }: PaymentRecord,
  { row, hint, meaning }: HintedRow & { readonly meaning: Meaning },
): boolean {
  if (row.transactionStatus === 'FAILED' || meaning === 'another-order') return true;
  if (meaning !== 'nothing' || hint.source === 'return' || !isMoney(row)) return false;
  return attempts.every(({ amount }) => parseAmount(row.amount) !== amount.minorUnits);
}

/**
 * The newest link that there was when a hint came, or one that a clock made which ran ahead. A sale beside it
 * has a transaction of its own.
 */
const linkOf = (
  { attempts }: PaymentRecord,
  { hintedAt }: TransactionHint,
  now: number,
): Attempt | undefined =>
  attempts.findLast(
    ({ sessionId, createdAt }) =>
      sessionId !== null && (createdAt <= hintedAt || isAhead(createdAt, now)),
  );

/** The other attempt that a row names, unless it was asked about since the hint came. */
function dueName({ attempts }: PaymentRecord, { row, hint }: HintedRow): MerchantOrderId[] {
  const name = nameIn(row);
  const number = name && attemptOfName(name)?.attemptNumber;
  const named = attempts.find((one) => one.number === number);
  if (named === undefined || (named.lastCheckAt ?? 0) > hint.hintedAt) return [];
  return [named.merchantOrderId];
}
