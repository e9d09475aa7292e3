import type { Page } from 'playwright';
import { afterAll, expect, test } from 'vitest';
import { useBrowser } from '../../../../../scripts/use-browser.ts';
import { startSandbox } from '../../start-sandbox.ts';
import { signInBrowser } from '../../testing/every-page-for-test.ts';
import { by, cards, withCalls } from '../../testing/sandbox-for-test.ts';

const { reuse } = useBrowser();

const phone = { width: 390, height: 844 };
/** A shop with one transaction in each of six states, a day apart. The tests only look at it. */
const sandbox = withCalls(await startSandbox({ port: 0, seed: 'test' }));
afterAll(() => sandbox.close());
await sandbox.payLink({ merchantOrderId: 'paid-1', amount: 40 });
await sandbox.payLink({ merchantOrderId: 'declined-2', amount: 50 }, cards.poor);
await sandbox.control.advanceClock({ by: 'PT24H' });
const partly = await sandbox.payLink({ merchantOrderId: 'partly-3', amount: 115 });
await sandbox.post('/payment/s2s/refund', { transactionId: partly.transactionId, amount: 15 });
await sandbox.control.advanceClock({ by: 'PT24H' });
await sandbox.sellForId({ auth: 'Y', orderId: 'held-4', amount: 70 });
const voided = await sandbox.sellForId({ auth: 'Y', orderId: 'voided-5', amount: 80 });
await sandbox.post('/payment/s2s/void', { transactionId: voided });
const captured = await sandbox.sellForId({ auth: 'Y', orderId: 'captured-6', amount: 90 });
await sandbox.post('/payment/s2s/capture', { transactionId: captured, amount: 60 });

/** Opens a page of a merchant who has signed in at the dashboard. */
async function openDashboard(path: string) {
  const { page, complaints } = await reuse();
  await signInBrowser(page, sandbox);
  await page.goto(`${sandbox.url}/dashboard/${path}`);
  return { page, complaints };
}

const textsOf = async (page: Page, what: string) =>
  (await page.locator(what).allTextContents()).map((text) => text.trim());
const orders = async (page: Page) => (await textsOf(page, by('open-transaction'))).join(' ');

/** The sums in the order of the page, without their names. */
const totals = async (page: Page) => (await textsOf(page, `${by('totals')} dd`)).join(' ');

test('the list says each transaction’s state in the trade’s words, and adds the money up', async () => {
  const { page, complaints } = await openDashboard('transactions?lang=en');
  expect(await orders(page)).toBe('captured-6 voided-5 held-4 partly-3 declined-2 paid-1');
  const states = (await textsOf(page, 'td .badge')).join();
  expect(states).toBe('Captured,Voided,Authorized,Partly refunded,Declined,Paid');
  expect(await totals(page)).toBe('6 215.00 15.00 200.00 70.00');
  expect(complaints).toEqual([]);
});

test('a search, a state and days narrow the list and its sums, and outlive the language', async () => {
  const { page } = await openDashboard('transactions?lang=en');
  const day = async (row: number) =>
    (await page.locator('td time').nth(row).getAttribute('datetime'))?.slice(0, 10) ?? '';
  const [last, first] = [await day(0), await day(5)];
  await page.fill(by('filter-q'), 'PARTLY');
  await page.click(by('filter'));
  expect(await orders(page)).toBe('partly-3');
  expect(await totals(page)).toBe('1 115.00 15.00 100.00 0.00');
  await page.fill(by('filter-q'), '60.00');
  await page.press(by('filter-q'), 'Enter');
  expect(await orders(page)).toBe('captured-6');
  await page.click(by('clear-filter'));
  await page.selectOption(by('filter-state'), 'declined');
  await page.click(by('filter'));
  expect(await orders(page)).toBe('declined-2');
  await page.click(by('lang-ar'));
  expect(await orders(page)).toBe('declined-2');
  expect(await page.inputValue(by('filter-state'))).toBe('declined');
  await page.click(by('clear-filter'));
  await page.fill(by('filter-from'), last);
  await page.click(by('filter'));
  expect(await orders(page)).toBe('captured-6 voided-5 held-4');
  await page.fill(by('filter-from'), '');
  await page.fill(by('filter-to'), first);
  await page.click(by('filter'));
  expect(await orders(page)).toBe('declined-2 paid-1');
  await page.fill(by('filter-q'), '<nothing>');
  await page.click(by('filter'));
  expect(await page.textContent('.panel > .soft')).toBe('لا توجد عملية مطابقة.');
});

test.each(['en', 'ar'])('in %s amounts end the line, and a phone’s row is a card', async (lang) => {
  const { page } = await openDashboard(`transactions?lang=${lang}`);
  expect(await gapBehindAmount(page)).toBeLessThan(2);
  await page.setViewportSize(phone);
  expect(await gapBehindAmount(page)).toBeLessThan(2);
  for (const section of ['transactions', 'credentials', 'sdk-tokens']) {
    await page.goto(`${sandbox.url}/dashboard/${section}?lang=${lang}`);
    expect([section, await sideways(page)]).toEqual([section, 0]);
  }
});

/** The space between the first amount of the list and the inner edge of its panel, at the line's end. */
const gapBehindAmount = (page: Page) =>
  page.evaluate(() => {
    const amount = document.querySelector('td .money')!.getBoundingClientRect();
    const frame = document.querySelector('.scroller')!.getBoundingClientRect();
    return document.dir === 'rtl' ? amount.left - frame.left : frame.right - amount.right;
  });

/** How far the tables and the page scroll to the side. */
const sideways = (page: Page) =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('.scroller')]
      .map((part) => part.scrollWidth - part.clientWidth)
      .reduce((sum, more) => sum + more, 0),
  );
