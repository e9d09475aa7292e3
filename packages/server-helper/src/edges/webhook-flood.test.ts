import { expect, it, onTestFinished } from 'vitest';
import { statusAnswer } from '../../test-support/scripted-gateway.ts';
import { someOptions } from '../../test-support/some-options.ts';
import { createPayments, type Payments, type Transport } from '../index.ts';
import { manualClock } from '../testing.ts';

/** What the gateway may send in ten seconds, as far as we let it touch us. */
const WEBHOOKS = 10_000;
const TENTHS = 100;
const ORDERS = ['1001', '1002', '1003'];

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
  const options = someOptions();
  const payments = createPayments({
    ...options,
    gateway: { ...options.gateway, transport },
    clock,
    loadOrder: (orderId) => ({ orderId, amount: '1.00', customer: { phone: '0501234567' } }),
  });
  onTestFinished(() => payments.close());
  for (const orderId of ORDERS) await payments.ensureLink(orderId);
  const answers: Promise<number>[] = [];
  for (let tenth = 0; tenth < TENTHS; tenth += 1) {
    for (let index = 0; index < WEBHOOKS / TENTHS; index += 1)
      answers.push(deliver(payments, index));
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
async function deliver(payments: Payments, index: number): Promise<number> {
  const merchantOrderId = `${ORDERS[index % ORDERS.length]}~1`;
  const request = new Request('https://shop.example/pay/webhook', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ merchantOrderId, status: 'Approved' }),
  });
  return (await payments.handle(request)).status;
}
