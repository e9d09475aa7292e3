import { afterEach, expect, it } from 'vitest';
import { statusAnswer } from '../../test-support/scripted-gateway.ts';
import { createPayments, type Payments, type Transport } from '../index.ts';
import { manualClock, memoryStore } from '../testing.ts';

/** What the gateway may send in ten seconds, as far as we let it touch us. */
const WEBHOOKS = 10_000;
const TENTHS = 100;
const ORDERS = ['1001', '1002', '1003'];

let payments: Payments;
afterEach(() => payments.close());

it('ten thousand webhooks in ten seconds ask the gateway once in five seconds for each order', async () => {
  const clock = manualClock();
  /** When the gateway was asked, by session. */
  const asked = new Map<string, number[]>();
  const transport: Transport = {
    send: async ({ method, path }) => {
      const id = path.split('id=')[1] ?? '';
      if (method === 'GET') asked.set(id, [...(asked.get(id) ?? []), clock.now()]);
      const created = { id: crypto.randomUUID(), redirectUrl: 'https://gateway.example/checkout' };
      const body = JSON.stringify(method === 'GET' ? statusAnswer([]) : created);
      return { status: method === 'GET' ? 200 : 201, headers: {}, body };
    },
    close: async () => undefined,
  };
  payments = createPayments({
    gateway: {
      environment: 'staging',
      baseUrl: 'http://127.0.0.1:1/v1',
      apiKey: 'key-1',
      transport,
    },
    publicUrl: 'https://shop.example',
    tokenSecrets: ['5f1c0a7be2d94f36a8c07d11e93b42f6'],
    store: memoryStore(),
    clock,
    loadOrder: (orderId) => ({ orderId, amount: '1.00', customer: { phone: '0501234567' } }),
    pages: { success: '/thanks', pending: '/wait', failure: '/retry' },
  });
  for (const orderId of ORDERS) await payments.ensureLink(orderId);
  const answers: Promise<number>[] = [];
  for (let tenth = 0; tenth < TENTHS; tenth += 1) {
    for (let index = 0; index < WEBHOOKS / TENTHS; index += 1) answers.push(deliver(index));
    // The checks that follow are on their way before time passes.
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(100);
  }
  expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
  expect(asked.size).toBe(ORDERS.length);
  for (const times of asked.values()) {
    expect(times).toHaveLength(2);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(5_000);
  }
});

/** By `payments.handle`, which spends its time on the route and not on ten thousand connections. */
async function deliver(index: number): Promise<number> {
  const merchantOrderId = `${ORDERS[index % ORDERS.length]}~1`;
  const request = new Request('https://shop.example/pay/webhook', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ merchantOrderId, status: 'Approved' }),
  });
  return (await payments.handle(request)).status;
}
