import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { freshStore } from '../../../test-support/every-store.ts';
import { aCard } from '../../../test-support/operation-inputs.ts';
import { inA, sendJson } from '../../../test-support/scripted-gateway.ts';
import { startShop } from '../../../test-support/shop-of-test.ts';
import type { Shop } from '../../../test-support/shop.ts';
import type { Store } from '../../stores/store.ts';
import { createRecurringTokens } from './recurring-tokens.ts';

const TOKEN = 'canary-recurring-token-4711';
const SECRET = 'a-secret-of-the-shop-0123456789abcdef';
const NEXT_SECRET = 'another-secret-of-the-shop-9876543210fedcba';
const KEY = 'an-encryption-key-of-the-shop-0123456789';
const NEXT_KEY = 'the-next-encryption-key-of-it-9876543210';

/** Secrets, and encryption keys where the shop has some. */
type Keys = readonly [tokenSecrets: readonly string[], encryptionKeys?: readonly string[]];

describe('a recurring token,', () => {
  let store: Store<unknown>;
  let shops: Shop[];
  /** Tokens that the gateway was sent, by the charged order's number. */
  let sent: Map<string, string>;

  beforeEach(async () => {
    const fresh = await freshStore();
    onTestFinished(() => fresh.end());
    ({ store } = fresh);
    [shops, sent] = [[], new Map()];
  });

  /** A process of the shop with these keys, on the one store. */
  async function shopWith(...[tokenSecrets, encryptionKeys]: Keys): Promise<Shop> {
    const customer = { phone: '0501234567' };
    const loadOrder = (orderId: string) => ({ orderId, amount: '115.00', customer });
    const keys = { tokenSecrets, ...(encryptionKeys && { encryptionKeys }) };
    const shop = await startShop({ payments: { store, loadOrder, ...keys } });
    shops.push(shop);
    shop.gateway.answerAt('/recurring', (request, response) => {
      const { recurringToken, order } = request.body as {
        recurringToken: string;
        order: { number: string };
      };
      sent.set(order.number, recurringToken);
      const responseBody = { result: 'SUCCESS', status: 'SUCCESS', payment_id: '77' };
      return sendJson(response, 200, { statusCode: 200, responseBody });
    });
    return shop;
  }

  /** Lets an order's link be asked about while the gateway shows a row of it. */
  async function show(shop: Shop, row: object) {
    const payment = await shop.finds((await shop.open('1001')).session, row);
    shop.later();
    return payment;
  }

  /** Makes an order paid by a link whose status row bears the token. */
  async function pay(shop: Shop): Promise<void> {
    const paid = await show(shop, { recurringToken: TOKEN });
    expect(paid?.state).toBe('paid');
  }

  const charge = ({ payments }: Shop, periodKey = '2026-11') =>
    payments.chargeRecurring('1001', { amount: '50.00', periodKey });
  const charges = async (shop: Shop, periodKey?: string) =>
    expect(await charge(shop, periodKey)).toMatchObject({ state: 'succeeded' });
  const stored = async () => (await store.load('1001'))?.payment;
  const operations = async () => (await store.load('1001'))?.operations;
  const keyOf = async () => (await stored())?.recurringToken?.split('.')[1];
  /** All that the shop kept and wrote of the order. */
  const kept = async () =>
    JSON.stringify([
      await store.load('1001'),
      await store.history('1001'),
      shops.map(({ logged }) => logged),
    ]);

  it('is in no row, log, event or explanation, and reaches the gateway as it came', async () => {
    const shop = await shopWith([SECRET]);
    await pay(shop);
    await charges(shop);
    expect(sent.get('1001~r-2026-11')).toBe(TOKEN);
    const explained = await shop.payments.explain('1001');
    expect(explained?.recurringToken).toEqual({ key: await keyOf(), isReadable: true });
    expect([await kept(), JSON.stringify(explained)].join()).not.toContain(TOKEN);
    expect(await stored()).toMatchObject({ recurringToken: expect.stringMatching(/^enc1\./) });
  });

  it.each<[how: string, first: Keys, next: Keys, last: Keys]>([
    ['secret', [[SECRET]], [[NEXT_SECRET, SECRET]], [[NEXT_SECRET]]],
    [
      'key of its own, apart from the secrets,',
      [[SECRET], [KEY]],
      [[NEXT_SECRET], [NEXT_KEY, KEY]],
      [[NEXT_SECRET], [NEXT_KEY]],
    ],
    ['secret, before it has keys,', [[SECRET]], [[SECRET], [KEY]], [[NEXT_SECRET], [KEY]]],
  ])('is read by a former %s and written anew by the first', async (_how, first, next, last) => {
    await pay(await shopWith(...first));
    const former = await keyOf();
    await charges(await shopWith(...next));
    expect(await keyOf()).not.toBe(former);
    await charges(await shopWith(...last), '2026-12');
    expect([...sent.values()]).toEqual([TOKEN, TOKEN]);
  });

  describe('that only the answer to a sale bears', () => {
    const transactionId = 'f2d5b7c0-0000-4000-8000-000000000007';

    /** Sells by a card, whose answer has the token; no status row has it. */
    async function sell(words: object = {}): Promise<Shop> {
      const shop = await shopWith([SECRET]);
      const sold = inA({ result: 'SUCCESS', transactionId, recurringToken: TOKEN });
      shop.gateway.answerAt('/sale', (_request, response) => sendJson(response, 200, sold));
      shop.shows(transactionId, { transactionId, ...words });
      const sale = { auth: 'capture', card: aCard, requestId: 's-1', recurring: true } as const;
      await shop.payments.sale('1001', sale);
      shop.later();
      return shop;
    }

    it('charges the customer again, and is stored encrypted', async () => {
      await charges(await sell());
      expect(sent.get('1001~r-2026-11')).toBe(TOKEN);
      expect(await kept()).not.toContain(TOKEN);
    });

    const failed = { transactionStatus: 'FAILED', paymentStatus: 'DECLINED' };

    it.each([
      ['which was paid', {}],
      ['whose money a person accepts', { amount: '100.00' }],
    ])('is not that of a link %s after the sale had failed', async (_which, row) => {
      const shop = await sell(failed);
      expect(await stored()).toMatchObject({ state: 'failed' });
      const [item] = (await show(shop, row))?.review ?? [];
      if (item) await shop.payments.review.accept(item.id, 'The rest is paid in the shop.');
      expect(await stored()).toMatchObject({ state: 'paid', recurringToken: null });
    });
  });

  it('that no key opens charges nothing, and the error names the missing key', async () => {
    await pay(await shopWith([SECRET]));
    const missing = await keyOf();
    const shop = await shopWith([NEXT_SECRET]);
    const refused = await charge(shop).catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: 'PaymentsError', code: 'recurring_token_unreadable' });
    expect(String(refused)).toContain(missing);
    expect(String(refused)).not.toContain(TOKEN);
    expect(sent.size).toBe(0);
    expect(await operations()).toEqual([]);
    const explained = await shop.payments.explain('1001');
    expect(explained?.recurringToken).toEqual({ key: missing, isReadable: false });
    const { json } = await shop.send('/pay/health');
    expect(json).toMatchObject({ findings: ['unreadable_recurring_tokens'] });
    // With the secret back the same period is charged.
    await charges(await shopWith([NEXT_SECRET, SECRET]));
  });

  it('of another order is refused, and so is one that was changed, or that is not encrypted', () => {
    const tokens = createRecurringTokens([SECRET]);
    const own = tokens.seal('1001', TOKEN);
    expect(tokens.open('1001', own)).toBe(TOKEN);
    const changed = `${own.slice(0, 40)}${own[40] === 'A' ? 'B' : 'A'}${own.slice(41)}`;
    for (const other of [tokens.seal('1002', TOKEN), changed, TOKEN]) {
      const unreadable = expect.objectContaining({ code: 'recurring_token_unreadable' }) as Error;
      expect(() => tokens.open('1001', other)).toThrow(unreadable);
    }
  });
});
