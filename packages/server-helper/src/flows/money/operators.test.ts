import { beforeEach, describe, expect, it } from 'vitest';
import { statusRow } from '../../../test-support/scripted-gateway.ts';
import { startShop } from '../../../test-support/shop-of-test.ts';
import type { Shop } from '../../../test-support/shop.ts';
import { describeEntry } from '../../payments/timeline-text.ts';

let shop: Shop;
let failures: number;

beforeEach(async () => {
  failures = 0;
  const review = (): never => {
    failures += 1;
    throw new Error('the ticket system is down');
  };
  shop = await startShop({ payments: { on: { review } } });
});

async function confirmWith(...rows: readonly unknown[]): Promise<void> {
  const { session } = await shop.open();
  shop.gateway.rows.set(session, rows);
  shop.later();
  await shop.payments.confirm('1001');
}

/** Lets a handler fail until its event is a dead letter. */
async function letHandlersFail(): Promise<void> {
  for (let hour = 0; hour < 20; hour += 1) {
    await shop.payments.tick();
    shop.later(3_700_000);
  }
}

const proposed = (requestId: string, by: string) =>
  ({ amount: '20.00', requestId, by, propose: true }) as const;

/** The lines of the order's timeline that have a text. */
async function linesWith(text: string): Promise<readonly string[]> {
  const { timeline = [] } = (await shop.payments.explain('1001')) ?? {};
  return timeline.map((entry) => describeEntry(entry)).filter((line) => line.includes(text));
}

const nameless = { code: 'invalid_operation', field: 'by' };

describe('the timeline of an order', () => {
  it('goes from the first link to the last refund', async () => {
    await confirmWith(statusRow({ recurringToken: 'canary-token' }));
    shop.gateway.takeRefunds();
    const asked = { amount: '20.00', requestId: 'r-1', by: 'Noura' };
    expect(await shop.payments.refund('1001', asked)).toMatchObject({
      state: 'pending',
      reference: 'r-9',
    });
    const [seen] = shop.gateway.requestsTo('/payment/s2s/refund');
    expect(seen?.body).toEqual({ transactionId: statusRow().transactionId, amount: 20 });
    const explanation = await shop.payments.explain('1001');
    expect(explanation).toMatchObject({
      payment: { state: 'paid', amount: '115.00' },
      attempts: [{ number: 1, kind: 'link', state: 'succeeded', merchantOrderId: '1001~1' }],
      transactions: [{ kind: 'payment', attempt: 1 }],
      operations: [{ operationId: 'request/r-1', state: 'pending', requestedBy: 'Noura' }],
      effects: [{ type: 'paid', outcome: 'waiting' }],
    });
    expect(explanation?.timeline.map((entry) => `${entry.kind}: ${describeEntry(entry)}`)).toEqual([
      'attempt: Attempt 1, a payment link of 115.00 SAR, was requested.',
      'payment: The payment of 115.00 SAR is unpaid.',
      'attempt: Attempt 1 is open.',
      'payment: The payment of 115.00 SAR is pending.',
      'evidence: The gateway reported 1 transaction of attempt 1.',
      'attempt: Attempt 1 succeeded.',
      `verdict: Transaction ${statusRow().transactionId} of attempt 1 pays the order.`,
      'payment: The payment of 115.00 SAR is paid.',
      'operation: The refund request/r-1 of 20.00 SAR is being sent, asked for by Noura.',
      'operation: The refund request/r-1 of 20.00 SAR was accepted, and is not confirmed yet.',
    ]);
    expect(JSON.stringify(explanation)).not.toContain('canary');
  });

  it('names who cancelled it, once, and not who asked again', async () => {
    await expect(shop.payments.cancel('1001', { by: ' ' })).rejects.toMatchObject(nameless);
    expect(await shop.payments.retrieve('1001')).toBeNull();
    for (const by of ['Noura', 'Omar', undefined]) {
      expect(await shop.payments.cancel('1001', { by })).toMatchObject({ cancelled: true });
    }
    const line = 'The merchant cancelled the order, asked for by Noura.';
    expect(await linesWith('cancelled')).toEqual([line]);
  });

  it('is absent for an order that never had a payment', async () => {
    expect(await shop.payments.explain('1001')).toBeNull();
  });
});

describe('the review list', () => {
  it('holds what a person must look at until they have', async () => {
    await confirmWith(statusRow({ amount: '1.00' }));
    const { review } = shop.payments;
    const [matter] = await review.list();
    expect(matter).toMatchObject({ kind: 'payment', orderId: '1001', reason: 'amount_mismatch' });
    const id = matter?.id ?? '';
    await expect(review.resolve(id, ' ')).rejects.toMatchObject({ code: 'invalid_operation' });
    await review.resolve(id, 'refunded on the dashboard', { reopen: true });
    expect(await review.list()).toEqual([]);
    await expect(review.resolve(id, 'again')).rejects.toMatchObject({ code: 'not_found_in_store' });
    const explanation = await shop.payments.explain('1001');
    expect(explanation?.reviews).toMatchObject([{ id, resolution: 'refunded on the dashboard' }]);
    expect(explanation?.payment).toMatchObject({ state: 'failed', review: [] });
    shop.gateway.rows.clear();
    expect((await shop.checkout({ orderId: '1001' })).status).toBe(201);
  });

  it('holds the refunds that wait for an approval, the oldest first, until they are sent', async () => {
    await confirmWith(statusRow());
    const { payments } = shop;
    const listed = () => payments.review.list({ limit: 2 });
    const { createdAt } = await payments.refund('1001', proposed('r-1', 'Noura'));
    shop.later();
    await payments.refund('1001', proposed('r-2', 'Huda'));
    const id = 'request/r-1';
    const money = { amount: '20.00', currency: 'SAR' };
    expect(await listed()).toMatchObject([
      { kind: 'proposal', id, orderId: '1001', ...money, requestedBy: 'Noura', createdAt },
      { kind: 'proposal', id: 'request/r-2', requestedBy: 'Huda' },
    ]);
    expect(await payments.review.list({ limit: 1 })).toHaveLength(1);
    await payments.approve(id, { by: 'Salem' }).catch(() => undefined);
    expect(await listed()).not.toContainEqual(expect.objectContaining({ id }));
    await payments.resolveOperation('request/r-2', 'withdrawn', 'a mistake', { by: 'Huda' });
    expect((await listed()).filter(({ kind }) => kind === 'proposal')).toEqual([]);
  });

  it('holds an event whose handler kept failing, and hands it over anew', async () => {
    await confirmWith(statusRow({ amount: '1.00' }));
    await letHandlersFail();
    expect(failures).toBe(20);
    const { review } = shop.payments;
    const [, dead] = await review.list();
    expect(dead).toMatchObject({ kind: 'dead_letter', orderId: '1001', tries: 20 });
    const redeliver = (by?: string) => review.redeliver(dead?.id ?? '', { by });
    await expect(redeliver(' ')).rejects.toMatchObject(nameless);
    expect(await review.list()).toHaveLength(2);
    await redeliver(' Noura ');
    expect(await review.list()).toHaveLength(1);
    await shop.payments.tick();
    expect(failures).toBe(21);
    await expect(redeliver('Omar')).rejects.toMatchObject({ code: 'not_found_in_store' });
    await letHandlersFail();
    await redeliver();
    const line = `The event ${dead?.id} is delivered again`;
    expect(await linesWith('again')).toEqual([`${line}, asked for by Noura.`, `${line}.`]);
  });

  it('says of an unknown operation that it is settled, not resolved', async () => {
    await confirmWith(statusRow());
    shop.gateway.answerAt('/refund', (_request, response) => {
      response.destroy();
    });
    const request = { amount: '20.00', requestId: 'r-1' };
    const { operationId, state } = await shop.payments.refund('1001', request);
    expect(state).toBe('unknown');
    const [matter] = await shop.payments.review.list();
    expect(matter).toMatchObject({ reason: 'unknown_outcome', about: operationId });
    const resolved = shop.payments.review.resolve(matter?.id ?? '', 'looked');
    await expect(resolved).rejects.toMatchObject({ code: 'invalid_operation' });
    await shop.payments.resolveOperation(operationId, 'failed', 'not there');
    expect(await shop.payments.review.list()).toEqual([]);
    expect(shop.gateway.requestsTo('/payment/s2s/refund')).toHaveLength(1);
  });

  it.each([0, -1, 1.5, 1_001, Number.NaN])('is not asked for %s entries', async (limit) => {
    const refused = { code: 'invalid_operation', field: 'limit' };
    await expect(shop.payments.review.list({ limit })).rejects.toMatchObject(refused);
  });
});
