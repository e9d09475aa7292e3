import { type Browser, expect } from '@playwright/test';
import type { ControlClient } from '@pay-button/gateway-sandbox';
import type { Admin } from './admin.ts';
import type { ShopProcess } from './shop-process.ts';
import { cards, type Shopper } from './shopper.ts';

/** Where a proof is played. */
export interface Stage {
  readonly shopper: Shopper;
  readonly admin: Admin;
  readonly shop: ShopProcess;
  readonly control: ControlClient;
  readonly browser: Browser;
}

/**
 * The journeys that catch the bug switches, by their titles. `bugs.all.test.ts` plays them on a sound
 * shop, and on one with the bug that each must notice.
 */
export const proofs = {
  'a success address opened without paying ships nothing': async ({ shopper }) => {
    const { page } = shopper;
    const orderId = await shopper.orderQuickly();
    await shopper.goToPay();
    const returned = page.waitForRequest((request) => request.url().includes('/return/failure/'));
    await shopper.at('back-to-shop').click();
    const forged = (await returned).url().replace('/failure/', '/success/');
    await page.goto(`${forged}?transactionStatus=SUCCESS&paymentStatus=APPROVED`);
    await shopper.sees('wait', 'pending');
    await shopper.open(`/thanks/${orderId}?status=paid`);
    await shopper.sees('thanks', 'pending');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This order is not paid yet');
    expect(await shopper.ask(orderId)).toMatchObject({ state: 'pending', fulfilments: 0 });
  },

  'a declined payment ships nothing': async ({ shopper }) => {
    const orderId = await shopper.orderQuickly();
    await shopper.goToPay();
    await shopper.sendCard(cards.insufficientFunds);
    await expect(shopper.at('payment-error')).toBeVisible();
    await shopper.at('back-to-shop').click();
    await shopper.sees('retry', 'failed');
    expect(await shopper.ask(orderId)).toMatchObject({ state: 'failed', fulfilments: 0 });
  },

  'a webhook that comes again ships nothing again': async ({ shopper }) => {
    const orderId = await shopper.orderQuickly();
    await shopper.pay();
    await shopper.sees('thanks', 'paid');
    await shopper.openTools();
    await shopper.at('qa-replay-webhook').click();
    await shopper.page.waitForURL('**/thanks/*?qa=replayed');
    await shopper.expectShippedOnce(orderId);
  },

  'a forged webhook ships nothing': async ({ shopper, shop }) => {
    const orderId = await shopper.orderQuickly();
    await shopper.goToPay();
    const merchantOrderId = `${orderId}~1`;
    const forged = { merchantOrderId, orderId: merchantOrderId, amount: 115, status: 'Approved' };
    const answer = await shopper.page.request.post(`${shop.url}/pay/webhook`, {
      data: { ...forged, type: 'Purchase', transactionId: crypto.randomUUID() },
    });
    expect(answer.status()).toBe(200);
    expect(await answer.json()).toEqual({});
    expect(await shopper.ask(orderId)).toMatchObject({ state: 'pending', fulfilments: 0 });
  },

  'a renewal that the bank declines ships nothing': async ({ shopper, admin, control }) => {
    const orderId = await shopper.orderQuickly();
    await admin.sale(orderId, cards.visa, { recurringInit: true });
    await admin.sees(orderId, 'paid');
    await control.next({ outcome: 'decline:51' });
    await admin.charge('2027-01', 'operation_failed');
    expect(await admin.ask(orderId)).toMatchObject({ state: 'paid', fulfilments: 1 });
  },

  'the admin refunds a part, and then the rest': async ({ shopper, admin }) => {
    const orderId = await shopper.orderQuickly();
    await shopper.pay();
    await shopper.sees('thanks', 'paid');
    await admin.refund(orderId, '15.00');
    await admin.sees(orderId, 'partially_refunded');
    await expect(admin.at('refund-amount')).toHaveValue('100.00');
    await admin.refund(orderId, '100.00');
    await admin.sees(orderId, 'refunded');
    await expect(admin.at('refund')).toHaveCount(0);
    expect(await shopper.ask(orderId)).toMatchObject({ state: 'refunded', refunded: '115.00' });
  },

  'a sale whose answer is lost charges the card once': async ({ shopper, admin, control }) => {
    const orderId = await shopper.orderQuickly();
    await control.setProfile('ghost-success');
    const sale = await admin.sale(orderId, cards.visa);
    expect(sale).toMatchObject({ result: 'unknown' });
    const ledger = await control.ledger();
    const charges = ledger.filter(({ merchantOrderId }) => merchantOrderId.startsWith(orderId));
    expect(charges).toHaveLength(1);
  },

  'a price sent by the browser changes nothing': async ({ shopper, control }) => {
    const orderId = await shopper.orderQuickly('coffee', { price: '0.01' });
    await shopper.pay();
    await shopper.sees('thanks', 'paid');
    const charges = await control.ledger();
    const charge = charges.find(({ merchantOrderId }) => merchantOrderId.startsWith(orderId));
    expect(charge?.captured).toBe('115.00');
    await shopper.expectShippedOnce(orderId);
  },

  'no page and no script holds the gateway’s key': async ({ shopper, control }) => {
    const { apiKey } = await control.info();
    const { page } = shopper;
    const leaks: string[] = [];
    const check = async (url: string, text: string) => {
      if (text.includes(apiKey)) leaks.push(url);
    };
    const orderId = await shopper.orderQuickly();
    for (const path of ['/', '/basket', `/orders/${orderId}`, `/wait/${orderId}`, '/admin']) {
      await shopper.open(path);
      await check(path, await page.content());
      for (const source of await page.locator('script[src]').all()) {
        const script = await page.request.get(
          new URL((await source.getAttribute('src')) ?? '', page.url()).href,
        );
        await check(script.url(), await script.text());
      }
    }
    expect(leaks).toEqual([]);
  },

  'a payment whose 3-D Secure page hangs is pending': async ({ shopper }) => {
    const orderId = await shopper.orderQuickly();
    await shopper.goToPay();
    await shopper.sendCard(cards.challenged);
    await shopper.at('hang').click();
    await shopper.open(`/wait/${orderId}`);
    await shopper.sees('wait', 'pending');
    expect(await shopper.ask(orderId)).toMatchObject({ state: 'pending', fulfilments: 0 });
  },

  'a stranger sees nothing of an order, paid or not': async ({ shopper, shop, browser }) => {
    const orderId = await shopper.orderQuickly();
    await shopper.pay();
    await shopper.sees('thanks', 'paid');
    const context = await browser.newContext();
    const stranger = await context.newPage();
    for (const page of ['orders', 'wait', 'thanks', 'retry', 'api/orders', 'admin/orders']) {
      const answer = await stranger.goto(`${shop.url}/${page}/${orderId}`);
      expect(answer?.status()).toBe(page === 'admin/orders' ? 200 : 404);
      expect(await answer?.text()).not.toMatch(/Noura|0512345678|115\.00/);
    }
    await context.close();
  },
} as const satisfies Readonly<Record<string, (stage: Stage) => Promise<void>>>;
