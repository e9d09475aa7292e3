import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { manualClock, type ManualClock } from '../doubles/manual-clock.ts';
import type { SeenRequest } from '../../test-support/scripted-gateway.ts';
import { expectProblem, type Reply, Shop } from '../../test-support/shop.ts';
import type { Order } from '../options/payments-options.ts';

const LIMIT_MS = 12_000;

describe('a checkout whose gateway hangs', () => {
  let shop: Shop;
  let clock: ManualClock;
  /** How many checkouts have begun. */
  let asked: number;
  /** What the gateway was asked and has not answered. */
  let held: (readonly [SeenRequest, ServerResponse])[];

  beforeEach(async () => {
    clock = manualClock();
    held = [];
    asked = 0;
    const loadOrder = (orderId: string): Order | null => {
      asked += 1;
      return shop.orders.get(orderId) ?? null;
    };
    shop = await Shop.start({ payments: { clock, loadOrder } });
    onTestFinished(async () => {
      shop.gateway.script = undefined;
      for (const [, response] of held) response.destroy();
      await late(shop.close());
    });
  });

  const hang = (path: RegExp): void => {
    shop.gateway.script = (request, response) => {
      if (path.test(request.path)) held.push([request, response]);
      else shop.gateway.answerUsually(request, response);
    };
  };
  const isHeld = (count = 1): Promise<void> =>
    vi.waitFor(() => expect(held).toHaveLength(count), { timeout: 20_000 });

  /** Answers what was held, as if the gateway had only been slow. */
  async function answer(): Promise<void> {
    const [request, response] = held.shift() ?? [];
    if (request === undefined || response === undefined) throw new Error('nothing is held');
    shop.gateway.answerUsually(request, response);
    if (!response.writableFinished) await once(response, 'finish');
  }

  /** What a checkout comes to when its time is up. */
  async function late<T>(checkout: Promise<T>): Promise<T> {
    const waiting = new Set<unknown>([checkout]);
    const over = (): boolean => waiting.delete(checkout);
    checkout.then(over, over);
    await clock.advance(LIMIT_MS);
    // No time passes, but who waits for this moment may have begun to only just now.
    while (waiting.size > 0) await clock.advance(0).then(() => nextTurn());
    return checkout;
  }

  const checkOut = () => shop.checkout({ orderId: '1001' });

  /** A checkout, or what else it is, that begins while the gateway hangs. */
  async function hanging<T = Reply>(begin: () => Promise<T>, path = /intiate$/): Promise<T> {
    hang(path);
    const checkout = begin();
    await isHeld();
    return late(checkout);
  }

  it('answers 504 within 12 seconds, and offers the late link on the next click, by one create call', async () => {
    const reply = await hanging(checkOut);
    expectProblem(reply, 504, 'gateway_timeout');
    expect(reply.headers['retry-after']).toMatch(/^\d+$/);
    expect(reply.json['detail']).toContain('no new payment page yet');
    expect(shop.logged.join()).toContain('gateway_timeout');
    const second = checkOut();
    await expect.poll(() => asked).toBe(2);
    expectProblem(await late(second), 504, 'gateway_timeout');
    expect(shop.gateway.creates).toHaveLength(1);
    await answer();
    await expect.poll(() => shop.payments.retrieve('1001')).toMatchObject({ state: 'pending' });
    const link = await checkOut();
    expect(link.status).toBe(201);
    expect(link.json['redirectUrl']).toContain('/checkout?sessionId=');
    expect(shop.gateway.creates).toHaveLength(1);
  });

  it('lets the shopper who clicks again have the link as soon as it comes', async () => {
    await hanging(checkOut);
    const second = checkOut();
    await expect.poll(() => asked).toBe(2);
    await answer();
    expect((await second).status).toBe(201);
    expect(shop.gateway.creates).toHaveLength(1);
  });

  it('makes a fresh link after a create call that came to nothing', async () => {
    await hanging(checkOut);
    shop.gateway.script = undefined;
    held.shift()?.[1].destroy();
    await expect.poll(() => shop.logged.join()).toContain('came to nothing');
    expect((await checkOut()).status).toBe(201);
    expect(shop.gateway.creates).toHaveLength(2);
  });

  it('answers in time when the question before a second link hangs', async () => {
    await shop.open();
    shop.reprice('99.00');
    await clock.advance(10_000);
    expectProblem(await hanging(checkOut, /status$|intiate$/), 504, 'gateway_timeout');
  });

  it('answers a form with a page', async () => {
    const html = { accept: 'text/html' };
    const reply = await hanging(() => shop.submit('/pay/checkout', 'orderId=1001', html));
    expect(reply.status).toBe(504);
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(reply.text).toContain('takes longer than usual.');
    expect(reply.text).toContain('أطول من المعتاد');
  });

  it('answers the shop’s own call alike', async () => {
    const error = await hanging(() =>
      shop.payments.ensureLink('1001').catch((one: unknown) => one),
    );
    expect(error).toMatchObject({ name: 'PaymentsError', code: 'gateway_timeout' });
  });
});
