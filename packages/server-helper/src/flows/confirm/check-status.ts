import { PaymentsError } from '../../errors.ts';
import { type Attributes, countOne, currentActivity, observe } from '../../telemetry.ts';
import type { Money } from '../../money.ts';
import {
  allows,
  type Answer,
  areDeclined,
  type EvidenceRow,
  isKnown,
  isMoney,
  isOfRefund,
  isOfSession,
  isSilence,
  isUndecided,
} from '../../payments/answer.ts';
import { type Attempt, isAfter } from '../../payments/attempt.ts';
import {
  CHECK_GAP_MS,
  checkSoon,
  chooseAttempt,
  endCheck,
  endHints,
  noteSignOfMoney,
  takeHint,
} from '../../payments/checks.ts';
import { openHint } from '../../payments/end-unpaid.ts';
import { apply } from '../../payments/document.ts';
import { type Heard, readAnswer } from '../../payments/reading.ts';
import { attemptOf, type Change, type PaymentRecord } from '../../payments/record.ts';
import { hasSign, SIGN_OF_MONEY } from '../../payments/transaction-hint.ts';
import { decideStatus, paysOrder } from '../../payments/transition.ts';
import {
  dailyCheckAt,
  nextCheckAt,
  REFUSED_MS,
  usualWatch,
  YOUNG_MS,
} from '../../payments/watch.ts';
import { type BoundElsewhere, changePayment, type ChangeOptions } from '../change-payment.ts';
import { recheckPrice } from '../checkout/load-order.ts';
import type { FlowContext } from '../flow-context.ts';
import { askStore } from '../waiting.ts';
import { askAttempt, countSigned, sessionReadings } from './ask.ts';

/** No other process asks about the attempt during this time; longer than a status call can last. */
const CHECK_LEASE_MS = 60_000;

/** Which of an order's attempts the gateway is asked about. */
export interface StatusCheckRequest {
  readonly orderId: string;
  /** Whether the order is due: then also one that has its money. */
  readonly isDue?: boolean;
  /** Whether sessions that are not watched any more are asked about too, as for refunds made elsewhere. */
  readonly everySession?: boolean;
  /** The attempt that is wanted. @defaultValue the attempt whose turn it is */
  readonly attemptNumber?: number | undefined;
  /**
   * Whether the attempt itself is asked about, although its order was a moment ago and another has its turn:
   * before a money operation is sent, money is accepted, or another link is made.
   */
  readonly ignoresGap?: boolean;
}

/** The result of a status check. */
export interface StatusCheck {
  /** The order's record now; `null` for an order that never had a payment. */
  readonly record: PaymentRecord | null;
  /** The attempt that the gateway was asked about; `null` where it was not asked. */
  readonly asked: { readonly attemptNumber: number; readonly answer: Answer } | null;
  /** When the order may be asked about again. */
  readonly gapEndsAt: number;
}

/**
 * Asks the gateway about one of an order's attempts, decides what the answer means and records it.
 * Hints only cause this call, or name transactions to ask about. No order is asked about twice in moments.
 *
 * A gateway that does not answer changes nothing, and is no error: the record stays as verified.
 */
export function checkStatus<Tx>(
  context: FlowContext<Tx>,
  request: StatusCheckRequest,
): Promise<StatusCheck> {
  const { orderId, isDue = false, everySession = false, attemptNumber, ignoresGap } = request;
  return observe('confirm', { details: { orderId }, result: reportOf }, async () => {
    const now = context.clock.now();
    const isWanted = isDue || attemptNumber !== undefined;
    // A paid order needs no answer for a caller who waits; its other links are checked when due.
    const which = everySession ? 'any' : isWanted ? 'watched' : 'unpaid';
    const taken = await askStore(() =>
      context.store.take(orderId, { now, gapMs: CHECK_GAP_MS, leaseMs: CHECK_LEASE_MS, which }),
    );
    const read = taken?.record ?? null;
    const { record } = await changePayment(context, orderId, () => null, { record: read });
    const takenAt = taken?.takenAt ?? now;
    const gapEndsAt = Math.min(takenAt, now) + CHECK_GAP_MS;
    if (record === null || taken === null) return { record, asked: null, gapEndsAt };
    const attempt =
      (ignoresGap === true ? attemptOf(record, attemptNumber) : undefined) ??
      (taken.isTaken ? chooseAttempt(record, { now, isDue, everySession, attemptNumber }) : null);
    if (attempt === null) return { record, asked: null, gapEndsAt };
    const check = await askAndRecord(context, record, attempt, taken.isTaken ? takenAt : now);
    return { ...check, gapEndsAt };
  });
}

/** A commit that waits for longer than this does not ship at the price from before. */
const PRICE_AGE_MS = 30_000;

/** Asks, decides and records: one commit holds what the answer changes, and the end of the check. */
async function askAndRecord<Tx>(
  context: FlowContext<Tx>,
  before: PaymentRecord,
  attempt: Attempt,
  takenAt: number,
): Promise<Omit<StatusCheck, 'gapEndsAt'>> {
  const { orderId, number } = attempt;
  const { readings, recheckOrder } = context;
  const heard = await hear(context, before, attempt);
  const { isForeign } = heard;
  const { askedAt } = heard.answer;
  const readBy = (record: PaymentRecord, now: number, boundElsewhere: BoundElsewhere) =>
    readAnswer(record, attempt, heard, { ...readings, now, boundElsewhere, isForeign });
  let { answer } = readBy(before, askedAt, new Map());
  logWhatIsMissing(context, attempt, answer);
  const random = context.random();
  let price: Money | null | undefined;
  let answeredAt = -Infinity;
  let isDropped = false;
  const decide = (current: PaymentRecord | null, now: number, boundElsewhere: BoundElsewhere) => {
    const record = current ?? before;
    const read = readBy(record, now, boundElsewhere);
    ({ answer } = read);
    const facts = { boundElsewhere, price, afterFailure: readings?.afterFailure };
    const isOld = isOvertaken(record, attempt, askedAt);
    const change = decideStatus(record, attempt, isOld ? partOf(answer) : answer, now, facts);
    const ships = paysOrder(change) || change?.events.some(({ type }) => type === 'captured');
    // The money of an older answer may have gone back.
    isDropped = ships === true && (isOld || now - askedAt > YOUNG_MS);
    if (isDropped) {
      const take = endsSoon(attempt, now) ? signOf(context) : checkSoon;
      const again = take(record, (one) => one.number === number, now);
      const end = { attempt, takenAt, nextCheckAt: 'unchanged', dailyCheckAt: null } as const;
      return endCheck(record, again, end, now);
    }
    // Before an order becomes paid, the merchant is asked for its price.
    const isPriced = recheckOrder === false || now - answeredAt < PRICE_AGE_MS;
    if (paysOrder(change) && !isPriced) return { kind: 'ask_price' } as const;
    return withEnd(context, record, change, { attempt, heard, isOld, read, takenAt, now, random });
  };
  try {
    for (let record: PaymentRecord | null = before; ;) {
      const options: ChangeOptions = { record, busyCode: 'store_unavailable' };
      const changed = await changePayment(context, orderId, decide, options);
      ({ record } = changed);
      const asked = isDropped ? null : { attemptNumber: number, answer };
      if (!('kind' in changed.decision)) return { record: record ?? before, asked };
      // Outside of every transaction, and mostly once: a conflict decides again with the same price.
      price = await recheckPrice(context, orderId);
      answeredAt = context.clock.now();
    }
  } catch (error) {
    // Money that the merchant cannot take yet may be shown no more once the session has ended (N3).
    const isHookFailed = error instanceof PaymentsError && error.code === 'hook_failed';
    if (isHookFailed && answer.rows.some(isMoney))
      await leaveSign(context, attempt).catch(() => undefined);
    throw error;
  }
}

/** An older answer proves what it shows: what it does not show may have come since. */
const partOf = (answer: Answer): Answer =>
  answer.kind === 'whole' && answer.rows.length > 0 ? { ...answer, kind: 'part' } : answer;

/** Whether a later answer about an attempt was heard since. */
function isOvertaken(record: PaymentRecord, before: Attempt, askedAt: number): boolean {
  const { heardAt = 0 } = attemptOf(record, before.number) ?? {};
  return heardAt !== before.heardAt && isAfter(heardAt, askedAt);
}

/** What a status check knows when it ends. */
interface Ending {
  readonly attempt: Attempt;
  readonly heard: Awaited<ReturnType<typeof hear>>;
  readonly isOld: boolean;
  readonly read: ReturnType<typeof readAnswer>;
  readonly takenAt: number;
  readonly now: number;
  readonly random: number;
}

/** Adds to what an answer changes that its check has ended, and when the next one is. */
function withEnd<Tx>(
  context: FlowContext<Tx>,
  record: PaymentRecord,
  change: Change | null,
  { attempt, heard, isOld, read, takenAt, now, random }: Ending,
): Change {
  const { answer } = read;
  const { askedAt } = heard.answer;
  const { afterPayment } = context.watch ?? usualWatch;
  const after = change === null ? record : apply(record, change);
  const isSilent = isSilence(answer);
  const isHintOpen = isSilent || answer.hasSignOfMoney;
  const isRefused = allows[answer.kind].person === 'two hours';
  // The clock may have leapt since the question, whose answer ends no watch by that.
  const by = Math.min(now, askedAt + CHECK_LEASE_MS);
  const outcome = { isSilent, isHintOpen, isRefused, now: by, random, afterPayment };
  const next = nextCheckAt(after, attempt, outcome);
  const stored = attemptOf(record, attempt.number) ?? attempt;
  const seen = isKnown(answer) ? shownBy(stored, heard, answer.rows) : undefined;
  // An older answer may add a try, and takes none away.
  const undecided = seen?.undecided ?? stored.shown?.undecided;
  const shown = isOld && stored.shown ? { ...stored.shown, undecided } : seen;
  const daily = dailyCheckAt(after, shown === undefined ? attempt : { ...attempt, shown }, by);
  const heardAt = isKnown(answer) ? askedAt : undefined;
  const end = { attempt, takenAt, nextCheckAt: next, dailyCheckAt: daily, shown, heardAt };
  const ended = endCheck(record, change, end, now);
  return heard.hinted === undefined ? ended : endHints(record, ended, heard.hinted, read, now);
}

/**
 * What an answer shows of a link, to remember: of one that shows itself by its transactions alone, since when
 * a try is undecided. Rows alone say how a try ended: a session may lose them (N3).
 */
function shownBy(
  { shown }: Attempt,
  { answer, about }: { readonly answer: Answer; readonly about: Answer },
  rows: readonly EvidenceRow[],
): Attempt['shown'] {
  const isBySession = isOfSession(about);
  const tries = isBySession ? about.rows : rows;
  const { askedAt = 0 } = answer;
  const before = shown?.undecided;
  const ids = tries.filter(isOpenTry).map((row) => row.transactionId);
  // Several tries may bear one id, the session's (X2).
  const isNew = ids.some((id) => timesIn(ids, id) > timesIn(before?.ids ?? [], id));
  // A status that lags, or a session that is over, shows fewer tries than before.
  const all = tries.map((row) => row.transactionId);
  const isMissing = before?.ids.some((id) => timesIn(all, id) < timesIn(before.ids, id)) === true;
  const left = before && ids.length > 0 ? { ids, since: before.since } : undefined;
  const undecided = isNew ? { ids, since: askedAt } : isMissing ? before : left;
  if (!isBySession) return undecided === before ? undefined : { at: 0, ...shown, undecided };
  // A hinted transaction may be more than its session shows.
  const isDeclined = about.kind === 'whole' && areDeclined(about.rows) && areDeclined(rows);
  return { at: askedAt, isDeclined, undecided };
}

const timesIn = <Id>(ids: readonly Id[], id: Id): number => ids.filter((one) => one === id).length;

const isOpenTry = (row: EvidenceRow): boolean => isUndecided(row) && !isOfRefund(row);

/** Whether a link ends soon, or has ended: its session may show nothing then (N3). */
const endsSoon = ({ sessionId, expiresAt }: Attempt, now: number): boolean =>
  sessionId !== null && now >= expiresAt - REFUSED_MS;

/** Notes, once, that a link was shown to be paid; it is asked about again when its turn comes. */
const leaveSign = <Tx>(context: FlowContext<Tx>, { orderId, number, createdAt }: Attempt) =>
  changePayment(context, orderId, (record, now) => {
    const attempt = attemptOf(record, number);
    if (record === null || attempt === undefined || !endsSoon(attempt, now)) return null;
    const isSigned = hasSign(record.hints, SIGN_OF_MONEY, createdAt);
    if (isSigned && openHint(record, attempt) !== null) return null;
    const signed = noteSignOfMoney(record, (one) => one.number === number, now);
    const turn = { nextCheckAt: now + CHECK_LEASE_MS };
    return signed && { ...signed, attempts: signed.attempts.map((one) => ({ ...one, ...turn })) };
  });

/** Notes a sign; where ids are asked about, it was left before. */
export const signOf = <Tx>({ readings }: FlowContext<Tx>, sign = noteSignOfMoney) =>
  (readings ?? sessionReadings).asksFor === 'session' ? sign : takeHint;

/** What the gateway says about an attempt, and about its session. */
async function hear<Tx>(context: FlowContext<Tx>, record: PaymentRecord, attempt: Attempt) {
  const { unknownLinks, store } = context;
  const { orderId, sessionId } = attempt;
  const askedAt = context.clock.now();
  const said = await withSigned(context, orderId, await askAttempt(context, record, attempt));
  const { answer, hinted } = sealTokens(context, orderId, said);
  if (sessionId !== null && (hinted === undefined || isOfSession(answer)))
    await unknownLinks?.note(store, attempt, answer, askedAt);
  const about = hinted?.session ?? answer;
  const isForeign = (await unknownLinks?.isForeign(store, attempt, about, askedAt)) === true;
  return { answer: { ...answer, askedAt }, about, hinted, isForeign };
}

/** Adds to money that a return named which transactions signed webhooks name for other orders. */
async function withSigned<Tx>(
  { store, clock }: FlowContext<Tx>,
  orderId: string,
  { answer, hinted }: Heard,
): Promise<Heard> {
  if (hinted === undefined) return { answer };
  const rows = hinted.rows.map(async (one) => {
    if (one.hint.source !== 'return' || !isMoney(one.row)) return one;
    const named = { id: one.row.transactionId, orderId };
    const [all = 0, ours = 0] = await countSigned(store, named, 0, clock.now());
    return { ...one, isElsewhere: all > 0 && ours === 0 };
  });
  return { answer, hinted: { ...hinted, rows: await Promise.all(rows) } };
}

/** No token of the gateway goes further than this, except encrypted. */
function sealTokens<Tx>(
  { recurringTokens }: FlowContext<Tx>,
  orderId: string,
  { answer, hinted }: Heard,
): Heard {
  const sealed = (row: EvidenceRow): EvidenceRow =>
    row.recurringToken === undefined
      ? row
      : { ...row, recurringToken: recurringTokens.seal(orderId, row.recurringToken) };
  return {
    answer: { ...answer, rows: answer.rows.map(sealed) },
    hinted: hinted && {
      ...hinted,
      rows: hinted.rows.map((one) => ({ ...one, row: sealed(one.row) })),
    },
  };
}

function logWhatIsMissing<Tx>(
  { logger }: FlowContext<Tx>,
  { orderId, number }: Attempt,
  answer: Answer,
): void {
  const { code, httpStatus } = answer;
  if (code === undefined) return;
  const unreadableMoney = answer.unreadableMoney + answer.unreadableIds.length;
  const given = isKnown(answer) ? 'a part of its answer only' : 'no evidence';
  const fields = { orderId, attempt: number, code, httpStatus, unreadableMoney };
  logger.warn(fields, `the gateway gave ${given}`);
}

/** Counts a status check by what the payment is after it; only where the gateway was asked. */
function reportOf({ record, asked }: StatusCheck): Attributes {
  if (asked === null) return { asked: false };
  const verdict = allows[asked.answer.kind].isFull
    ? (record?.payment.state ?? 'unpaid')
    : 'no_answer';
  countOne('confirmations', { verdict, trigger: currentActivity()?.trigger ?? 'call' });
  return { asked: true, attempt: asked.attemptNumber, verdict };
}
