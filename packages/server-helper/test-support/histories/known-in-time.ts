import { transactionId } from '../../src/ids.ts';
import type { Attempt } from '../../src/payments/attempt.ts';
import type { PaymentRecord } from '../../src/payments/record.ts';
import { usualWatch } from '../../src/payments/watch.ts';
import type { OrderId } from '../order-ids.ts';
import type { SimulatedSession } from '../simulated-gateway.ts';
import { type Ending, finish, MINUTE_MS, SECOND_MS, tickUntil } from './ending.ts';
import { hold } from './hold.ts';
import type { Shop } from './shop.ts';
import { unknownOf } from './unknown-truth.ts';

/** Some truth of the gateway about an order, and when it must be known here at the latest. */
interface Expected {
  readonly orderId: OrderId;
  readonly attempt: Attempt;
  readonly session: SimulatedSession;
  readonly rule: string;
  readonly knownBy: number;
}

/** Money that was paid, and whatever became of it at the gateway, is known in time. */
export async function moneyIsKnown(ending: Ending): Promise<void> {
  const { shop } = ending;
  const expected = await expectations(ending);
  const times = [...new Set(expected.map(({ knownBy }) => knownBy))].toSorted((a, b) => a - b);
  for (const time of times) {
    await tickUntil(ending, time);
    for (const { orderId, attempt, session, rule } of expected.filter(
      ({ knownBy }) => knownBy === time,
    )) {
      const record = await shop.record(orderId);
      const missing = record === null ? ['all'] : unknownOf(record, attempt, session);
      hold(missing.length === 0, rule, [missing, session, record]);
    }
  }
}

/** A hint about some of it; the rest must be found without any. */
async function expectations(ending: Ending): Promise<readonly Expected[]> {
  const { shop } = ending;
  const begun = shop.timeline.now;
  const expected: Expected[] = [];
  const hints: Promise<void>[] = [];
  for (const session of shop.gateway.sessions.values()) {
    const orderId = session.orderId as OrderId;
    const record = await shop.record(orderId);
    const attempt = record?.attempts.find((one) => one.merchantOrderId === session.name);
    if (record === null || attempt === undefined) continue;
    if (unknownOf(record, attempt, session).length === 0) continue;
    const isPaid = attempt.state === 'succeeded';
    if (!isPaid && !shop.handedOut.has(session.id)) continue;
    const isHinted = shop.lastChance.is(isPaid ? 0.75 : 0.5);
    // Of a session that is never asked about, only the id of a transaction tells.
    if (!isPaid && !isHinted && shop.asksFor === 'transaction') continue;
    if (isHinted) hints.push(hint(shop, session));
    const scheduled = isPaid ? afterPayment(shop, record, attempt) : limitOf(shop, attempt);
    // An answer of before the time at which a clock that ran ahead recorded money does not contradict it.
    const isByNow = record.ledger.every(({ recordedAt }) => recordedAt <= begun);
    const limitMs = isHinted && isByNow ? MINUTE_MS : scheduled;
    if (limitMs === null) continue;
    const rule = isPaid
      ? `I18: what becomes of paid money is known within ${isHinted ? '60 s' : 'its schedule'}`
      : `liveness: money is known within ${limitMs / SECOND_MS} s`;
    expected.push({ orderId, attempt, session, rule, knownBy: begun + limitMs });
  }
  await finish(ending, begun + SECOND_MS, Promise.all(hints));
  return expected;
}

/** A signed webhook about a session's last transaction. */
async function hint(shop: Shop, { orderId, name, transactions }: SimulatedSession): Promise<void> {
  const flows = shop.process(0)?.flows;
  const last = transactions.at(-1);
  if (shop.asksFor !== 'session' && last !== undefined) {
    const named = { transactionId: transactionId(last.id), source: 'signed' as const };
    await flows?.noteTransactions(orderId, [named]);
  }
  await flows?.hint(name);
}

/** How soon unpaid money is found without any hint; `null` when only by its schedule. */
function limitOf({ timeline: { now }, awaySince }: Shop, attempt: Attempt): number | null {
  // The age of a link that a clock made which ran ahead is not known.
  if (attempt.createdAt > now) return null;
  // An order's several links have their turns, five seconds apart.
  if (now - attempt.createdAt < 15 * MINUTE_MS) return 5.5 * MINUTE_MS;
  // One that was asked about in vain is asked about again soon, as long as it can be paid.
  const wasAway =
    awaySince !== undefined && (attempt.lastCheckAt ?? 0) > awaySince + 10 * SECOND_MS;
  return wasAway && now < attempt.expiresAt ? 15 * MINUTE_MS : null;
}

/**
 * How soon a change of paid money is found without any hint; `null` when the schedule is over. A clock that
 * leapt may have put it off, or ended it.
 */
function afterPayment(
  { timeline: { now }, hasLeapt }: Shop,
  { ledger }: PaymentRecord,
  { number }: Attempt,
): number | null {
  if (hasLeapt) return null;
  const own = ledger.filter(({ attemptNumber }) => attemptNumber === number);
  const paid = own.filter(({ kind }) => kind !== 'charge');
  // A recurring charge begins the schedule anew, at the next check.
  const times = [own, paid].map((rows) => {
    const paidAt = Math.max(...rows.map(({ recordedAt }) => recordedAt));
    const age = usualWatch.afterPayment.find((one) => paidAt + one > now);
    return age === undefined ? Infinity : paidAt + age;
  });
  const latest = Math.max(...times);
  // Several links have their turns.
  return latest === Infinity ? null : latest - now + MINUTE_MS;
}
