import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { everyStore, type StoreName } from '../../test-support/every-store.ts';
import { startShop } from '../../test-support/shop-of-test.ts';
import type { Shop, ShopOptions } from '../../test-support/shop.ts';
import { manualClock } from '../doubles/manual-clock.ts';
import { ConfigurationError, type ErrorHandler, type ErrorPlace } from '../index.ts';
import type { PostgresTransaction } from '../stores/postgres/connections.ts';

const ORDER = '1001';

let shop: Shop;
let console: MockInstance<typeof globalThis.console.error>;
beforeEach(() => {
  console = vi.spyOn(globalThis.console, 'error').mockImplementation(() => undefined);
});
afterEach(() => void vi.restoreAllMocks());

const reported = (): string[] => console.mock.calls.map((given) => given.map(String).join(' '));

/** A shop whose order the gateway says is paid, and where its status is asked for. */
async function startPaid(payments: ShopOptions['payments'] = {}, name?: StoreName) {
  shop = await startShop({ payments }, name);
  return paidAtGateway();
}

/** Lets the gateway say that the order is paid. */
async function paidAtGateway(): Promise<string> {
  const { session, status } = await shop.open(ORDER);
  shop.shows(session, { transactionId: randomUUID() });
  shop.later();
  return status;
}

const OWN = new RangeError('canary: the shelf is empty', { cause: new Error('canary: why') });

const fail = (): never => {
  throw OWN;
};

/** What `onError` is given in a shop of these options. */
async function heard(payments: ShopOptions['payments'], onError?: ErrorHandler) {
  const given: (readonly [unknown, ErrorPlace])[] = [];
  shop = await startShop({
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

describe.each(everyStore)('on the %s store', (name) => {
  it('a hook that throws is reported whole, once, and never as the store’s failure', async () => {
    const own = new TypeError('canary: no stock of article 7');
    let fails = true;
    let runs = 0;
    const inTransaction = (_tx: unknown, event: object): void => {
      Object.assign(event, { id: 'changed' }); // Not what is stored.
      if (fails) throw own;
      runs += 1;
    };
    const status = await startPaid({ inTransaction }, name);
    await expect(shop.payments.confirm(ORDER)).rejects.toMatchObject({
      name: 'PaymentsError',
      code: 'hook_failed',
      cause: own,
    });
    expect(reported()).toHaveLength(1);
    expect(reported()[0]).toMatch(/inTransaction.*order 1001: http.*errors\.md#hook_failed$/m);
    expect(reported()[0]).toContain(own.stack);
    expect(shop.logged.join('\n')).not.toMatch(/store_unavailable|without an answer|canary/);
    shop.later();
    const reply = await shop.send(status);
    expect(reply.json).toMatchObject({ status: 503, code: 'hook_failed' });
    expect(reply.text).not.toContain('canary');
    expect(reported()).toHaveLength(2);
    expect(await shop.payments.retrieve(ORDER)).toMatchObject({ state: 'pending' });
    fails = false;
    shop.later();
    expect(await shop.payments.confirm(ORDER)).toMatchObject({ state: 'paid' });
    expect(runs).toBe(1);
    const { effects } = (await shop.payments.explain(ORDER)) ?? {};
    expect(effects).toMatchObject([{ eventId: expect.stringContaining('/paid/') }]);
  });

  it('what a hook throws that is no error is reported as it is', async () => {
    const thrown: unknown = undefined;
    const inTransaction = (): never => {
      throw thrown;
    };
    await startPaid({ inTransaction }, name);
    await expect(shop.payments.confirm(ORDER)).rejects.toMatchObject({ code: 'hook_failed' });
    expect(reported()[0]).toMatch(/inTransaction.*order 1001.*\nundefined/s);
  });
});

describe('on PostgreSQL', () => {
  const onPostgres = (hook: (tx: PostgresTransaction) => Promise<unknown>, more: object = {}) => {
    const inTransaction = async (tx: unknown) => void (await hook(tx as PostgresTransaction));
    return startPaid({ inTransaction, ...more }, 'PostgreSQL');
  };

  it('an SQL error of a hook is reported in the database’s own words', async () => {
    await onPostgres((tx) => tx.query('INSERT INTO no_such_table VALUES (1)'));
    await expect(shop.payments.confirm(ORDER)).rejects.toMatchObject({
      code: 'hook_failed',
      cause: { code: '42P01' },
    });
    expect(reported()).toEqual([
      expect.stringContaining('relation "no_such_table" does not exist'),
    ]);
  });

  it('a hook that hangs ends by hookTimeoutMs, and that is reported', async () => {
    await onPostgres(() => new Promise(() => undefined), { hookTimeoutMs: 150 });
    await expect(shop.payments.confirm(ORDER)).rejects.toMatchObject({ code: 'hook_failed' });
    expect(reported()).toEqual([expect.stringContaining('hookTimeoutMs, 150 ms')]);
  });

  it('a connection that is lost while a hook works is the store’s failure, not the hook’s', async () => {
    await onPostgres((tx) => tx.query('SELECT pg_terminate_backend(pg_backend_pid())'));
    await expect(shop.payments.confirm(ORDER)).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(reported().filter((text) => text.includes('inTransaction'))).toEqual([]);
  });
});

/** Where the shop's own code may throw, and what its caller gets. */
const places: Readonly<
  Record<string, [options: NonNullable<ShopOptions['payments']>, act: () => Promise<unknown>]>
> = {
  loadOrder: [
    { loadOrder: fail },
    async () => {
      const reply = await shop.checkout({ orderId: ORDER });
      expect(reply.json).toMatchObject({ status: 500, code: 'internal_error' });
      expect(reply.text).not.toContain('canary');
    },
  ],
  inTransaction: [
    { inTransaction: fail },
    async () => {
      await paidAtGateway();
      await expect(shop.payments.confirm(ORDER)).rejects.toMatchObject({ code: 'hook_failed' });
    },
  ],
  'on.paid': [
    { on: { paid: () => setImmediate().then(fail) } },
    async () => {
      await paidAtGateway();
      await shop.payments.confirm(ORDER);
      await shop.payments.tick();
    },
  ],
  'limits.shopperKey': [
    { limits: { shopperKey: fail } },
    async () => expect((await shop.checkout({ orderId: ORDER })).status).toBe(201),
  ],
};

describe.each(Object.entries(places))('an exception of %s', (where, [options, act]) => {
  it('is reported whole on the console, once, with its order', async () => {
    shop = await startShop({ payments: options });
    await act();
    expect(reported()).toHaveLength(1);
    expect(reported()[0]).toContain(where);
    expect(reported()[0]).toMatch(where === 'on.paid' ? /order 1001.*event / : /order 1001/);
    expect(reported()[0]).toContain(OWN.stack);
    expect(reported()[0]).toContain('canary: why');
  });

  it('is given to onError itself, and the console gets nothing', async () => {
    const given = await heard(options);
    await act();
    const event = where === 'on.paid' ? { eventId: expect.any(String) as unknown } : {};
    expect(given).toEqual([[OWN, { where, orderId: ORDER, ...event }]]);
    expect(reported()).toEqual([]);
  });
});

it('onError and the log get the exceptions of the background work, once a minute', async () => {
  const clock = manualClock();
  const given = await heard({ clock });
  shop.isStoreDown = true;
  shop.payments.start();
  const lines = () => shop.logged.filter((line) => line.includes('background work failed'));
  // Three loops work, each again after a second.
  for (let second = 0; second < 50; second += 1) await clock.advance(1_000);
  const unavailable = expect.objectContaining({ code: 'store_unavailable' }) as unknown;
  expect(given).toEqual([[unavailable, { where: 'background' }]]);
  expect(lines()).toHaveLength(1);
  for (let second = 0; second < 20; second += 1) await clock.advance(1_000);
  expect(given).toHaveLength(2);
  expect(lines()).toHaveLength(2);
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
  await expect.poll(() => reported()).toHaveLength(2);
  expect(reported()[0]).toContain(first.stack);
  expect(reported()[1]).toMatch(/onError failed for order 1001.*the shelf is empty/s);
});

describe('a shop without logger and onError reads on the console', () => {
  const silent = { logger: undefined as never };

  it('why its background work does nothing, once a minute', async () => {
    const clock = manualClock();
    const mistake = new ConfigurationError('store_of_another_release', 'A newer release was here.');
    shop = await startShop({
      onStoreCall: (name) => {
        if (name === 'open') throw mistake;
      },
      payments: { ...silent, clock },
    });
    shop.payments.start();
    for (let second = 0; second < 50; second += 1) await clock.advance(1_000);
    expect(reported()).toEqual([expect.stringMatching(/background failed:.*newer release/s)]);
  });

  it('that a request met a hook which the store cannot take', async () => {
    // PostgreSQL takes a hook that waits.
    const waits = { ...silent, inTransaction: () => Promise.resolve() };
    shop = await startShop({ payments: waits }, 'memory');
    const status = await paidAtGateway();
    expect((await shop.send(status)).json).toMatchObject({ code: 'internal_error' });
    expect(reported()).toEqual([
      expect.stringMatching(/request failed:.*inTransaction must be synchronous/s),
    ]);
  });
});
