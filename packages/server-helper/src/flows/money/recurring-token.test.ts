import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flowStores, freshStore, type FreshStore } from '../../../test-support/every-store.ts';
import { aCard } from '../../../test-support/operation-inputs.ts';
import { ScriptedGateway, sendJson, statusRow } from '../../../test-support/scripted-gateway.ts';
import { createPayments, type Payments, type PaymentsOptions } from '../../index.ts';
import { saveChange } from '../../../test-support/save-change.ts';

const TOKEN = 'canary-recurring-token-4711';
const SECRET = 'a-secret-of-the-shop-0123456789abcdef';
const NEXT_SECRET = 'another-secret-of-the-shop-9876543210fedcba';
const KEY = 'an-encryption-key-of-the-shop-0123456789';
const NEXT_KEY = 'the-next-encryption-key-of-it-9876543210';

type Keys = Pick<PaymentsOptions<unknown>, 'tokenSecrets' | 'encryptionKeys'>;

describe.each(flowStores)('a recurring token, in %s,', (name) => {
  let gateway: ScriptedGateway;
  let fresh: FreshStore;
  let started: Payments[];
  let laterMs: number;
  let logged: string[];
  /** Tokens that the gateway was sent, by the charged order's number. */
  let sent: Map<string, string>;

  beforeEach(async () => {
    gateway = await new ScriptedGateway().start();
    fresh = await freshStore(name);
    [started, logged, sent, laterMs] = [[], [], new Map(), 0];
    gateway.script = (request, response) => {
      if (!request.path.endsWith('/recurring')) return gateway.answerUsually(request, response);
      const { recurringToken, order } = request.body as {
        recurringToken: string;
        order: { number: string };
      };
      sent.set(order.number, recurringToken);
      const responseBody = { result: 'SUCCESS', status: 'SUCCESS', payment_id: '77' };
      return sendJson(response, 200, { statusCode: 200, responseBody });
    };
  });
  afterEach(async () => {
    for (const payments of started) await payments.gateway.close();
    await fresh.end();
    await gateway.close();
  });

  /** A process of the shop with these keys, on the one store. */
  function shopWith(keys: Keys): Payments {
    const log = (fields: object, message: string): void => {
      logged.push(JSON.stringify({ ...fields, message }));
    };
    const payments = createPayments({
      gateway: { environment: 'staging', baseUrl: gateway.baseUrl, apiKey: 'key', random: () => 0 },
      publicUrl: 'https://shop.example',
      store: fresh.store,
      loadOrder: (orderId) => ({ orderId, amount: '115.00', customer: { phone: '0501234567' } }),
      pages: { success: '/a', pending: '/b', failure: '/c' },
      logger: { info: log, warn: log, error: log },
      clock: {
        now: () => Date.now() + laterMs,
        // A wait without a deadline is over at once.
        sleep: (ms, signal) => {
          if (signal === undefined) laterMs += ms;
          return new Promise((resolve) => setTimeout(resolve, signal ? ms : 0).unref());
        },
      },
      ...keys,
    });
    started.push(payments);
    return payments;
  }

  /** Makes an order paid by a link whose status row bears the token. */
  async function pay(payments: Payments, orderId: string, row = 1): Promise<void> {
    const { redirectUrl } = await payments.ensureLink(orderId);
    const session = new URL(redirectUrl).searchParams.get('sessionId') ?? '';
    const transactionId = `f2d5b7c0-0000-4000-8000-00000000000${row}`;
    gateway.rows.set(session, [statusRow({ transactionId, recurringToken: TOKEN })]);
    laterMs += 10_000;
    expect((await payments.confirm(orderId))?.state).toBe('paid');
    laterMs += 10_000;
  }

  const charge = (payments: Payments, periodKey: string, orderId = '1001') =>
    payments.chargeRecurring(orderId, { amount: '50.00', periodKey });
  const stored = async (orderId = '1001') => (await fresh.store.load(orderId))?.payment;
  const operations = async () => (await fresh.store.load('1001'))?.operations;
  const keyOf = async () => (await stored())?.recurringToken?.split('.')[1];

  it('is in no row, log, event or explanation, and reaches the gateway as it came', async () => {
    const payments = shopWith({ tokenSecrets: [SECRET] });
    await pay(payments, '1001');
    expect(await charge(payments, '2026-11')).toMatchObject({ state: 'succeeded' });
    expect(sent.get('1001~r-2026-11')).toBe(TOKEN);
    const explained = await payments.explain('1001');
    expect(explained?.recurringToken).toEqual({ key: await keyOf(), isReadable: true });
    const kept = [
      await fresh.store.load('1001'),
      await fresh.store.history('1001'),
      logged,
      explained,
    ];
    expect(JSON.stringify(kept)).not.toContain(TOKEN);
    expect(await stored()).toMatchObject({ recurringToken: expect.stringMatching(/^enc1\./) });
  });

  it('is read by every former secret, and written anew by the first', async () => {
    await pay(shopWith({ tokenSecrets: [SECRET] }), '1001');
    const former = await keyOf();
    const payments = shopWith({ tokenSecrets: [NEXT_SECRET, SECRET] });
    expect(await charge(payments, '2026-11')).toMatchObject({ state: 'succeeded' });
    expect(sent.get('1001~r-2026-11')).toBe(TOKEN);
    expect(await keyOf()).not.toBe(former);
    const last = shopWith({ tokenSecrets: [NEXT_SECRET] });
    expect(await charge(last, '2026-12')).toMatchObject({ state: 'succeeded' });
    expect(sent.get('1001~r-2026-12')).toBe(TOKEN);
  });

  describe('that only the answer to a sale bears', () => {
    const transactionId = 'f2d5b7c0-0000-4000-8000-000000000007';

    /** Sells by a card, whose answer has the token; no status row has it. */
    async function sell(payments: Payments, words: object = {}): Promise<void> {
      const { script } = gateway;
      gateway.script = (request, response) => {
        if (!request.path.endsWith('/sale')) return script?.(request, response);
        const data = { result: 'SUCCESS', transactionId, recurringToken: TOKEN };
        return sendJson(response, 200, { code: 200, message: 'Success', errorCode: null, data });
      };
      gateway.rows.set(transactionId, [statusRow({ transactionId, ...words })]);
      const sale = { auth: 'capture', card: aCard, requestId: 's-1', recurring: true } as const;
      await payments.sale('1001', sale);
      laterMs += 10_000;
    }

    it('charges the customer again, and is stored encrypted', async () => {
      const payments = shopWith({ tokenSecrets: [SECRET] });
      await sell(payments);
      expect(await charge(payments, '2026-11')).toMatchObject({ state: 'succeeded' });
      expect(sent.get('1001~r-2026-11')).toBe(TOKEN);
      const kept = [await fresh.store.load('1001'), await fresh.store.history('1001'), logged];
      expect(JSON.stringify(kept)).not.toContain(TOKEN);
    });

    it('is not that of a link which was paid after the sale had failed', async () => {
      const payments = shopWith({ tokenSecrets: [SECRET] });
      await sell(payments, { transactionStatus: 'FAILED', paymentStatus: 'DECLINED' });
      expect(await stored()).toMatchObject({ state: 'failed' });
      const { redirectUrl } = await payments.ensureLink('1001');
      const session = new URL(redirectUrl).searchParams.get('sessionId') ?? '';
      gateway.rows.set(session, [statusRow()]);
      laterMs += 10_000;
      await payments.confirm('1001');
      expect(await stored()).toMatchObject({ state: 'paid', recurringToken: null });
    });

    it('is not that of a link whose money a person accepts', async () => {
      const payments = shopWith({ tokenSecrets: [SECRET] });
      await sell(payments, { transactionStatus: 'FAILED', paymentStatus: 'DECLINED' });
      const { redirectUrl } = await payments.ensureLink('1001');
      const session = new URL(redirectUrl).searchParams.get('sessionId') ?? '';
      gateway.rows.set(session, [statusRow({ amount: '100.00' })]);
      laterMs += 10_000;
      const id = (await payments.confirm('1001'))?.review[0]?.id ?? '';
      laterMs += 10_000;
      await payments.review.accept(id, 'The rest is paid in the shop.');
      expect(await stored()).toMatchObject({ state: 'paid', recurringToken: null });
    });
  });

  it('is encrypted by keys of its own, which can be rotated apart from the secrets', async () => {
    await pay(shopWith({ tokenSecrets: [SECRET], encryptionKeys: [KEY] }), '1001');
    const rotated = { tokenSecrets: [NEXT_SECRET], encryptionKeys: [NEXT_KEY, KEY] };
    expect(await charge(shopWith(rotated), '2026-11')).toMatchObject({ state: 'succeeded' });
    const last = shopWith({ tokenSecrets: [NEXT_SECRET], encryptionKeys: [NEXT_KEY] });
    expect(await charge(last, '2026-12')).toMatchObject({ state: 'succeeded' });
    expect([...sent.values()]).toEqual([TOKEN, TOKEN]);
  });

  it('moves from a secret to a key of its own', async () => {
    await pay(shopWith({ tokenSecrets: [SECRET] }), '1001');
    const both = shopWith({ tokenSecrets: [SECRET], encryptionKeys: [KEY] });
    await charge(both, '2026-11');
    const last = shopWith({ tokenSecrets: [NEXT_SECRET], encryptionKeys: [KEY] });
    expect(await charge(last, '2026-12')).toMatchObject({ state: 'succeeded' });
    expect([...sent.values()]).toEqual([TOKEN, TOKEN]);
  });

  it('that no key opens charges nothing, and the error names the missing key', async () => {
    await pay(shopWith({ tokenSecrets: [SECRET] }), '1001');
    const missing = await keyOf();
    const payments = shopWith({ tokenSecrets: [NEXT_SECRET] });
    const refused = await charge(payments, '2026-11').catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: 'PaymentsError', code: 'recurring_token_unreadable' });
    expect(String(refused)).toContain(missing);
    expect(String(refused)).not.toContain(TOKEN);
    expect(sent.size).toBe(0);
    expect(await operations()).toEqual([]);
    const explained = await payments.explain('1001');
    expect(explained?.recurringToken).toEqual({ key: missing, isReadable: false });
    const request = new Request('https://shop.example/pay/health');
    const reply = await payments.handle(request, { address: '127.0.0.1' });
    expect(await reply.json()).toMatchObject({ findings: ['unreadable_recurring_tokens'] });
    // With the secret back the same period is charged.
    const mended = shopWith({ tokenSecrets: [NEXT_SECRET, SECRET] });
    expect(await charge(mended, '2026-11')).toMatchObject({ state: 'succeeded' });
  });

  it('of another order is refused, and so is one that was changed', async () => {
    const payments = shopWith({ tokenSecrets: [SECRET] });
    await pay(payments, '1001', 1);
    await pay(payments, '1002', 2);
    const [own, other] = [await stored('1001'), await stored('1002')];
    if (own === undefined || other === undefined) throw new Error('not paid');
    const put = async (recurringToken: string | null | undefined, version: number) => {
      const payment = { ...own, recurringToken: recurringToken ?? null, version };
      const rest = { attempts: [], ledger: [], reviews: [], operations: [], events: [] };
      await saveChange(fresh.store, { payment, ...rest });
    };
    const text = own.recurringToken ?? '';
    const changed = `${text.slice(0, 40)}${text[40] === 'A' ? 'B' : 'A'}${text.slice(41)}`;
    for (const [index, token] of [other.recurringToken, changed, TOKEN].entries()) {
      await put(token, own.version + 1 + index);
      await expect(charge(payments, '2026-11')).rejects.toMatchObject({
        code: 'recurring_token_unreadable',
      });
    }
    expect(sent.size).toBe(0);
  });
});
