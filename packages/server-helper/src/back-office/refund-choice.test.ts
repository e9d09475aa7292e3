import { afterEach, beforeEach, expect, it } from 'vitest';
import { anOrder } from '../../test-support/office-records.ts';
import { type OfficeShop, put, startOfficeShop } from '../../test-support/office-shop.ts';
import { OfficeVisitor } from '../../test-support/office-visitor.ts';
import { aLedgerRow } from '../../test-support/records.ts';
import { ScriptedGateway, statusRow } from '../../test-support/scripted-gateway.ts';
import { transactionId } from '../ids.ts';

let gateway: ScriptedGateway;
let shop: OfficeShop;
beforeEach(async () => {
  gateway = await new ScriptedGateway().start();
  shop = await startOfficeShop({
    payments: {
      gateway: { environment: 'staging', baseUrl: gateway.baseUrl, apiKey: 'test-key' },
    },
  });
  const order = anOrder('1001', 'paid');
  const twice = { transactionId: transactionId('t-twice'), kind: 'duplicate' } as const;
  await put(shop, { ...order, ledger: [...order.ledger, aLedgerRow(twice)] });
  const rows = ['t-1001', 't-twice'].map((id) => statusRow({ transactionId: id }));
  gateway.rows.set('session-1001', rows);
});
afterEach(async () => {
  await shop.close();
  await gateway.close();
});

it.each([
  ['en', 'Duplicate charge'],
  ['ar', 'خصم مكرر'],
] as const)('in %s, a refund is of the transaction that was chosen', async (language, words) => {
  const noura = new OfficeVisitor(shop, { 'accept-language': language });
  const page = await noura.text('orders/1001');
  const choices = [...page.matchAll(/<option value="([^"]*)"([^>]*)>\s*([^<]*)/g)];
  expect(choices.map(([, id, more = '']) => [id, more.trim()])).toEqual([
    ['t-1001', 'selected'],
    ['t-twice', ''],
  ]);
  expect(choices[1]?.[3]).toContain(words);
  const tooMuch = await noura.get('orders/1001/refund?transaction=t-twice&amount=115.01');
  expect(tooMuch.status).toBe(422);
  expect(await tooMuch.text()).toMatch(/<option value="t-twice"\s+selected/);
  const form = await noura.form('orders/1001/refund?transaction=t-twice&amount=20');
  expect((await noura.send(form)).status).toBe(303);
  const sent = gateway.requestsTo('/payment/s2s/refund');
  expect(sent.map(({ body }) => body)).toMatchObject([{ transactionId: 't-twice' }]);
});
