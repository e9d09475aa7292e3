import { expect, test } from 'vitest';
import { useBrowser } from '../../../../../scripts/use-browser.ts';
import {
  createLink,
  send,
  startForTest,
  statusContent,
  submitCard,
} from '../../testing/sandbox-for-test.ts';
import { startShop } from '../../testing/return-pages-for-test.ts';

const { reuse } = useBrowser();

const by = (id: string) => `[data-test="${id}"]`;

test('Apple Pay needs no card number, with scripts and without', async () => {
  const sandbox = await startForTest();
  const shop = await startShop();
  for (const options of [{}, { javaScriptEnabled: false }]) {
    const merchantOrderId = `apple-${Object.keys(options).length}`;
    const link = await createLink(sandbox, { ...shop, merchantOrderId });
    const { page, complaints } = await reuse(options);
    await page.goto(link.redirectUrl);
    await page.click(by('pay-apple'));
    expect(await page.isVisible(by('card-number'))).toBe(false);
    await page.click(by('submit-payment'));
    await page.waitForURL(shop.successUrl);
    expect(await statusContent(sandbox, link.id)).toMatchObject([{ paymentStatus: 'APPROVED' }]);
    expect(complaints).toEqual([]);
  }
});

test('a card that was used with a phone is offered to that phone alone, and pays again', async () => {
  const sandbox = await startForTest();
  const shop = await startShop();
  const first = await createLink(sandbox, { ...shop, merchantOrderId: 'first' });
  expect((await send(first.redirectUrl)).text).not.toContain('data-test="pay-saved"');
  await submitCard(first);
  const stranger = { ...shop, merchantOrderId: 'stranger', customerPhone: '0598765432' };
  const other = await createLink(sandbox, stranger);
  expect((await send(other.redirectUrl)).text).not.toContain('data-test="pay-saved"');
  const again = { ...shop, merchantOrderId: 'again', customerPhone: '+966 51 234 5678' };
  const link = await createLink(sandbox, again);
  const { page } = await reuse();
  await page.goto(link.redirectUrl);
  await page.click(by('pay-saved'));
  expect(await page.textContent('.saved-cards')).toContain('1010');
  await page.click(by('submit-payment'));
  await page.waitForURL(shop.successUrl);
  expect(await statusContent(sandbox, link.id)).toMatchObject([{ pan: '420132******1010' }]);
});

test('a saved card that is not this customer’s pays nothing, and the page says so', async () => {
  const sandbox = await startForTest();
  const link = await createLink(sandbox);
  const fields = { method: 'saved-card', savedCard: 'somebody-else' };
  const { status, text } = await submitCard(link, fields);
  expect(status).toBe(200);
  expect(text).toContain('This saved card is no longer there.');
  expect(await statusContent(sandbox, link.id)).toEqual([]);
});

test.each([
  [9900.51, 'the bank answers with the code 51'],
  [9902.05, 'pending for 5 minutes, then approved'],
  [9907.99, 'no webhook ever arrives'],
])('a page for the magic amount %d says what it does', async (amount, text) => {
  const sandbox = await startForTest();
  const { redirectUrl } = await createLink(sandbox, { amount });
  expect((await send(`${redirectUrl}&lang=en`)).text).toContain(text);
  expect((await send(`${redirectUrl}&lang=ar`)).text).toContain('مبلغ اختبار خاص');
});

test('an amount beside the magic window has no banner', async () => {
  const sandbox = await startForTest();
  const { redirectUrl } = await createLink(sandbox, { amount: 9910 });
  expect((await send(redirectUrl)).text).not.toContain('magic-banner');
});

test('a payment that waits for the bank says so, and the shop learns the result', async () => {
  const sandbox = await startForTest();
  const link = await createLink(sandbox, { amount: 9902.05 });
  const sent = await submitCard(link);
  const waiting = await send(new URL(sent.headers.get('location') ?? '', sandbox.url).href);
  expect(waiting.text).toContain('data-test="notice-waiting-for-bank"');
  await sandbox.control.advanceClock({ by: 'PT5M' });
  expect((await send(link.redirectUrl)).text).toContain('data-test="notice-already-paid"');
});

test('9905 cuts the browser’s connection, before or after the money moved', async () => {
  const sandbox = await startForTest();
  const before = await createLink(sandbox, { amount: 9905, merchantOrderId: 'before' });
  await expect(submitCard(before)).rejects.toThrow();
  expect(await statusContent(sandbox, before.id)).toEqual([]);
  const after = await createLink(sandbox, { amount: 9905.01, merchantOrderId: 'after' });
  await expect(submitCard(after)).rejects.toThrow();
  expect(await statusContent(sandbox, after.id)).toMatchObject([{ paymentStatus: 'APPROVED' }]);
  expect((await send(after.redirectUrl)).text).toContain('data-test="notice-already-paid"');
});
