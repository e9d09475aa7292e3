import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { statusRow } from '../../test-support/scripted-gateway.ts';
import { Shop, type ShopOptions } from '../../test-support/shop.ts';
import { manualClock } from '../doubles/manual-clock.ts';
import { ConfigurationError, type ErrorHandler, type ErrorPlace } from '../index.ts';

const ORDER = '1001';
const OWN = new RangeError('canary: the shelf is empty');

let shop: Shop;
let console: MockInstance<typeof globalThis.console.error>;
beforeEach(() => {
  console = vi.spyOn(globalThis.console, 'error').mockImplementation(() => undefined);
});
afterEach(async () => {
  await shop.close();
  vi.restoreAllMocks();
});

const onConsole = (): string[] => console.mock.calls.map((given) => given.map(String).join(' '));

const fail = (): never => {
  throw OWN;
};

/** What `onError` is given in a shop of these options. */
async function heard(
  payments: ShopOptions['payments'],
  onError?: ErrorHandler,
): Promise<(readonly [unknown, ErrorPlace])[]> {
  const given: (readonly [unknown, ErrorPlace])[] = [];
  shop = await Shop.start({
    payments: {
      ...payments,
      onError: (error, place) => {
        given.push([error, place]);
        return onError?.(error, place);
      },
    },
  });
  return given;
}

/** Lets the gateway say that the order is paid. */
async function paidAtGateway(): Promise<string> {
  const { session, status } = await shop.open(ORDER);
  shop.gateway.rows.set(session, [statusRow({ transactionId: randomUUID() })]);
  shop.later();
  return status;
}

describe('onError gets the exception itself, and the console nothing,', () => {
  it('of loadOrder, and the browser learns nothing of it', async () => {
    const given = await heard({ loadOrder: fail });
    const reply = await shop.checkout({ orderId: ORDER });
    expect(reply.json).toMatchObject({ status: 500, code: 'internal_error' });
    expect(reply.text).not.toContain('shelf');
    expect(given).toEqual([[OWN, { where: 'loadOrder', orderId: ORDER }]]);
    expect(onConsole()).toEqual([]);
  });

  it('of inTransaction, while the caller gets hook_failed', async () => {
    const given = await heard({ inTransaction: fail });
    await paidAtGateway();
    await expect(shop.payments.confirm(ORDER)).rejects.toMatchObject({ code: 'hook_failed' });
    expect(given).toEqual([[OWN, { where: 'inTransaction', orderId: ORDER }]]);
    expect(onConsole()).toEqual([]);
  });

  it('of a handler, with its event', async () => {
    const given = await heard({ on: { paid: fail } });
    await paidAtGateway();
    await shop.payments.confirm(ORDER);
    await shop.payments.tick();
    const place = { where: 'on.paid', orderId: ORDER, eventId: expect.any(String) };
    expect(given).toEqual([[OWN, place]]);
    expect(onConsole()).toEqual([]);
  });

  it('of limits.shopperKey, and the shopper may pay', async () => {
    const given = await heard({ limits: { shopperKey: fail } });
    expect((await shop.checkout({ orderId: ORDER })).status).toBe(201);
    expect(given).toEqual([[OWN, { where: 'limits.shopperKey', orderId: ORDER }]]);
    expect(onConsole()).toEqual([]);
  });

  it('of the background work, once a minute', async () => {
    const clock = manualClock();
    const given = await heard({ clock });
    shop.isStoreDown = true;
    shop.payments.start();
    for (let second = 0; second < 50; second += 1) await clock.advance(1_000);
    const unavailable = expect.objectContaining({ code: 'store_unavailable' }) as unknown;
    expect(given).toEqual([[unavailable, { where: 'background' }]]);
    for (let second = 0; second < 20; second += 1) await clock.advance(1_000);
    expect(given).toHaveLength(2);
  });
});

it.each([
  ['throws', fail],
  ['rejects', () => Promise.reject(OWN)],
])('an onError that %s stops nothing, and the console has both errors', async (_how, onError) => {
  const first = new TypeError('canary: no stock of article 7');
  await heard(
    {
      inTransaction: () => {
        throw first;
      },
    },
    onError,
  );
  await paidAtGateway();
  await expect(shop.payments.confirm(ORDER)).rejects.toMatchObject({ cause: first });
  await expect.poll(() => onConsole()).toHaveLength(2);
  expect(onConsole()[0]).toContain(first.stack);
  expect(onConsole()[1]).toMatch(/onError failed for order 1001.*the shelf is empty/s);
});

describe('a shop without logger and onError reads on the console', () => {
  const silent = { logger: undefined as never };

  it('why its background work does nothing, once a minute', async () => {
    const clock = manualClock();
    const mistake = new ConfigurationError('store_of_another_release', 'A newer release was here.');
    shop = await Shop.start({
      onStoreCall: (name) => {
        if (name === 'open') throw mistake;
      },
      payments: { ...silent, clock },
    });
    shop.payments.start();
    for (let second = 0; second < 50; second += 1) await clock.advance(1_000);
    expect(onConsole()).toEqual([expect.stringMatching(/background failed:.*newer release/s)]);
  });

  it('that a request met a hook which the store cannot take', async () => {
    shop = await Shop.start({ payments: { ...silent, inTransaction: () => Promise.resolve() } });
    const status = await paidAtGateway();
    expect((await shop.send(status)).json).toMatchObject({ code: 'internal_error' });
    expect(onConsole()).toEqual([
      expect.stringMatching(/request failed:.*inTransaction must be synchronous/s),
    ]);
  });
});
