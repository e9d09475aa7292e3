import {
  attemptOfName,
  type MerchantOrderId,
  nameIn,
  type TransactionId,
  transactionKey,
} from '../ids.ts';
import { parseAmount } from '../money.ts';
import {
  allows,
  type Answer,
  type AnswerKind,
  areDeclined,
  goesBack,
  isDeclined,
  answerOf,
  type EvidenceRow,
  isMoney,
  isOfSession,
  isUndecided,
  showsNothing,
} from './answer.ts';
import { type Attempt, isAhead, isEndedByTime, SESSION_LIFETIME_MS } from './attempt.ts';
import { isUnshownSince, openHint, openSilenceReview, tookOwnMoney } from './end-unpaid.ts';
import { attemptOf, hasMoney, type PaymentRecord } from './record.ts';
import { hasSign, NAMELESS, SIGN_OF_MONEY, type TransactionHint } from './transaction-hint.ts';
import { REFUSED_MS, YOUNG_MS } from './watch.ts';

/** A row of the gateway's answer about a transaction that a hint named. */
export interface HintedRow {
  readonly row: EvidenceRow;
  readonly hint: TransactionHint;
  /** The transactions in whose answers it stands. @defaultValue the hint's */
  readonly shownBeside?: readonly TransactionId[];
  /** Whether signed webhooks name its transaction for other orders alone. */
  readonly isElsewhere?: boolean;
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
  /** Whether it was asked about any transaction; without a question nothing is known. */
  readonly wasAsked: boolean;
  /** What it also said of the session, where it was asked about that. */
  readonly session?: Answer | undefined;
}

/** What the gateway said about an attempt: about its session, or about transactions. */
export interface Heard {
  readonly answer: Answer;
  readonly hinted?: HintedAnswer | undefined;
}

/** By what an answer is read beside the record. */
export interface Reading {
  readonly now: number;
  /** Transactions of other orders, with those orders. */
  readonly boundElsewhere: ReadonlyMap<TransactionId, string>;
  /** What a 404 about a session means at this gateway. @defaultValue `unknown` */
  readonly notFound?: 'unknown' | 'not-yet' | undefined;
  /** What a refusal means after a session's end. @defaultValue `unknown` */
  readonly afterEnd?: 'unknown' | 'gone' | undefined;
  /** Whether the link was made with an API key that was not asked. @defaultValue `false` */
  readonly isForeign?: boolean;
  /** Whether webhooks that the gateway has not signed are refused. @defaultValue `false` */
  readonly areHintsSigned?: boolean | undefined;
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
const ofSession = { transactions: 'whole', 'some-transactions': 'part' } as const;

/** What holds of a session where no transaction shows more. */
const last: ReadonlySet<AnswerKind> = new Set(['forgotten', 'gone', 'refused', 'silent']);

/** What a hinted row means for a link. Money `waits` for its return, then is `unattributed`. */
type Meaning =
  | 'counts'
  | 'waits'
  | 'unattributed'
  | 'another-attempt'
  | 'another-order'
  | 'nothing';

const nothing = { forgotten: [], unsettled: [], due: [] };

/** Reads what the gateway said about an attempt: an answer gets its kind here, by the profile and the record. */
export function readAnswer(
  record: PaymentRecord,
  { number }: Attempt,
  heard: Heard,
  reading: Reading,
): Attributed {
  const { answer, hinted } = heard;
  const attempt = attemptOf(record, number);
  if (attempt === undefined) return { answer, ...nothing };
  if (hinted !== undefined) return attributed(record, attempt, answer, hinted, reading);
  const kind = kindOfSession(record, attempt, answer, reading);
  if (kind === 'part') {
    const hasSignOfMoney = openHint(record, attempt) !== null;
    return { answer: { ...answer, kind, hasSignOfMoney }, ...nothing };
  }
  const isSame = kind === answer.kind;
  const { askedAt, code, httpStatus } = answer;
  // A "not found" that is read as more than that needs no word in the log.
  const why = kind === 'forgotten' ? { code, httpStatus } : {};
  return { answer: isSame ? answer : answerOf(kind, { askedAt, ...why }), ...nothing };
}

/** What an answer about a session is. Of a sale's transaction it is what it seems. */
function kindOfSession(
  record: PaymentRecord,
  attempt: Attempt,
  { kind, rows }: Answer,
  { now, notFound, afterEnd, isForeign, areHintsSigned }: Reading,
): AnswerKind {
  if (attempt.kind === 'charge') return kind;
  const isRefusal = kind === 'unknown' || kind === 'refused';
  // Some accounts show any session without rows.
  if (kind === 'whole' && isForeign) return 'refused';
  if (isRefusal && mayPay(record, attempt)) {
    // A declined card may end a session, and the end of its life does at some gateways: they know no leap of ours.
    const endsAt = Math.min(attempt.expiresAt, attempt.createdAt + SESSION_LIFETIME_MS);
    // Clocks differ, so that without a hint the last minutes of a life prove nothing.
    const isAlive = now < endsAt - (openHint(record, attempt) === null ? YOUNG_MS : 0);
    const wasOpen = attempt.shown?.isDeclined === false && isAlive;
    if ((kind === 'unknown' && wasOpen) || isForeign) return 'forgotten';
  }
  const isEmpty = showsNothing({ kind, rows }) || (isRefusal && afterEnd === 'gone');
  if (isEmpty && hidesTry(record, attempt, now)) return 'forgotten';
  if (isRefusal && afterEnd === 'gone' && now >= attempt.expiresAt) return 'gone';
  if (!showsNothing({ kind, rows })) {
    const leavesOpen = leavesHintOpen(record, attempt, rows, now, areHintsSigned);
    return kind === 'whole' && leavesOpen ? 'part' : kind;
  }
  // The shopper came back as if the link was paid: a gateway may have no rows for sessions at all.
  const isSigned = hasSign(record.hints, SIGN_OF_MONEY, attempt.createdAt);
  if (isSigned && !tookOwnMoney(record, attempt)) return 'unknown';
  // A session without rows explains no hint once it has ended (N3), and never what the gateway has signed, unless
  // that came near the link's end, which it may report.
  const isHinted = (openHint(record, attempt) ?? Infinity) < attempt.expiresAt - YOUNG_MS;
  const isEnded = now >= attempt.expiresAt && isUnshownSince(attempt);
  if (isHinted && (isEnded || areHintsSigned === true)) return 'unknown';
  const isNotYet = notFound === 'not-yet' && openSilenceReview(record, attempt) === undefined;
  return kind === 'unknown' && isNotYet ? 'whole' : kind;
}

/**
 * Whether rows leave open why the shopper came back as if the attempt was paid, or why the gateway signed a word
 * about it: pending tries, and declines that were known before, since a later try's status may lag behind.
 */
function leavesHintOpen(
  record: PaymentRecord,
  attempt: Attempt,
  rows: readonly EvidenceRow[],
  now: number,
  areHintsSigned = false,
): boolean {
  const isEarlier = record.payment.state !== 'pending' && areDeclined(rows);
  const hintedAt = openHint(record, attempt);
  if (hintedAt === null || rows.some(isMoney)) return false;
  if (areDeclined(rows) && !isEarlier) return false;
  const explainedAt = Math.max(attempt.createdAt, (attempt.explainedAt ?? 0) + 1);
  const since = isEarlier ? Math.max(explainedAt, now - YOUNG_MS) : explainedAt;
  return hasSign(record.hints, SIGN_OF_MONEY, since) || (areHintsSigned && hintedAt >= since);
}

/** Whether the session's end may hide a try of its last hours that was undecided before (N3). */
const hidesTry = (record: PaymentRecord, attempt: Attempt, now: number): boolean =>
  now >= attempt.expiresAt &&
  (attempt.shown?.undecided?.since ?? 0) > attempt.expiresAt - REFUSED_MS &&
  record.payment.state !== 'expired' &&
  !tookOwnMoney(record, attempt);

/** Whether a link may still pay its order. */
const mayPay = ({ payment: { state } }: PaymentRecord, attempt: Attempt): boolean =>
  (attempt.state === 'open' || isEndedByTime(attempt)) && state !== 'expired' && !hasMoney(state);

/**
 * Decides which rows about hinted transactions count for an attempt. A hint proves nothing: a row counts
 * where it names the attempt. A row without a name counts for the order's newest link where the order's
 * own return address brought the transaction; money that a webhook alone brought is for a person, also
 * where its amount is an earlier link's. A row of another order is dropped without a review, so that
 * forged hints make no work.
 */
function attributed(
  record: PaymentRecord,
  attempt: Attempt,
  answer: Answer,
  hinted: HintedAnswer,
  reading: Reading,
): Attributed {
  if (!isOfSession(answer) && !(answer.kind in ofSession)) return { answer, ...nothing };
  const alone = hinted.rows.map((one) => ({
    ...one,
    meaning: meaningOf(record, attempt, one, reading),
  }));
  const counted = new Set(
    alone.filter((one) => one.meaning === 'counts' && isAbout(one)).map((one) => hintOf(one)),
  );
  // What goes back of a transaction may have an id of its own, and no name.
  const isBack = ({ row, hint, shownBeside = [hint.transactionId] }: HintedRow): boolean =>
    goesBack(row) &&
    nameIn(row.merchantOrderId) === undefined &&
    shownBeside.some((id) => counted.has(id));
  const all = alone.map((one) => (isBack(one) ? { ...one, meaning: 'counts' as const } : one));
  // A row of another transaction, which may be anybody's, says nothing of an id that is not.
  const meant = all.filter(
    (one) => one.meaning !== 'nothing' || one.hint.source === 'unsigned' || isAbout(one),
  );
  const of = (...meanings: readonly Meaning[]) =>
    meant.filter(({ meaning }) => meanings.includes(meaning));
  const own = of('counts', 'unattributed').map(({ row }) => row);
  const useful = new Set(
    meant.filter(({ meaning }) => meaning !== 'another-order').map((one) => hintOf(one)),
  );
  // What a transaction's own question says is newer than what the session shows of it.
  const keys = new Set(own.map(({ transactionId }) => transactionKey(transactionId)));
  const others = answer.rows.filter(({ transactionId: id }) => !keys.has(transactionKey(id)));
  const unattributed = of('unattributed').map(({ row }) => row.transactionId);
  const read = { ...answer, rows: [...others, ...own], unattributed };
  const about = of('counts', 'nothing');
  const followed = { ...hinted, rows: meant };
  const { isSigned, isWaiting, ...signs } = signsOf(record, attempt, answer, followed, about);
  const isOpen = of('waits').length > 0 || signs.isUnfollowed || isWaiting;
  const { session } = hinted;
  const said = session && kindOfSession(record, attempt, session, reading);
  const besideSession = isOpen || signs.hasSignOfMoney ? 'part' : answer.kind;
  const ofIds = kindOfIds(read, hinted, isOpen || isSigned, said);
  // A word about another try says nothing of the one that the session hides.
  const isHidden =
    said === 'forgotten' && hidesTry(record, attempt, reading.now) && !own.some(isMoney);
  const kind = isHidden ? said : isOfSession(answer) ? besideSession : ofIds;
  return {
    answer: { ...read, ...signs, kind },
    forgotten: of('another-order')
      .map(hintOf)
      .filter((id) => !useful.has(id)),
    unsettled: all.filter((one) => !staysNoMoney(record, one)).map(hintOf),
    due: of('another-attempt').flatMap((one) => dueName(record, one)),
  };
}

/** What hints left open. An unanswered id may be money; a return was about the decline that it brought. */
function signsOf(
  record: PaymentRecord,
  attempt: Attempt,
  answer: Answer,
  { asked, answered, isComplete, rows }: HintedAnswer,
  about: readonly (HintedRow & { readonly meaning: Meaning })[],
) {
  const declined = about.filter(
    ({ row, hint, meaning }) => meaning === 'counts' && hint.source === 'return' && isDeclined(row),
  );
  const returnedAt = Math.max(0, ...declined.map(({ hint }) => hint.hintedAt));
  const since = Math.max(attempt.createdAt, (attempt.explainedAt ?? 0) + 1);
  const isOpen = openHint(record, attempt) !== null;
  const isUnfollowed = isOpen && hasSign(record.hints, NAMELESS, since);
  const isSigned = hasSign(record.hints, SIGN_OF_MONEY, Math.max(since, returnedAt + 1));
  const isUnanswered = !isComplete || answered.length < asked.length;
  // The gateway is asked about ids of another kind, it seems, and of the link it says nothing by its session.
  const isStrange =
    isOpen &&
    !isOfSession(answer) &&
    answered.some((one) => rows.every(({ hint }) => hint !== one));
  // What the gateway has signed is more than a step of a try, and than money of another amount.
  const isUnpaid = !hasMoney(record.payment.state);
  const isWaiting = about.some(
    ({ row, hint, meaning }) =>
      hint.source === 'signed' &&
      (isUndecided(row) || (isUnpaid && meaning === 'nothing' && isMoney(row))),
  );
  // The link's own money explains its signs.
  const isUnexplained = isSigned && !tookOwnMoney(record, attempt);
  const hasSignOfMoney = isUnexplained || isUnfollowed || isUnanswered || isStrange || isWaiting;
  return { isSigned, isUnfollowed, isWaiting, hasSignOfMoney };
}

/** What answers about transactions are, beside what the gateway said of the session. */
function kindOfIds(
  { kind, rows }: Answer,
  { isComplete, wasAsked }: HintedAnswer,
  isOpen: boolean,
  said: AnswerKind = 'unknown',
): AnswerKind {
  const isFull = allows[kind].isFull && (wasAsked || said !== 'unknown');
  const isAll = isFull && isComplete;
  // A transaction of the link proves that the answer "none in this session" says nothing.
  const isNone = rows.length === 0;
  if (isNone && isAll && last.has(said)) return said;
  const isOfAll = !isOpen && (isNone ? said === 'whole' : isAll);
  const ofIds = isFull ? 'transactions' : 'some-transactions';
  return isOfAll ? ofSession[ofIds] : ofIds;
}

const hintOf = ({ hint }: HintedRow): TransactionId => hint.transactionId;

/** Whether a row is of the very transaction that a hint named. */
const isAbout = ({ row, hint }: HintedRow): boolean =>
  transactionKey(row.transactionId) === transactionKey(hint.transactionId);

function meaningOf(
  record: PaymentRecord,
  attempt: Attempt,
  hinted: HintedRow,
  { now, boundElsewhere }: Reading,
): Meaning {
  const { row, hint, isElsewhere = false } = hinted;
  const key = transactionKey(row.transactionId);
  const known = record.ledger.find((one) => transactionKey(one.transactionId) === key);
  if (known !== undefined) return known.attemptNumber === attempt.number ? 'counts' : 'nothing';
  const name = nameIn(row.merchantOrderId);
  if (name !== undefined) {
    if (name === attempt.merchantOrderId) return 'counts';
    const isOfOrder = record.attempts.some((one) => one.merchantOrderId === name);
    if (isOfOrder) return 'another-attempt';
    return hint.source === 'unsigned' || isAbout(hinted) ? 'another-order' : 'nothing';
  }
  if (!isAbout(hinted)) return 'nothing';
  if (isElsewhere) return 'another-order';
  // The shopper of this order says so: that may not be silence.
  if (hint.source === 'return') {
    return attempt.number === linkOf(record, hint, now)?.number ? 'counts' : 'nothing';
  }
  // A signed webhook says so as well: the order that has the money may have it wrongly.
  if (boundElsewhere.has(row.transactionId)) {
    return hint.source === 'signed' ? 'counts' : 'another-order';
  }
  if (!isMoney(row) || parseAmount(row.amount) !== attempt.amount.minorUnits) return 'nothing';
  return now - hint.hintedAt < YOUNG_MS ? 'waits' : 'unattributed';
}

/** Whether a hinted row is no money of the order, and stays so: one that was declined, or of another price. */
function staysNoMoney(
  { attempts }: PaymentRecord,
  { row, hint, meaning }: HintedRow & { readonly meaning: Meaning },
): boolean {
  if (isDeclined(row) || meaning === 'another-order') return true;
  if (meaning !== 'nothing' || hint.source === 'return' || !isMoney(row)) return false;
  return attempts.every(({ amount }) => parseAmount(row.amount) !== amount.minorUnits);
}

/** The newest link that there was when a hint came, or one by a clock that ran ahead; no sale. */
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
function dueName(record: PaymentRecord, { row, hint }: HintedRow): MerchantOrderId[] {
  const name = nameIn(row.merchantOrderId);
  const named = attemptOf(record, name && attemptOfName(name)?.attemptNumber);
  if (named === undefined || (named.lastCheckAt ?? 0) > hint.hintedAt) return [];
  return [named.merchantOrderId];
}
