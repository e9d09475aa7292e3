import { beforeEach, expect, test } from 'vitest';
import { postForm } from '../../testing/dashboard-for-test.ts';
import { cards, send, startForTest, submitCard } from '../../testing/sandbox-for-test.ts';
import { validLink } from '../../testing/sandbox-for-test.ts';
import type { SandboxForTest } from '../../testing/sandbox-for-test.ts';

let sandbox: SandboxForTest;
beforeEach(async () => void (sandbox = await startForTest()));

test('an address with letters beyond ASCII is sent on percent-encoded', async () => {
  const link = await sandbox.createLink({ successUrl: 'https://shop.example/شكرا?x=1#تم' });
  const { headers } = await submitCard(link);
  expect(headers.get('location')).toBe(new URL('https://shop.example/شكرا?x=1#تم').href);
});

test('one form submitted many times at once is one transaction', async () => {
  const link = await sandbox.createLink();
  const answers = await Promise.all(Array.from({ length: 8 }, () => submitCard(link)));
  for (const { headers } of answers) expect(headers.get('location')).toBe(validLink.successUrl);
  expect(await sandbox.statusContent(link.id)).toHaveLength(1);
  const declined = await sandbox.createLink({ merchantOrderId: 'declined' });
  const decline = () => submitCard(declined, { number: cards.poor });
  await Promise.all([decline(), decline()]);
  expect(await sandbox.statusContent(declined.id)).toHaveLength(1);
});

test('every fault of a card is shown beside its field, in both languages; what was typed stays, but no CVV', async () => {
  const link = await sandbox.createLink();
  const textAfter = async (fields: Record<string, string>, { redirectUrl } = link) => {
    const { status, text } = await submitCard({ redirectUrl }, { holder: 'Noura <b>', ...fields });
    expect(status).toBe(200);
    expect(text).toContain('value="Noura &lt;b&gt;"');
    return text;
  };
  const empty = { number: '', expiry: '', cvv: '' };
  const english = await textAfter(empty);
  for (const field of ['card number', 'expiry date', 'security code']) {
    expect(english).toContain(`Enter the ${field}.`);
  }
  const arabic = await textAfter(empty, { ...link, redirectUrl: `${link.redirectUrl}&lang=ar` });
  expect(arabic).toContain('<html lang="ar" dir="rtl">');
  expect(arabic).toContain('أدخل رقم البطاقة.');
  expect(await textAfter({ number: '4539578763621486' })).toContain('This is not a test card.');
  const late = await textAfter({ expiry: '01/20', cvv: '987' });
  expect(late).toContain(`value="${cards.mada}"`);
  expect(late).toContain('This date has passed.');
  expect(late).not.toContain('987');
  for (const expiry of ['12-39', '12.39', '12 / 2039', '1239']) {
    const wrong = await textAfter({ expiry, cvv: 'abc' });
    expect(wrong).toContain(`value="${expiry}"`);
    expect(wrong).toMatch(/id="card-cvv-error"[^>]*>The security code has 3 or 4 digits\./);
    expect(wrong).not.toContain('value="abc"');
  }
  expect(await sandbox.statusContent(link.id)).toEqual([]);
});

test('pages for an expired, a paid and an unknown session say so and lead on', async () => {
  const link = await sandbox.createLink();
  const expire = link.redirectUrl.replace('/checkout', '/checkout/expire');
  const expired = await follow((await send(expire, { method: 'POST' })).headers);
  expect(expired).toContain('This payment page has expired');
  expect(expired).toContain(`href="${validLink.failureUrl}" data-test="back-to-shop"`);
  expect(await follow((await submitCard(link)).headers)).toContain('has expired');
  const paid = await sandbox.createLink({ merchantOrderId: 'order-2' });
  await submitCard(paid);
  const second = await submitCard(paid, { number: '4111111111111111' });
  for (const page of [await follow(second.headers), (await send(paid.redirectUrl)).text]) {
    expect(page).toContain('This order is already paid');
    expect(page).toContain(`href="${validLink.successUrl.replace('&', '&amp;')}"`);
  }
  expect(await sandbox.statusContent(paid.id)).toHaveLength(1);
  const unknown = await send(`${sandbox.url}/checkout?sessionId=nobody`);
  expect(unknown.text).toContain('We do not know this payment page');
});

test('the language follows the address, which the switch changes, else the browser, else it is English', async () => {
  const { redirectUrl } = await sandbox.createLink();
  const languageFor = async (query: string, wish: string) => {
    const { text } = await send(redirectUrl + query, { headers: { 'accept-language': wish } });
    return /<html lang="(\w+)" dir="(\w+)">/.exec(text)?.slice(1);
  };
  expect(await languageFor('', 'ar-SA,ar;q=0.9,en;q=0.5')).toEqual(['ar', 'rtl']);
  expect(await languageFor('', 'fr-FR')).toEqual(['en', 'ltr']);
  expect(await languageFor('&lang=en', 'ar')).toEqual(['en', 'ltr']);
  expect(await languageFor('&lang=ar', 'en')).toEqual(['ar', 'rtl']);
  expect(await languageFor('&lang=fr', 'en')).toEqual(['en', 'ltr']);
  const query = redirectUrl.slice(redirectUrl.indexOf('/checkout')).replace('&', '&amp;');
  const { text } = await send(redirectUrl);
  for (const lang of ['en', 'ar']) expect(text).toContain(`href="${query}&amp;lang=${lang}"`);
});

// Pins: transition.transaction.challenge
test('a challenged card goes to the 3-D Secure page, and on from there', async () => {
  const link = await sandbox.createLink();
  const toChallenge = async (formKey: string) => {
    const { headers } = await submitCard(link, { number: cards.challenged, formKey });
    return sandbox.url + (headers.get('location') ?? '');
  };
  const answer = (page: string, fields: Record<string, string>) => postForm(page, '', fields);

  const first = await toChallenge('0');
  expect((await send(first)).text).toContain('data-test="otp"');
  const wrong = { action: 'password', otp: '000000' };
  expect(await follow((await answer(first, wrong)).headers)).toContain('Two tries are left.');
  const inArabic = await answer(first.replace('lang=en', 'lang=ar'), wrong);
  expect(await follow(inArabic.headers)).toContain('بقيت لك محاولة واحدة.');
  const hanging = await answer(first, { action: 'hang' });
  expect(await follow(hanging.headers)).toContain('Waiting for your bank');
  const cancelled = await answer(first, { action: 'cancel' });
  expect(await follow(cancelled.headers)).toContain('you cancelled the confirmation');

  const second = await toChallenge('1');
  const passed = await answer(second, { action: 'password', otp: '١٢٣٤٥٦' });
  expect(passed.headers.get('location')).toBe(validLink.successUrl);
  expect(await sandbox.statusesOf(link.id)).toBe('FAILED SUCCESS');
});

test('a saved card that is not this customer’s pays nothing, and the page says so', async () => {
  const { sessionId } = await sandbox.payLink({ merchantOrderId: 'theirs' });
  const [theirs] = (await sandbox.control.session(sessionId)).savedCards;
  const link = await sandbox.createLink({ customerPhone: '0599999999' });
  const fields = { method: 'saved-card', savedCard: theirs?.id ?? '' };
  const { status, text } = await submitCard(link, fields);
  expect(status).toBe(200);
  expect(text).toContain('This saved card is no longer there.');
  expect(await sandbox.statusContent(link.id)).toEqual([]);
});

test.each([
  [9900.51, 'the bank answers with the code 51'],
  [9902.05, 'pending for 5 minutes, then approved'],
  [9907.99, 'no webhook ever arrives'],
])('only a page for the magic amount %d says what it does', async (amount, text) => {
  const { redirectUrl } = await sandbox.createLink({ amount });
  expect((await send(`${redirectUrl}&lang=en`)).text).toContain(text);
  expect((await send(`${redirectUrl}&lang=ar`)).text).toContain('مبلغ اختبار خاص');
  const beside = await sandbox.createLink({ amount: 9910, merchantOrderId: 'beside' });
  expect((await send(beside.redirectUrl)).text).not.toContain('magic-banner');
});

test('a payment that waits for the bank says so, and the shop learns the result', async () => {
  const link = await sandbox.createLink({ amount: 9902.05 });
  const sent = await submitCard(link);
  expect(await follow(sent.headers)).toContain('data-test="notice-waiting-for-bank"');
  await sandbox.control.advanceClock({ by: 'PT5M' });
  expect((await send(link.redirectUrl)).text).toContain('data-test="notice-already-paid"');
});

test('what a merchant sent is text on the page, never markup', async () => {
  const hostile = '"><script>alert(1)</script>';
  const { redirectUrl } = await sandbox.createLink({
    merchantOrderId: hostile,
    customerName: hostile,
    failureUrl: 'https://shop.example/?a="><script>',
  });
  const pages = [redirectUrl, `${redirectUrl}&lang="><script>`, `${sandbox.url}/_sandbox`];
  for (const page of pages) {
    const { text } = await send(page);
    expect(text).not.toContain('<script>');
    expect(text).not.toContain('"><script');
    expect(text).not.toContain('alert(1)</script>');
  }
});

test('the page is strict about scripts, frames, caches and where its forms lead', async () => {
  const { redirectUrl } = await sandbox.createLink({
    successUrl: 'http://localhost:3000/ok',
    failureUrl: 'https://other.example/no',
  });
  const { headers, text } = await send(redirectUrl);
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self' http://localhost:3000 https://other.example; frame-ancestors 'none'; base-uri 'none'",
  );
  expect(headers.get('cache-control')).toBe('no-store');
  expect(text).not.toMatch(/<style|style="|<script(?! src="\/assets\/)/);
  expect([...text.matchAll(/(?:src|action)="(\w+:[^"]*)"/g)]).toEqual([]);
});

const finjan = { en: 'Finjan', ar: 'فنجان' };

const pageAt = async (address: string) => (await send(address)).text;
const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, '');
const titleOf = (page: string) => /<title>([^<]*)</.exec(page)?.[1];
const merchantOf = (page: string) => /data-test="merchant"[^>]*>(?:<bdi>)?([^<]*)</.exec(page)?.[1];

/** The text from the first element of a class up to an end tag. */
const textIn = (page: string, className: string, end: string) =>
  textOf(new RegExp(`<[^>]* class="(?:[^"]* )?${className}"[^]*?</${end}>`).exec(page)?.[0] ?? '');

const languages = ['en', 'ar'] as const;
test.each(languages)('in %s a payment’s pages name the merchant, and no host', async (lang) => {
  sandbox = await startForTest({ merchant: finjan });
  const successUrl = 'http://localhost:9/thanks';
  const link = await sandbox.createLink({ successUrl, failureUrl: 'http://127.0.0.1:9/retry' });
  const hosted = await pageAt(`${link.redirectUrl}&lang=${lang}`);
  expect(textIn(hosted, 'apple-sheet', 'dl')).toContain(finjan[lang]);
  const card = { number: cards.challenged };
  const { challenge } = await sandbox.control.pay(link.id, { card });
  const asking = await pageAt(`${sandbox.url}/challenge/${challenge?.id}?lang=${lang}`);
  for (const page of [hosted, asking]) {
    expect(titleOf(page)).toContain(finjan[lang]);
    expect(merchantOf(page)).toBe(finjan[lang]);
    expect(textOf(page)).not.toMatch(/localhost|127\.0\.0\.1/);
  }
});

test.each([
  [undefined, 'Test shop', 'متجر تجريبي'],
  ['Qahwa & <Co>', 'Qahwa &amp; &lt;Co&gt;', 'Qahwa &amp; &lt;Co&gt;'],
])('a merchant that is named %s is called %s and %s in the HTML', async (merchant, ...names) => {
  sandbox = await startForTest({ merchant });
  const { redirectUrl } = await sandbox.createLink();
  const pages = ['en', 'ar'].map((lang) => pageAt(`${redirectUrl}&lang=${lang}`));
  expect((await Promise.all(pages)).map(merchantOf)).toEqual(names);
});

const noNames = ['', ' ', 'x'.repeat(61), 'Fin\u202ejan', { en: 'Finjan', ar: '' }];
test.each(noNames)('a merchant cannot be named %j', async (merchant) => {
  await expect(startForTest({ merchant })).rejects.toMatchObject({ code: 'invalid_option' });
});

test.each([
  ['1001~2', '1001'],
  ['AB~12-3', 'AB~12-3'],
])('the order %s is shown as %s', async (merchantOrderId, shown) => {
  const page = await pageAt((await sandbox.createLink({ merchantOrderId })).redirectUrl);
  expect(/class="summary"[^]*?<dd>(.*?)<\/dd>/.exec(page)?.[1]).toBe(`<bdi>${shown}</bdi>`);
});

test('brands are written as they write themselves', async () => {
  for (const [index, number] of ['4111111111111111', '5123450000000008'].entries()) {
    await sandbox.payLink({ merchantOrderId: `earlier-${index}` }, number);
  }
  const page = await pageAt((await sandbox.createLink()).redirectUrl);
  const named = `${textIn(page, 'saved-cards', 'ul')}${textIn(page, 'drawer', 'details')}`;
  for (const name of ['Visa', 'Mastercard', 'mada ·']) expect(named).toContain(name);
  expect(named).not.toMatch(/visa|mastercard|MADA/);
});

test('a shopper’s page loads no style of the tools, nor a tool the shopper’s; every file is there', async () => {
  const filesOf = async (address: string) => {
    const files = [...(await pageAt(address)).matchAll(/"(\/assets\/[^"]+)"/g)];
    const answers = await Promise.all(files.map(([, path]) => send(sandbox.url + path)));
    expect(answers.map(({ status }) => status)).toEqual(files.map(() => 200));
    const styles = answers.filter(({ headers }) => headers.get('content-type')?.includes('css'));
    return styles.map(({ text }) => text).join('');
  };
  const shopper = await filesOf((await sandbox.createLink()).redirectUrl);
  expect(shopper).toMatch(/\.checkout\b/);
  expect(shopper).not.toMatch(/\.(?:inspector|dashboard|moment|states)\b/);
  const tool = await filesOf(`${sandbox.url}/_sandbox`);
  expect(tool).toMatch(/\.inspector\b/);
  expect(tool).not.toMatch(/\.(?:checkout|method-list|summary-amount)\b/);
  expect((await send(`${sandbox.url}/favicon.ico`)).status).toBe(200);
});

/** Where the browser is sent by a declined card; each attempt is a form of its own. */
async function afterDecline(page: { redirectUrl: string }, attempt: number) {
  const { headers } = await submitCard(page, { number: cards.poor, formKey: String(attempt) });
  return headers.get('location');
}

// Pins: reading.N2, transition.session.declined, transition.session.return
test('a declined card leads back to the form, which says why; the third leaves for failureUrl, and after it a card still pays (N2)', async () => {
  const page = await sandbox.createLink();
  expect(await afterDecline(page, 0)).toContain('/checkout?sessionId=');
  expect(await afterDecline(page, 1)).toContain('/checkout?sessionId=');
  const form = await send(page.redirectUrl);
  expect(form.text).toContain('data-test="payment-error"');
  expect(form.text).toContain('The payment by the card ending in 1101 failed: insufficient funds.');
  expect(form.text).toContain(`href="${validLink.failureUrl}" data-test="back-to-shop"`);
  expect(form.text).toContain('data-test="submit-payment"');
  expect(await afterDecline(page, 2)).toBe(validLink.failureUrl);
  const paid = await submitCard(page, { formKey: '3' });
  expect(paid.headers.get('location')).toBe(validLink.successUrl);
  expect(await sandbox.statusesOf(page.id)).toBe('FAILED FAILED FAILED SUCCESS');
});

// Pins: reading.N2
test.each(['declineLeaves', 'closesOnFailure'])('%s: a first failure leaves', async (policy) => {
  sandbox = await startForTest({ policy: [policy] });
  expect(await afterDecline(await sandbox.createLink(), 0)).toBe(validLink.failureUrl);
  const other = await sandbox.createLink({ merchantOrderId: 'other' });
  const { headers } = await submitCard(other, { number: cards.challenged });
  const challenge = `${sandbox.url}${headers.get('location') ?? ''}`;
  const failed = await postForm(challenge, '', { action: 'fail' });
  expect(failed.headers.get('location')).toBe(validLink.failureUrl);
});

// Pins: reading.N1
test('return addresses keep their query and fragment, with ids and the status between (N1)', async () => {
  sandbox = await startForTest({ policy: ['appendsTransactionId', 'appendsSessionId'] });
  const page = await sandbox.createLink();
  const { headers } = await submitCard(page);
  const [row] = await sandbox.statusContent(page.id);
  const id = row?.['transactionId'] ?? '';
  expect(headers.get('location')).toBe(
    `https://shop.example/thanks?order=1&x=%20&transactionId=${id}&sessionId=${page.id}&status=SUCCESS#done`,
  );
});

/** The page that an answer's location leads to. */
async function follow(headers: Headers): Promise<string> {
  return (await send(new URL(headers.get('location') ?? '', sandbox.url).href)).text;
}
