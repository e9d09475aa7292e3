import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aLink } from '../../test-support/gateway-calls.ts';
import { sendJson, statusAnswer, statusRow } from '../../test-support/scripted-gateway.ts';
import { Shop } from '../../test-support/shop.ts';

const HOUR_MS = 3_600_000;
let shop: Shop;
let session: string;

beforeEach(async () => {
  shop = await Shop.start();
  ({ session } = await shop.open());
});
afterEach(() => shop.close());

async function confirm(...rows: readonly unknown[]): Promise<void> {
  shop.gateway.rows.set(session, rows);
  shop.later();
  await shop.payments.confirm('1001').catch(() => undefined);
}
async function findings(): Promise<readonly string[]> {
  const { json } = await shop.send('/pay/health');
  return (json['findings'] as readonly string[]).filter((one) => one !== 'status_checks_overdue');
}

describe('health of a shop whose gateway answers otherwise than expected', () => {
  it('finds status calls whose answer cannot be read, and the finding goes an hour after the last', async () => {
    shop.gateway.answerStatus(200, { transactions: [] });
    await confirm();
    expect(await findings()).toEqual(['unreadable_answers']);
    shop.later(HOUR_MS - 60_000);
    await confirm();
    shop.later(HOUR_MS - 60_000);
    expect(await findings()).toEqual(['unreadable_answers']);
    shop.later(60_000);
    expect(await findings()).toEqual([]);
  });

  it('finds an error code beside rows that is no error of HTTP, such as a success of "00"', async () => {
    shop.gateway.answerStatus(200, { ...statusAnswer([statusRow()]), errorCode: '00' });
    await confirm();
    expect(await findings()).toEqual(['unknown_words']);
    expect(shop.payments.gateway.drift()).toMatchObject([
      { operation: 'retrieveStatus', kind: 'unknown_word', field: '/errorCode' },
    ]);
  });

  it('finds words that are not known, and the finding goes an hour after the last', async () => {
    await confirm(statusRow({ transactionStatus: 'FAILED', paymentStatus: 'REVERSED' }));
    expect(await findings()).toEqual(['unknown_words']);
    shop.later(HOUR_MS);
    expect(await findings()).toEqual([]);
  });

  it('keeps the finding of money that cannot be understood until it is', async () => {
    await confirm(statusRow({ paymentStatus: 'SETTLED' }));
    shop.later(HOUR_MS);
    expect(await findings()).toEqual(['unreadable_answers']);
  });

  it.each([
    ['a further field', { tid: 1 }],
    ['another type of what informs', { cardScheme: 1 }],
  ])('finds nothing in %s', async (_what, changes) => {
    await confirm(statusRow(changes));
    expect(await findings()).toEqual([]);
    expect(shop.payments.gateway.drift()).toHaveLength(1);
  });

  it('finds nothing in other operations, which have errors of their own', async () => {
    shop.gateway.script = (_request, response) => sendJson(response, 200, { result: 'DONE' });
    await shop.payments.gateway.createPaymentLink(aLink).catch(() => undefined);
    expect(shop.payments.gateway.drift()).not.toEqual([]);
    expect(await findings()).toEqual([]);
  });

  it('tells no word and no name of the gateway', async () => {
    const canary = 'CanaryWord';
    const row = statusRow({ paymentStatus: canary, transactionStatus: 'FAILED', [canary]: canary });
    shop.gateway.script = (_request, response) =>
      sendJson(response, 200, { ...statusAnswer([row]), [canary]: canary });
    await confirm();
    const { json } = await shop.send('/pay/health');
    expect(json['findings']).toEqual(['unknown_words']);
    expect(JSON.stringify(json)).not.toContain(canary);
  });
});
