import { type TransactionId, transactionKey } from '../ids.ts';
import { parseAmount } from '../money.ts';
import type { Attempt } from './attempt.ts';

/** What a kind of answer allows. Money in its rows that is exact always pays. */
export interface Allowance {
  /** Whether its declines count, and the totals in it are all. */
  readonly isFull: boolean;
  /** Whether it ends a review of the link's silence: never beside a sign of money, "unknown" not beside a hint. */
  readonly heard: 'yes' | 'with rows' | 'unless hinted' | 'no';
  /**
   * Whether the order may get another link: at any time, but for a withdrawn link on which something is
   * undecided; at any time, but for a living link that a hint named; or once this one ended without a sign of money.
   */
  readonly nextLink: 'unless undecided' | 'unless hinted' | 'once ended' | 'no';
  /** When it expires unpaid: with the link's life, its watch, or a person's word about its silence. */
  readonly expiry: 'life over' | 'watch over' | 'resolved';
  /**
   * When a person gets the link by that review: `personGets` has each word, and the document beside this table
   * says it. A hint about an ended link is for a person after a day.
   */
  readonly person:
    | 'a day'
    | 'sign of money'
    | 'two hours'
    | 'hinted'
    | 'hinted since'
    | 'at once'
    | 'no';
}

const allowing = (
  isFull: boolean,
  heard: Allowance['heard'],
  nextLink: Allowance['nextLink'],
  expiry: Allowance['expiry'],
  person: Allowance['person'],
): Allowance => ({ isFull, heard, nextLink, expiry, person });

/**
 * Each kind of answer, and what it allows. Every decision reads it here.
 *
 * `silent` none: an error, a time-out, a text that is no answer · `refused` an error about this one
 * question, an answer without a word, or no rows from another API key's account · `unknown` the gateway does
 * not know the session; a shopper who has its address may still pay · `forgotten` the same of a session that it
 * showed, or `refused` or `unknown` about one that was made with an API key whose account did not answer ·
 * `gone` `refused` or `unknown` after the link's end, where the profile says that sessions end so · `part` rows
 * of the session are missing or cannot be read · `whole` all about the session, rows or none ·
 * `transactions` all about each transaction that was asked about; others may have come by the session ·
 * `some-transactions` the same, with some of it missing.
 */
export const allows = {
  silent: allowing(false, 'no', 'no', 'resolved', 'a day'),
  refused: allowing(false, 'no', 'once ended', 'resolved', 'two hours'),
  unknown: allowing(false, 'unless hinted', 'unless hinted', 'watch over', 'hinted since'),
  forgotten: allowing(false, 'no', 'no', 'resolved', 'at once'),
  gone: allowing(false, 'unless hinted', 'unless hinted', 'life over', 'hinted'),
  part: allowing(false, 'yes', 'no', 'watch over', 'sign of money'),
  whole: allowing(true, 'yes', 'unless undecided', 'life over', 'no'),
  transactions: allowing(true, 'with rows', 'once ended', 'watch over', 'sign of money'),
  'some-transactions': allowing(false, 'with rows', 'once ended', 'watch over', 'sign of money'),
};

export type AnswerKind = keyof typeof allows;

/** What the gateway answered about an attempt, as far as it could be read. */
export interface Answer {
  readonly kind: AnswerKind;
  readonly rows: readonly EvidenceRow[];
  /** How many rows the gateway counts more than it sent. */
  readonly missingRows: number;
  /** How many rows may be money and could not be read, not even their transaction. */
  readonly unreadableMoney: number;
  /** The transactions of the other rows that may be money and could not be read. */
  readonly unreadableIds: readonly TransactionId[];
  /** Money that a webhook alone brought to the attempt, in rows without a name. */
  readonly unattributed: readonly TransactionId[];
  /** Whether there is a sign of money without an id. */
  readonly hasSignOfMoney: boolean;
  /** Whether a webhook is one, which named the attempt and no transaction that could be asked about. */
  readonly isUnfollowed: boolean;
  /** When the gateway was asked. The answer proves no operation that began later. @defaultValue now */
  readonly askedAt?: number | undefined;
  /** Why it is not all; for the log. */
  readonly code?: string | undefined;
  readonly httpStatus?: number | undefined;
  /** Marks of the API keys whose accounts gave it. */
  readonly keys?: readonly string[];
}

/** An answer of a kind, which holds nothing but what is given. */
export const answerOf = (kind: AnswerKind, given: Partial<Omit<Answer, 'kind'>> = {}): Answer => ({
  kind,
  rows: [],
  missingRows: 0,
  unreadableMoney: 0,
  unreadableIds: [],
  unattributed: [],
  hasSignOfMoney: false,
  isUnfollowed: false,
  ...given,
});

/** Whether the gateway gave no answer at all about the attempt. */
export const isSilence = ({ kind }: Answer): boolean => kind === 'silent' || kind === 'refused';

/** Whether the gateway said that there is no such session, or none any more. */
export const isUnknown = ({ kind }: Pick<Answer, 'kind'>): boolean =>
  kind === 'unknown' || kind === 'forgotten' || kind === 'gone';

/** Whether the gateway knows the attempt, if only that nothing has come. */
export const isKnown = (answer: Answer): boolean => !isUnknown(answer) && !isSilence(answer);

/** Whether an answer is what a session shows, rows or none. */
export const isOfSession = ({ kind }: Answer): boolean => kind === 'whole' || kind === 'part';

/** Whether an answer knows of nothing that was tried: no such session, or one without rows. */
export const showsNothing = ({ kind, rows }: Pick<Answer, 'kind' | 'rows'>): boolean =>
  isUnknown({ kind }) || (kind === 'whole' && rows.length === 0);

/** A status row as far as it was judged. */
export interface StatusRow {
  readonly transactionId: TransactionId;
  readonly amount: string;
  readonly transactionStatus: string;
  readonly paymentStatus: string;
  readonly refundStatus?: string | undefined;
  readonly totalRefundAmount?: string | undefined;
}

/**
 * One row of a status answer that we fetched ourselves (§2.2). The strings are the gateway's own:
 * judging them is `judge.ts`'s work, and an unknown word must reach it unchanged.
 */
export interface EvidenceRow extends StatusRow {
  /** Which order the gateway says it is for, where the row bears it (assumption N6). */
  readonly merchantOrderId?: string | undefined;
  /** Numeric or alphabetic ISO 4217 code, where the row bears it (assumption N6). */
  readonly currencyCode?: string | undefined;
  /** Charges the customer again, where the row bears it (assumption N10). */
  readonly recurringToken?: string | undefined;
  /** What it is a row of, where it says so (assumption N13). */
  readonly type?: string | undefined;
}

/** The fields of a row that the log stores: no card and no token. */
export function statusRow(row: EvidenceRow): StatusRow {
  const { transactionId, amount, transactionStatus, paymentStatus } = row;
  const { refundStatus, totalRefundAmount } = row;
  const words = { transactionStatus, paymentStatus, refundStatus, totalRefundAmount };
  return { transactionId, amount, ...words };
}

/** Writes a transaction's id as the order knows it, or as it came first. */
export function spelling(known: readonly TransactionId[]): (id: TransactionId) => TransactionId {
  const spellings = new Map<string, TransactionId>();
  const spell = (id: TransactionId): TransactionId => {
    const key = transactionKey(id);
    const first = spellings.get(key) ?? id;
    spellings.set(key, first);
    return first;
  };
  for (const id of known) spell(id);
  return spell;
}

/** Whether a row is of money that was taken of an authorization. */
export const isCapture = ({ type }: Words): boolean => /^\W*capture/i.test(String(type));

/** Rows of an authorization, where a capture in a row of its own (N13) says what was taken of the money that is held. */
export function ofHeldMoney(
  rows: readonly EvidenceRow[],
  attempt: Pick<Attempt, 'kind' | 'transactionId'> | undefined,
): readonly EvidenceRow[] {
  const captures = rows.filter((row) => isCapture(row) && isMoney(row));
  const transactionId = attempt?.kind === 'authorization' ? attempt.transactionId : null;
  if (transactionId === null || captures.length === 0) return rows;
  const isHold = (row: EvidenceRow): boolean =>
    row.transactionId === transactionId && isMoney(row) && !isCapture(row);
  const tells = ({ refundStatus = 'NONE' }: EvidenceRow): boolean => refundStatus !== 'NONE';
  // Refunds name the authorization (§4.3), so that its row may be the one that tells of them.
  const { refundStatus, totalRefundAmount } = rows.find((row) => isHold(row) && tells(row)) ?? {};
  const told = refundStatus && { refundStatus, totalRefundAmount };
  const others = rows.filter((row) => !captures.includes(row) && !isHold(row));
  const taken = captures.map((row) => ({ ...row, ...(!tells(row) && told), transactionId }));
  return [...others, ...taken];
}

const is = (word: unknown, wanted: string): boolean =>
  typeof word === 'string' && word.trim().toUpperCase() === wanted;

/** The words of a row, as the gateway wrote them, whatever they are. */
type Words = { readonly [word in 'transactionStatus' | 'paymentStatus' | 'type']?: unknown };

/** Words by which money goes back, and types of rows (assumptions N4 and N13). */
const GOES_BACK = /refund|void|revers|charge.?back/i;

/** Whether a row is of money that goes back. */
export const isOfRefund = ({ type }: Words): boolean => GOES_BACK.test(String(type));

const wordsOf = ({ type, transactionStatus, paymentStatus }: Words): string =>
  `${String(type)} ${String(transactionStatus)} ${String(paymentStatus)}`;

/** Whether money goes back by a row, by its type or a word, where none says that this failed or is under way. */
export const goesBack = (row: Words): boolean =>
  GOES_BACK.test(wordsOf(row)) && !/FAILED|DECLINED|PENDING/i.test(wordsOf(row));

/** Whether a row releases what an authorization holds, in full or in part. */
const isRelease = (row: Words): boolean =>
  goesBack(row) && !isCapture(row) && /void|revers/i.test(wordsOf(row));

/**
 * How much went back by rows of their own, in minor units. A row that cannot be read took everything, and so did
 * a chargeback, since other rows total refunds. Of an authorization exactly the untaken rest can be released.
 *
 * @param captured - What the order knows to be taken, where the rows may not show it.
 */
export function wentBackIn(
  rows: readonly EvidenceRow[],
  attempt?: Pick<Attempt, 'kind' | 'amount'>,
  captured = 0,
): number {
  const held = attempt?.kind === 'authorization' ? attempt.amount.minorUnits : 0;
  const amountOf = (row: EvidenceRow): number =>
    /charge.?back/i.test(wordsOf(row)) ? Infinity : (parseAmount(row.amount) ?? Infinity);
  const sumOf = (some: readonly EvidenceRow[]): number =>
    some.reduce((sum, row) => sum + amountOf(row), 0);
  const shown = rows.filter((row) => isMoney(row) && (isCapture(row) || amountOf(row) < held));
  const taken = Math.max(captured, ...shown.map(amountOf));
  const isOfRest = held > 0 && sumOf(rows.filter(isRelease)) === held - taken;
  return sumOf(rows.filter(goesBack)) - (isOfRest ? held - taken : 0);
}

/** Payment is confirmed only by both words, exactly (§2.2), of a row that is no refund of it. */
export const isMoney = (row: Words): boolean =>
  row.transactionStatus === 'SUCCESS' && row.paymentStatus === 'APPROVED' && !isOfRefund(row);

/** Whether a try failed. A refund or void that failed says that there is money. */
export const isDeclined = (row: Words): boolean =>
  row.transactionStatus === 'FAILED' && !isOfRefund(row);

/** Whether there are tries, and each of them failed. */
export const areDeclined = (rows: readonly Words[]): boolean =>
  rows.length > 0 && rows.every(isDeclined);

/** Whether a row says neither that money came nor that its try was declined. */
export const isUndecided = (row: EvidenceRow): boolean => !isMoney(row) && !isDeclined(row);

/** Whether a row is of money that goes back, or a word says money and none denies it, as `PENDING` may (N4). */
export function mayBeMoney(row: Words, isOver = false): boolean {
  const { transactionStatus, paymentStatus } = row;
  const saysSo = is(transactionStatus, 'SUCCESS') || is(paymentStatus, 'APPROVED');
  const denials = isOver ? ['FAILED', 'DECLINED'] : ['FAILED', 'DECLINED', 'PENDING'];
  const isDenied = denials.some((word) => word === transactionStatus || word === paymentStatus);
  return isOfRefund(row) || goesBack(row) || (saysSo && !isDenied);
}
