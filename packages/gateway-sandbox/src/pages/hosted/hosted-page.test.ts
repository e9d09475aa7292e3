import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { useBrowser } from '../../../../../scripts/use-browser.ts';
import { startShop } from '../../testing/receiver-for-test.ts';
import { by, cards, startForTest, submitCard } from '../../testing/sandbox-for-test.ts';

const { reuse } = useBrowser();

/** The hosted page of a new link in a browser, whose shop is at another origin. */
async function openHosted({ lang = 'en', scripts = true } = {}) {
  const sandbox = await startForTest();
  const shop = await startShop();
  const link = await sandbox.createLink(shop);
  const { page, complaints } = await reuse(scripts ? {} : { javaScriptEnabled: false });
  await page.goto(`${link.redirectUrl}&lang=${lang}`);
  const press = async (id: string, follows: string) => {
    await page.click(by(id));
    await page.waitForSelector(by(follows));
  };
  const isShown = (id: string) => page.isVisible(by(id));
  return { sandbox, shop, link, page, complaints, press, isShown };
}

test('it all works with scripts off, the drawer and 3-D Secure included', async () => {
  const { shop, page } = await openHosted({ lang: 'ar', scripts: false });
  await page.click(`${by('test-drawer')} summary`);
  await page.click(by(`fill-${cards.challenged}`));
  expect(await page.inputValue(by('card-number'))).toBe('4508 7500 1574 1019');
  await page.click(by('submit-payment'));
  await page.fill(by('otp'), '123456');
  await page.click(by('approve'));
  await page.waitForURL(shop.successUrl);
});

test('Back after paying shows that the order is paid', async () => {
  const { page } = await openHosted();
  await page.click(`${by('test-drawer')} summary`);
  await page.click(by(`fill-${cards.mada}`));
  await page.click(by('submit-payment'));
  await page.waitForURL(/thanks/);
  await page.goBack();
  expect(await page.textContent('h1')).toBe('This order is already paid');
  await page.click(by('back-to-shop'));
  await page.waitForURL(/thanks/);
});

test('the drawer picks an outcome, fills in a card and ends the session', async () => {
  const { shop, page, complaints, press } = await openHosted();
  await page.click(`${by('test-drawer')} summary`);
  await page.click(by('outcome-decline'));
  await page.click(by(`fill-${cards.mada}`));
  await press('submit-payment', 'payment-error');
  await page.click(`${by('test-drawer')} summary`);
  await press('expire-now', 'notice-expired');
  await page.click(by('back-to-shop'));
  await page.waitForURL(shop.failureUrl);
  expect(complaints).toEqual([]);
});

test('the ways to pay, the card form and the challenge can be worked by keyboard alone', async () => {
  const { sandbox, page } = await openHosted();
  await submitCard(await sandbox.createLink({ merchantOrderId: 'earlier' }));
  await page.reload();
  const type = async (...texts: readonly string[]) => {
    for (const text of texts) {
      await page.keyboard.press('Tab');
      await page.keyboard.type(text);
    }
  };
  await page.focus(by('pay-card'));
  await page.keyboard.press('ArrowDown');
  expect(await page.isChecked(by('pay-apple'))).toBe(true);
  await page.keyboard.press('ArrowDown');
  expect(await page.isChecked(by('pay-saved'))).toBe(true);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await type(cards.poor, '1239', '123');
  expect(await page.inputValue(by('card-number'))).toBe('4201 3200 0031 1101');
  expect(await page.inputValue(by('card-expiry'))).toBe('12/39');
  await page.keyboard.press('Enter');
  await page.waitForSelector(`${by('payment-error')}:focus`);
  await page.focus(by('pay-card'));
  await type(cards.challenged, '1239', '123', 'Noura');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/challenge\//);
  await page.focus(by('otp'));
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await page.waitForSelector(`${by('challenge-error')}:focus`);
});

test('Apple Pay needs no card number, with scripts and without', async () => {
  for (const scripts of [true, false]) {
    const { sandbox, shop, link, page, complaints, isShown } = await openHosted({ scripts });
    await page.click(by('pay-apple'));
    expect(await isShown('card-number')).toBe(false);
    await page.click(by('submit-payment'));
    await page.waitForURL(shop.successUrl);
    expect(await sandbox.statusContent(link.id)).toMatchObject([{ paymentStatus: 'APPROVED' }]);
    expect(complaints).toEqual([]);
  }
});

test('a card that was used with a phone is offered to it, and pays again', async () => {
  const { sandbox, shop, link: first, page, isShown } = await openHosted();
  expect(await isShown('pay-saved')).toBe(false);
  await submitCard(first);
  const again = { ...shop, merchantOrderId: 'again', customerPhone: '+966 51 234 5678' };
  const link = await sandbox.createLink(again);
  await page.goto(link.redirectUrl);
  await page.click(by('pay-saved'));
  expect(await page.textContent('.saved-cards')).toContain('1010');
  await page.click(by('submit-payment'));
  await page.waitForURL(shop.successUrl);
  expect(await sandbox.statusContent(link.id)).toMatchObject([{ pan: '420132******1010' }]);
});

test.each([
  ['en', true],
  ['ar', true],
  ['en', false],
])('in %s, scripts: %s, an error goes when another way to pay is chosen', async (lang, scripts) => {
  const { page, press, isShown } = await openHosted({ lang, scripts });
  await press('submit-payment', 'payment-error');
  await page.click(by('pay-apple'));
  expect(await isShown('payment-error')).toBe(false);
  if (!scripts) return;
  await page.click(by('pay-card'));
  expect(await isShown('payment-error')).toBe(false);
  expect(await shownErrors(page)).toEqual([]);
});

test('a field’s error goes when the field is edited, and the summary with the last of them', async () => {
  const { page, press, isShown } = await openHosted();
  await press('submit-payment', 'payment-error');
  expect(await shownErrors(page)).toEqual(['number', 'expiry', 'cvv']);
  await page.locator(by('card-number')).pressSequentially('4');
  expect(await shownErrors(page)).toEqual(['expiry', 'cvv']);
  expect(await page.getAttribute(by('card-number'), 'aria-invalid')).toBeNull();
  expect(await page.getAttribute(by('card-number'), 'aria-describedby')).toBeNull();
  await page.locator(by('card-expiry')).pressSequentially('1');
  expect(await page.getAttribute(by('card-expiry'), 'aria-describedby')).toBe('card-expiry-hint');
  expect(await isShown('payment-error')).toBe(true);
  await page.locator(by('card-cvv')).pressSequentially('1');
  expect(await isShown('payment-error')).toBe(false);
});

test('a decline is no longer said once the shopper edits the card or has one filled in', async () => {
  const { link, page, isShown } = await openHosted();
  await submitCard(link, { number: cards.poor });
  await page.reload();
  expect(await isShown('payment-error')).toBe(true);
  await page.locator(by('card-number')).pressSequentially('4');
  expect(await isShown('payment-error')).toBe(false);
  await page.reload();
  expect(await isShown('payment-error')).toBe(true);
  await page.click(`${by('test-drawer')} summary`);
  await page.click(by(`fill-${cards.mada}`));
  expect(await isShown('payment-error')).toBe(false);
});

test('the security code takes four digits of any keyboard, and the caret stays where it was', async () => {
  const { page } = await openHosted({ lang: 'ar' });
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
  await cvv.fill('13');
  await cvv.press('ArrowLeft');
  await page.keyboard.type('x2');
  expect(await cvv.inputValue()).toBe('123');
});

test('a CVV that is pasted with signs between its digits arrives whole', async () => {
  const { page } = await openHosted();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  // The browser's own paste heeds the field's limits.
  const paste = async (text: string) => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await page.press(by('card-cvv'), 'Control+A');
    await page.press(by('card-cvv'), 'Control+V');
  };
  for (const text of ['1 2 3', ' 123', '1-2-3', '\u0661 \u0662 \u0663']) {
    await paste(text);
    expect([text, await page.inputValue(by('card-cvv'))]).toEqual([text, '123']);
    await paste('1 2 3 4 5');
    expect(await page.inputValue(by('card-cvv'))).toBe('1234');
  }
});

test('the date and the one-time password take no letters, and its error goes when edited', async () => {
  const { page, press, isShown } = await openHosted();
  const expiry = page.locator(by('card-expiry'));
  await expiry.pressSequentially('a1x2/3b9');
  expect(await expiry.inputValue()).toBe('12/39');
  await page.fill(by('card-number'), cards.challenged);
  await page.fill(by('card-cvv'), '123');
  await page.click(by('submit-payment'));
  // With its script, which comes last.
  await page.waitForURL(/\/challenge\//);
  const otp = page.locator(by('otp'));
  await otp.pressSequentially('12ab٣456');
  expect(await otp.inputValue()).toBe('12٣456');
  await otp.fill('000000');
  await press('approve', 'challenge-error');
  await otp.pressSequentially('1');
  expect(await isShown('challenge-error')).toBe(false);
});

test('the amount’s card is as high as its content', async () => {
  const { page } = await openHosted();
  const empty = await page.evaluate(() => {
    const card = document.querySelector('.summary')!;
    const texts = [...card.children].map((part) => part.getBoundingClientRect());
    const gaps = texts.slice(1).map((part, index) => part.top - (texts[index]?.bottom ?? 0));
    const below = card.getBoundingClientRect().bottom - (texts.at(-1)?.bottom ?? 0);
    return Math.max(...gaps, below);
  });
  expect(empty).toBeLessThan(40);
});

/** The fields that say that something is wrong with them. */
async function shownErrors(page: Page): Promise<string[]> {
  const ids = await page
    .locator('.field-error:visible')
    .evaluateAll((errors) => errors.map(({ id }) => id));
  return ids.map((id) => id.replace(/^card-|-error$/g, ''));
}
