import type { BrowserContext, Page } from 'playwright';
import { afterAll, expect, it } from 'vitest';
import { startBrowser } from '../../../scripts/browser.ts';
import { openLink, openTestShop, placeOrder } from '../testing/test-shop.ts';

/** What an order's pages say in a browser whose scripts do not come, before and after it is paid. */
const [shop, browser] = await Promise.all([openTestShop(), startBrowser()]);
afterAll(async () => {
  await browser.close();
  await shop.close();
});

const thanks = /thank|packing|شكر|تجهيز/i;

/** How a browser is kept from running the shop's scripts. */
const ways: Readonly<Record<string, (context: BrowserContext) => Promise<unknown>>> = {
  'without scripts': () => Promise.resolve(),
  'with blocked scripts': (context) => context.route('**/*.js', (route) => route.abort()),
  'before its scripts have come': (context) =>
    context.route('**/*.js', () => new Promise(() => undefined)),
};

const text = (page: Page): Promise<string> => page.locator('main').innerText();

it.each(Object.keys(ways))('%s a browser thanks for a paid order, and not before', async (way) => {
  const { orderId, visitor } = await placeOrder(shop);
  const context = await browser.newContext({
    javaScriptEnabled: way !== 'without scripts',
    viewport: { width: 390, height: 844 },
  });
  await ways[way]?.(context);
  const cookies = [...visitor.cookies].map(([name, value]) => ({ name, value, url: shop.url }));
  await context.addCookies(cookies);
  const page = await context.newPage();
  const open = (name: string) =>
    page.goto(`${shop.url}/${name}/${orderId}?lang=ar`, { waitUntil: 'commit' });

  const { sessionId, statusUrl } = await openLink(visitor, orderId);
  for (const name of ['thanks', 'wait']) {
    await open(name);
    await page.locator('footer').waitFor();
    expect(await text(page), name).not.toMatch(thanks);
  }
  await page.getByText('نتحقق من عملية الدفع').waitFor();

  await shop.control.pay(sessionId, { card: { number: '4201320111111010' } });
  await visitor.send(statusUrl); // The shop asks the gateway.
  await page.getByRole('link', { name: 'تحقّق مرة أخرى' }).click({ noWaitAfter: true });
  await page.getByText('مدفوع', { exact: true }).first().waitFor();
  await open('thanks');
  await page.getByText('شكرًا لك، Noura!').waitFor();
  await context.close();
});
