import type { Page } from 'playwright';
import { expect, onTestFinished, test } from 'vitest';
import { useBrowser } from '../../../../scripts/use-browser.ts';
import {
  approvingCard,
  challengeCard,
  createLink,
  poorCard,
  startForTest,
  statusContent,
  submitCard,
} from '../testing/sandbox-for-test.ts';
import { startShop } from '../testing/return-pages-for-test.ts';

const { reuse } = useBrowser();

const by = (id: string) => `[data-test="${id}"]`;

test('a shopper is declined, tries another card, and lands in the shop', async () => {
  const sandbox = await startForTest();
  const shop = await startShop();
  const link = await createLink(sandbox, shop);
  const { page, complaints } = await reuse();
  await page.goto(link.redirectUrl);
  await page.click(by('pay-card'));
  await fillCard(page, poorCard);
  await page.click(by('submit-payment'));
  await page.waitForSelector(by('payment-error'));
  expect(await page.textContent(by('payment-error'))).toContain('insufficient funds');
  await fillCard(page, approvingCard);
  await page.click(by('submit-payment'));
  await page.waitForURL(shop.successUrl);
  expect(page.url()).toBe(shop.successUrl);
  expect(complaints).toEqual([]);
  expect(await statusContent(sandbox, link.id)).toHaveLength(2);
});

test('it all works with scripts off, the drawer and 3-D Secure included', async () => {
  const sandbox = await startForTest();
  const shop = await startShop();
  const link = await createLink(sandbox, shop);
  const { page } = await reuse({ javaScriptEnabled: false });
  await page.goto(`${link.redirectUrl}&lang=ar`);
  await page.click(`${by('test-drawer')} summary`);
  await page.click(by(`fill-${challengeCard}`));
  expect(await page.inputValue(by('card-number'))).toBe('4508 7500 1574 1019');
  await page.click(by('submit-payment'));
  await page.fill(by('otp'), '123456');
  await page.click(by('approve'));
  await page.waitForURL(shop.successUrl);
});

test('a double click sends one payment', async () => {
  const sandbox = await startForTest();
  const link = await createLink(sandbox, await startShop());
  const { page } = await reuse();
  await page.goto(link.redirectUrl);
  await fillCard(page, approvingCard);
  await page.dblclick(by('submit-payment'));
  await page.waitForURL(/thanks/);
  expect(await statusContent(sandbox, link.id)).toHaveLength(1);
});

test('Back after paying shows that the order is paid', async () => {
  const sandbox = await startForTest();
  const link = await createLink(sandbox, await startShop());
  const { page } = await reuse();
  await page.goto(link.redirectUrl);
  await fillCard(page, approvingCard);
  await page.click(by('submit-payment'));
  await page.waitForURL(/thanks/);
  await page.goBack();
  expect(await page.textContent('h1')).toBe('This order is already paid');
  await page.click(by('back-to-shop'));
  await page.waitForURL(/thanks/);
});

test('two tabs of one session pay once', async () => {
  const sandbox = await startForTest();
  const link = await createLink(sandbox, await startShop());
  const { page: first } = await reuse();
  const { page: second } = await reuse();
  for (const page of [first, second]) await page.goto(link.redirectUrl);
  await fillCard(first, approvingCard);
  await fillCard(second, '4111111111111111');
  await first.click(by('submit-payment'));
  await first.waitForURL(/thanks/);
  await second.click(by('submit-payment'));
  await second.waitForSelector(by('notice-already-paid'));
  expect(await statusContent(sandbox, link.id)).toHaveLength(1);
});

test('the drawer picks an outcome, fills in a card and ends the session', async () => {
  const sandbox = await startForTest();
  const shop = await startShop();
  const link = await createLink(sandbox, shop);
  const { page, complaints } = await reuse();
  await page.goto(link.redirectUrl);
  await page.click(`${by('test-drawer')} summary`);
  await page.click(by('outcome-decline'));
  await page.click(by(`fill-${approvingCard}`));
  await page.click(by('submit-payment'));
  await page.waitForSelector(by('payment-error'));
  await page.click(`${by('test-drawer')} summary`);
  await page.click(by('expire-now'));
  await page.waitForSelector(by('notice-expired'));
  await page.click(by('back-to-shop'));
  await page.waitForURL(shop.failureUrl);
  expect(complaints).toEqual([]);
});

test('the card form can be worked by keyboard alone, and begins with what went wrong', async () => {
  const sandbox = await startForTest();
  const link = await createLink(sandbox, await startShop());
  const { page } = await reuse();
  await page.goto(link.redirectUrl);
  await page.focus(by('card-number'));
  await page.keyboard.type('4201320000311101');
  expect(await page.inputValue(by('card-number'))).toBe('4201 3200 0031 1101');
  await page.keyboard.press('Tab');
  await page.keyboard.type('1239');
  expect(await page.inputValue(by('card-expiry'))).toBe('12/39');
  await page.keyboard.press('Tab');
  await page.keyboard.type('123');
  await page.keyboard.press('Enter');
  await page.waitForSelector(`${by('payment-error')}:focus`);
});

test('a CVV that is pasted with signs between its digits arrives whole', async () => {
  const sandbox = await startForTest();
  const link = await createLink(sandbox, await startShop());
  const { page } = await reuse();
  await page.goto(link.redirectUrl);
  const paste = await pasteInto(page, by('card-cvv'));
  for (const text of ['1 2 3', ' 123', '1-2-3', '\u0661 \u0662 \u0663']) {
    await paste(text);
    expect([text, await page.inputValue(by('card-cvv'))]).toEqual([text, '123']);
    await paste('1 2 3 4 5');
    expect(await page.inputValue(by('card-cvv'))).toBe('1234');
  }
});

test('the ways to pay and the challenge can be worked by keyboard alone', async () => {
  const sandbox = await startForTest();
  await submitCard(await createLink(sandbox, { merchantOrderId: 'earlier' }));
  const { page } = await reuse();
  await page.goto((await createLink(sandbox)).redirectUrl);
  await page.focus('[data-test="pay-card"]');
  await page.keyboard.press('ArrowDown');
  expect(await page.isChecked('[data-test="pay-apple"]')).toBe(true);
  await page.keyboard.press('ArrowDown');
  expect(await page.isChecked('[data-test="pay-saved"]')).toBe(true);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Tab');
  await page.keyboard.type('4508750015741019');
  for (const text of ['1239', '123', 'Noura']) {
    await page.keyboard.press('Tab');
    await page.keyboard.type(text);
  }
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/challenge\//);
  await page.focus('[data-test="otp"]');
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-test="challenge-error"]:focus');
});

test('without scripts a CVV of five digits is refused', async () => {
  const sandbox = await startForTest();
  const link = await createLink(sandbox, await startShop());
  const { page } = await reuse({ javaScriptEnabled: false });
  await page.goto(link.redirectUrl);
  await fillCard(page, approvingCard);
  await page.fill(by('card-cvv'), '12345');
  await page.click(by('submit-payment'));
  await page.waitForSelector('#card-cvv-error');
  expect(await statusContent(sandbox, link.id)).toEqual([]);
});

test('the language switch keeps the session and turns the page round', async () => {
  const sandbox = await startForTest();
  const link = await createLink(sandbox, await startShop());
  const { page } = await reuse();
  await page.goto(link.redirectUrl);
  await page.click(by('lang-ar'));
  expect(await page.getAttribute('html', 'dir')).toBe('rtl');
  expect(await page.textContent(by('submit-payment'))).toContain('ادفع');
  await page.click(by('lang-en'));
  expect(await page.getAttribute('html', 'dir')).toBe('ltr');
});

test('the amount’s card is as high as its content', async () => {
  const sandbox = await startForTest();
  const { page } = await reuse();
  await page.goto((await createLink(sandbox)).redirectUrl);
  const empty = await page.evaluate(() => {
    const card = document.querySelector('.summary')!;
    const texts = [...card.children].map((part) => part.getBoundingClientRect());
    const gaps = texts.slice(1).map((part, index) => part.top - (texts[index]?.bottom ?? 0));
    const below = card.getBoundingClientRect().bottom - (texts.at(-1)?.bottom ?? 0);
    return Math.max(...gaps, below);
  });
  expect(empty).toBeLessThan(40);
});

async function fillCard(page: Page, number: string): Promise<void> {
  await page.fill(by('card-number'), number);
  await page.fill(by('card-expiry'), '12/39');
  await page.fill(by('card-cvv'), '123');
  await page.fill(by('card-holder'), 'Noura');
}

/** Puts texts in the place of a field's by the browser's own paste, which heeds the field's limits. */
async function pasteInto(page: Page, field: string): Promise<(text: string) => Promise<void>> {
  // An element of this page would be part of it; another page of the profile has the same clipboard.
  const source = await page.context().newPage();
  onTestFinished(() => source.close());
  await source.setContent('<textarea></textarea>');
  return async (text) => {
    await source.bringToFront();
    await source.fill('textarea', text);
    await source.press('textarea', 'Control+A');
    await source.press('textarea', 'Control+C');
    await page.bringToFront();
    await page.press(field, 'Control+A');
    await page.press(field, 'Control+V');
  };
}
