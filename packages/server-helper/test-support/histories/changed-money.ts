import type { Attempt } from '../../src/payments/attempt.ts';
import type { PaymentRecord } from '../../src/payments/payment-record.ts';
import { usualWatch } from '../../src/payments/watch.ts';
import { ORDER_IDS, type OrderId } from '../order-ids.ts';
import { hold } from './hold.ts';
import type { Shop } from './shop.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** An order's links have their turns, and a claim may wait for the allowance. */
const TURNS_MS = 10 * MINUTE_MS;
/** No operation of a history has this amount. */
const ODD_MINOR_UNITS = 7;

/** A refund that was made on the dashboard, and when it must be known at the latest. */
interface Refunded {
  readonly orderId: OrderId;
  readonly total: number;
  readonly knownBy: number;
}

/**
 * I18: what becomes of a paid order's money at the gateway is known, by a hint soon and without one
 * by the schedule.
 *
 * @param tickUntil - Does the background work until a moment.
 */
export async function changesAreKnown(
  shop: Shop,
  tickUntil: (moment: number) => Promise<void>,
): Promise<void> {
  const refunds: Refunded[] = [];
  for (const orderId of ORDER_IDS) {
    const refunded = await refundElsewhere(shop, orderId);
    if (refunded !== null) refunds.push(refunded);
  }
  for (const refunded of refunds.toSorted((a, b) => a.knownBy - b.knownBy)) {
    await tickUntil(refunded.knownBy);
    const record = await shop.record(refunded.orderId);
    const isKnown = record?.payment.refundedMinorUnits === refunded.total;
    hold(isKnown, 'I18: a refund made elsewhere is known by the schedule', [refunded, record]);
  }
}

async function refundElsewhere(shop: Shop, orderId: OrderId): Promise<Refunded | null> {
  const record = await shop.record(orderId);
  const id = record?.payment.transactionId ?? null;
  const transaction = id === null ? undefined : shop.gateway.transactions.get(id);
  const attempt = record === null ? undefined : paidAttempt(record);
  if (record === null || transaction?.state !== 'captured' || attempt === undefined) return null;
  const before = transaction.refunds.reduce((sum, { minorUnits }) => sum + minorUnits, 0);
  if (before + ODD_MINOR_UNITS > transaction.capturedMinorUnits) return null;
  transaction.refunds.push({ minorUnits: ODD_MINOR_UNITS, isSettled: true });
  const { now } = shop.timeline;
  const scheduled = nextBySchedule(record, attempt, now);
  const isHinted = scheduled === null || shop.chance.is(0.5);
  if (isHinted) void shop.process(0)?.flows.hint(attempt.merchantOrderId);
  const knownBy = isHinted ? now + MINUTE_MS : scheduled + TURNS_MS;
  return { orderId, total: before + ODD_MINOR_UNITS, knownBy };
}

const paidAttempt = ({ payment, ledger, attempts }: PaymentRecord): Attempt | undefined => {
  const row = ledger.find(({ transactionId }) => transactionId === payment.transactionId);
  return attempts.find(({ number }) => number === row?.attemptNumber);
};

/** When a session that was paid is checked next without a hint; `null` for never. */
function nextBySchedule(
  { ledger }: PaymentRecord,
  { number, state }: Attempt,
  now: number,
): number | null {
  if (state === 'open') return now + 30 * HOUR_MS;
  if (state !== 'succeeded') return null;
  const own = ledger.filter(({ attemptNumber }) => attemptNumber === number);
  const paidAt = Math.max(...own.map(({ recordedAt }) => recordedAt));
  const age = usualWatch.afterPayment.find((one) => paidAt + one > now);
  return age === undefined ? null : paidAt + age;
}
