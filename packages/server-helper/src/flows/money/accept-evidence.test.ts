import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flowStores, freshStore, type FreshStore } from '../../../test-support/every-store.ts';
import { sendJson, statusRow } from '../../../test-support/scripted-gateway.ts';
import { Shop } from '../../../test-support/shop.ts';

const ORDER = '1001';
const why = 'The customer pays the rest in the shop.';
const taken = { result: 'accepted', referenceId: 'x', paymentId: '7', message: 'ok' };
const accepted = {
  code: 200,
  message: 'ok',
  errorCode: null,
  data: { ...taken, amount: '100.00', refundId: 'rf-1' },
};

describe.each(flowStores)('money that a person wants to accept, in %s,', (name) => {
  let shop: Shop;
  let fresh: FreshStore;
  let committed: string[];
  let session: string;

  beforeEach(async () => {
    fresh = await freshStore(name);
    committed = [];
    const inTransaction = (_tx: unknown, { type }: { type: string }): void =>
      void committed.push(type);
    shop = await Shop.start({ payments: { store: fresh.store, inTransaction } });
    ({ session } = await shop.open(ORDER));
  });
  afterEach(async () => {
    await shop.close();
    await fresh.end();
  });

  /** The gateway shows money by a row from now on. @returns the id of the open review. */
  async function show(row: Readonly<Record<string, unknown>>): Promise<string> {
    shop.gateway.rows.set(session, [statusRow(row)]);
    shop.later();
    return (await shop.payments.confirm(ORDER))?.review.at(-1)?.id ?? '';
  }

  /** A refund of the money, which the gateway takes on or never answers. */
  async function refund(amount: string, transactionId: string, isAnswered: boolean) {
    shop.gateway.script = (request, response) => {
      if (!request.path.endsWith('/refund')) return shop.gateway.answerUsually(request, response);
      if (isAnswered) sendJson(response, 200, accepted);
      else response.destroy();
    };
    shop.later();
    return shop.payments.refund(ORDER, { amount, requestId: 'r-1', transactionId });
  }

  async function refuses(id: string, code: string): Promise<void> {
    await expect(shop.payments.review.accept(id, why)).rejects.toMatchObject({ code });
    expect(committed).not.toContain('paid');
  }

  it.each([
    ['under way', true, 'pending'],
    ['unknown', false, 'unknown'],
  ])('is not accepted while its refund is %s', async (_what, isAnswered, state) => {
    const transactionId = randomUUID();
    const id = await show({ transactionId, amount: '100.00' });
    expect(await refund('100.00', transactionId, isAnswered)).toMatchObject({ state });
    await refuses(id, 'operation_in_progress');
  });

  it('is not accepted after its refund, which no status shows yet', async () => {
    const transactionId = randomUUID();
    const id = await show({ transactionId, amount: '100.00' });
    const { operationId } = await refund('100.00', transactionId, false);
    await shop.payments.resolveOperation(operationId, 'succeeded', 'seen on the dashboard');
    await refuses(id, 'wrong_state');
  });

  it('is not accepted late while its refund is under way', async () => {
    await shop.payments.cancel(ORDER);
    const transactionId = randomUUID();
    const id = await show({ transactionId });
    expect(await refund('115.00', transactionId, true)).toMatchObject({ state: 'pending' });
    await refuses(id, 'operation_in_progress');
  });

  it.each([
    ['was refunded', { refundStatus: 'FULL', totalRefundAmount: '100.00' }],
    ['was refunded by an unreadable total', { refundStatus: 'FULL', totalRefundAmount: null }],
    ['failed after all', { transactionStatus: 'FAILED', paymentStatus: 'DECLINED' }],
  ])('is not accepted when the gateway says by now that it %s', async (_what, change) => {
    const transactionId = randomUUID();
    const id = await show({ transactionId, amount: '100.00' });
    shop.gateway.rows.set(session, [statusRow({ transactionId, amount: '100.00', ...change })]);
    await refuses(id, 'wrong_state');
  });

  it('is reviewed again when the gateway gives another amount after it was accepted', async () => {
    const transactionId = randomUUID();
    const id = await show({ transactionId, amount: '100.00' });
    await shop.payments.review.accept(id, why);
    expect(await show({ transactionId })).toContain('/payment_contradiction/');
    expect(await shop.payments.retrieve(ORDER)).toMatchObject({ state: 'paid', amount: '100.00' });
  });

  it('waits for a gateway that shows it', async () => {
    const transactionId = randomUUID();
    const id = await show({ transactionId, amount: '100.00' });
    shop.gateway.rows.set(session, []);
    await refuses(id, 'not_confirmed');
    shop.gateway.script = (_request, response) => sendJson(response, 503, {});
    await refuses(id, 'not_confirmed');
    shop.gateway.script = undefined;
    shop.gateway.rows.set(session, [statusRow({ transactionId, amount: '100.00' })]);
    await shop.payments.review.accept(id, why);
    expect(committed).toEqual(['review', 'paid']);
  });
});
