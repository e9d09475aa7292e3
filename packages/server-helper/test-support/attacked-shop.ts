import { setImmediate } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { type Clock, systemClock } from '../src/clock.ts';
import { memoryStore } from '../src/testing.ts';
import { statusRow } from './scripted-gateway.ts';
import type { ShopOptions } from './shop.ts';
import { TransactionShop } from './transaction-gateway.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** What a row says of a card that was refused. */
export const failed = { transactionStatus: 'FAILED', paymentStatus: 'DECLINED' };
export const declined = statusRow(failed);

/** A person has the order's link for want of evidence. */
export const inReview = [['1001', 'no_evidence']];

type Status = Parameters<typeof TransactionShop.start>[0];

/** A shop at a scripted gateway, which a test closes at its end. */
export async function start(
  session: object = {},
  status: Status = { asksFor: 'session' },
  options: ShopOptions = {},
): Promise<TransactionShop> {
  const at = await TransactionShop.start(status, { ...options, profile: { session } });
  onTestFinished(() => at.shop.close());
  return at;
}

export const outcome = async (at: TransactionShop) => [await at.state(), await at.reviews()];

/** The status of the order's next checkout. */
export async function checkout(at: TransactionShop): Promise<number> {
  at.shop.later();
  return (await at.shop.checkout({ orderId: '1001' })).status;
}

/** A shop with some API keys, and the ways to start it again with others. */
export async function withKeys(
  former: readonly string[],
  session: object = {},
  status: Status = { asksFor: 'session' },
  more: object = {},
) {
  const payments = { store: memoryStore(), limits: false, ...more } as const;
  const shopWith = (apiKey: readonly string[]) =>
    TransactionShop.start(status, { apiKey, payments, profile: { session } });
  const first = await shopWith(former);
  const next = async (apiKey: readonly string[]) => {
    const at = await shopWith(apiKey);
    onTestFinished(() => at.shop.close());
    return at;
  };
  return { first, next };
}

/** The other account makes other sessions. */
export async function skipSessions(at: TransactionShop, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1)
    await fetch(`${at.shop.gateway.baseUrl}/payment/checkout/intiate`);
}

/** A shop whose clock leaps. */
export async function startLeaping(status: Status, payments: ShopOptions['payments'] = {}) {
  const time = new LeapingClock();
  const at = await start({}, status, { payments: { ...payments, clock: time.clock } });
  return { at, time };
}

/** A clock that leaps, and whose time passes tick by tick. */
class LeapingClock {
  #passed = 0;
  /** By how much the time of day is ahead of the time that has passed, in milliseconds. */
  leap = 0;
  readonly clock: Clock = {
    now: () => Date.now() + this.#passed + this.leap,
    monotonic: () => performance.now() + this.#passed,
    sleep: (by, signal) => {
      if (signal !== undefined) return systemClock.sleep(by, signal);
      this.#passed += by;
      return setImmediate();
    },
  };

  async pass(at: TransactionShop, by: number, ticks: number): Promise<void> {
    for (let tick = 0; tick < ticks; tick += 1) {
      this.#passed += by / ticks;
      await at.shop.payments.tick();
    }
  }
}
