import type { BrowserContextOptions, Page } from 'playwright';
import { expect, test } from 'vitest';
import { useBrowser } from '../../../../../scripts/use-browser.ts';
import {
  approvingCard,
  createLink,
  poorCard,
  startForTest,
  submitCard,
} from '../../testing/sandbox-for-test.ts';

const { reuse } = useBrowser();

const by = (id: string) => `[data-test="${id}"]`;

test.each(['en', 'ar'])(
  'in %s, an error of the form goes when the shopper chooses another way to pay',
  async (lang) => {
    const { page } = await openHostedPage(lang);
    await page.click(by('submit-payment'));
    await page.waitForSelector(by('payment-error'));
    await page.click(by('pay-apple'));
    expect(await page.isVisible(by('payment-error'))).toBe(false);
    await page.click(by('pay-card'));
    expect(await page.isVisible(by('payment-error'))).toBe(false);
    expect(await shownErrors(page)).toEqual([]);
  },
);

test('without scripts, an error of the card form is not shown beside Apple Pay', async () => {
  const { page } = await openHostedPage('en', { javaScriptEnabled: false });
  await page.click(by('submit-payment'));
  await page.waitForSelector(by('payment-error'));
  await page.click(by('pay-apple'));
  expect(await page.isVisible(by('payment-error'))).toBe(false);
});

test('a field’s error goes when the field is edited, and the summary with the last of them', async () => {
  const { page } = await openHostedPage('en');
  await page.click(by('submit-payment'));
  await page.waitForSelector(by('payment-error'));
  expect(await shownErrors(page)).toEqual(['number', 'expiry', 'cvv']);
  await page.locator(by('card-number')).pressSequentially('4');
  expect(await shownErrors(page)).toEqual(['expiry', 'cvv']);
  expect(await page.getAttribute(by('card-number'), 'aria-invalid')).toBeNull();
  expect(await page.getAttribute(by('card-number'), 'aria-describedby')).toBeNull();
  await page.locator(by('card-expiry')).pressSequentially('1');
  expect(await page.getAttribute(by('card-expiry'), 'aria-describedby')).toBe('card-expiry-hint');
  expect(await page.isVisible(by('payment-error'))).toBe(true);
  await page.locator(by('card-cvv')).pressSequentially('1');
  expect(await page.isVisible(by('payment-error'))).toBe(false);
});

test('a decline is no longer said once the shopper edits the card or has one filled in', async () => {
  const sandbox = await startForTest();
  const link = await createLink(sandbox);
  await submitCard(link, { number: poorCard });
  const { page } = await reuse();
  await page.goto(link.redirectUrl);
  expect(await page.isVisible(by('payment-error'))).toBe(true);
  await page.locator(by('card-number')).pressSequentially('4');
  expect(await page.isVisible(by('payment-error'))).toBe(false);
  await page.reload();
  expect(await page.isVisible(by('payment-error'))).toBe(true);
  await page.click(`${by('test-drawer')} summary`);
  await page.click(by(`fill-${approvingCard}`));
  expect(await page.isVisible(by('payment-error'))).toBe(false);
});

test('the security code takes four digits of any keyboard and nothing else', async () => {
  const { page } = await openHostedPage('ar');
  const cvv = page.locator(by('card-cvv'));
  expect(await cvv.getAttribute('inputmode')).toBe('numeric');
  for (const [typed, kept] of [
    ['abc', ''],
    ['1a2b3', '123'],
    ['12345', '1234'],
    ['١٢٣', '123'],
    ['۹۱۱', '911'],
    ['1-2 3', '123'],
  ] as const) {
    await cvv.fill('');
    await cvv.pressSequentially(typed);
    expect([typed, await cvv.inputValue()]).toEqual([typed, kept]);
  }
  await cvv.fill('12a3');
  expect(await cvv.inputValue()).toBe('123');
});

test('a letter typed in the middle of the security code leaves the caret where it was', async () => {
  const { page } = await openHostedPage('en');
  await page.fill(by('card-cvv'), '13');
  await page.press(by('card-cvv'), 'ArrowLeft');
  await page.keyboard.type('x2');
  expect(await page.inputValue(by('card-cvv'))).toBe('123');
});

test('the date and the one-time password take no letters, and its error goes when edited', async () => {
  const { page } = await openHostedPage('en');
  const expiry = page.locator(by('card-expiry'));
  await expiry.pressSequentially('a1x2/3b9');
  expect(await expiry.inputValue()).toBe('12/39');
  await page.fill(by('card-number'), '4508750015741019');
  await page.fill(by('card-cvv'), '123');
  await page.click(by('submit-payment'));
  const otp = page.locator(by('otp'));
  await otp.pressSequentially('12ab٣456');
  expect(await otp.inputValue()).toBe('12٣456');
  await otp.fill('000000');
  await page.click(by('approve'));
  await page.waitForSelector(by('challenge-error'));
  await otp.pressSequentially('1');
  expect(await page.isVisible(by('challenge-error'))).toBe(false);
});

test('letters in the security code are refused beside the field, and the rest stays typed', async () => {
  const { page } = await openHostedPage('en', { javaScriptEnabled: false });
  await page.fill(by('card-number'), approvingCard);
  await page.fill(by('card-expiry'), '١٢/٣٩');
  await page.fill(by('card-holder'), 'Noura');
  await page.fill(by('card-cvv'), '12a');
  await page.click(by('submit-payment'));
  await page.waitForSelector(by('payment-error'));
  expect(await shownErrors(page)).toEqual(['cvv']);
  expect(await page.textContent('#card-cvv-error')).toBe('The security code has 3 or 4 digits.');
  expect(await page.inputValue(by('card-number'))).toBe(approvingCard);
  expect(await page.inputValue(by('card-expiry'))).toBe('12/39');
  expect(await page.inputValue(by('card-holder'))).toBe('Noura');
});

test.each(['12-39', '12.39', '12 / 2039', '1239'])(
  'the expiry %s stays typed when the security code was wrong',
  async (expiry) => {
    const sandbox = await startForTest();
    const { text } = await submitCard(await createLink(sandbox), { expiry, cvv: 'abc' });
    expect(text).toContain(`value="${expiry}"`);
    expect(text).not.toContain('value="abc"');
  },
);

async function openHostedPage(lang: string, options: BrowserContextOptions = {}) {
  const sandbox = await startForTest();
  const link = await createLink(sandbox);
  const opened = await reuse(options);
  await opened.page.goto(`${link.redirectUrl}&lang=${lang}`);
  return opened;
}

/** The fields that say that something is wrong with them. */
async function shownErrors(page: Page): Promise<string[]> {
  const ids = await page
    .locator('.field-error:visible')
    .evaluateAll((errors) => errors.map(({ id }) => id));
  return ids.map((id) => id.replace(/^card-|-error$/g, ''));
}
