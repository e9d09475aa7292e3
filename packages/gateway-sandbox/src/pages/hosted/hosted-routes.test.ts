import { expect, test } from 'vitest';
import type { Sandbox } from '../../start-sandbox.ts';
import {
  approvingCard,
  challengeCard,
  createLink,
  poorCard,
  send,
  startForTest,
  statusContent,
  submitCard,
  validLink,
} from '../../testing/sandbox-for-test.ts';

// Pins: transition.session.paid, transition.session.return
test('an approved payment leads to successUrl as the merchant wrote it', async () => {
  const sandbox = await startForTest();
  const link = await createLink(sandbox);
  const { status, headers } = await submitCard(link);
  expect([status, headers.get('location')]).toEqual([303, validLink.successUrl]);
  expect(await statusContent(sandbox, link.id)).toMatchObject([
    { transactionStatus: 'SUCCESS', paymentStatus: 'APPROVED' },
  ]);
});

test('an address with letters beyond ASCII is sent on percent-encoded', async () => {
  const sandbox = await startForTest();
  const link = await createLink(sandbox, { successUrl: 'https://shop.example/شكرا?x=1#تم' });
  const { headers } = await submitCard(link);
  expect(headers.get('location')).toBe(new URL('https://shop.example/شكرا?x=1#تم').href);
});

// Pins: transition.session.declined
test('a declined card leads back to a page that says why and can pay again', async () => {
  const sandbox = await startForTest();
  const link = await createLink(sandbox);
  const declined = await submitCard(link, { number: poorCard });
  expect(declined.status).toBe(303);
  const page = await follow(sandbox, declined.headers);
  expect(page).toContain('data-test="payment-error"');
  expect(page).toContain('The card ending in 1101 was declined: insufficient funds.');
  expect(page).toContain(`href="${validLink.failureUrl}" data-test="back-to-shop"`);
  const paid = await submitCard(link, { formKey: '1' });
  expect(paid.headers.get('location')).toBe(validLink.successUrl);
  const rows = await statusContent(sandbox, link.id);
  expect(rows.map((row) => row['transactionStatus'])).toEqual(['FAILED', 'SUCCESS']);
});

test('one form submitted many times at once is one transaction', async () => {
  const sandbox = await startForTest();
  const link = await createLink(sandbox);
  const answers = await Promise.all(Array.from({ length: 8 }, () => submitCard(link)));
  expect(new Set(answers.map(({ headers }) => headers.get('location')))).toEqual(
    new Set([validLink.successUrl]),
  );
  expect(await statusContent(sandbox, link.id)).toHaveLength(1);
});

test('a declined form sent twice is one declined transaction', async () => {
  const sandbox = await startForTest();
  const link = await createLink(sandbox);
  await Promise.all([
    submitCard(link, { number: poorCard }),
    submitCard(link, { number: poorCard }),
  ]);
  expect(await statusContent(sandbox, link.id)).toHaveLength(1);
});

test('a second tab cannot pay again, nor decline what is paid', async () => {
  const sandbox = await startForTest();
  const link = await createLink(sandbox);
  await submitCard(link);
  const second = await submitCard(link, { number: '4111111111111111' });
  const page = await follow(sandbox, second.headers);
  expect(page).toContain('This order is already paid');
  expect(await statusContent(sandbox, link.id)).toHaveLength(1);
});

test('the tester’s choice decides before the card does', async () => {
  const sandbox = await startForTest();
  const link = await createLink(sandbox);
  await submitCard(link, { outcome: 'decline' });
  await submitCard(link, { number: poorCard, outcome: 'approve', formKey: '1' });
  const rows = await statusContent(sandbox, link.id);
  expect(rows.map((row) => row['declineReason'] ?? row['paymentStatus'])).toEqual([
    'Do not honour',
    'APPROVED',
  ]);
});

test('every fault of a card is shown beside its field, in both languages', async () => {
  const sandbox = await startForTest();
  const link = await createLink(sandbox);
  const empty = { number: '', expiry: '', cvv: '', holder: 'Noura <b>' };
  const english = await submitCard(link, empty);
  expect(english.status).toBe(200);
  for (const text of [
    'Enter the card number.',
    'Enter the expiry date.',
    'Enter the security code.',
  ]) {
    expect(english.text).toContain(text);
  }
  expect(english.text).toContain('value="Noura &lt;b&gt;"');
  const arabic = await submitCard({ redirectUrl: `${link.redirectUrl}&lang=ar` }, empty);
  expect(arabic.text).toContain('<html lang="ar" dir="rtl">');
  expect(arabic.text).toContain('أدخل رقم البطاقة.');
  expect(await statusContent(sandbox, link.id)).toEqual([]);
});

test('a test card stays in the form when only its expiry was wrong; its CVV does not', async () => {
  const sandbox = await startForTest();
  const link = await createLink(sandbox);
  const { text } = await submitCard(link, { expiry: '01/20', cvv: '987' });
  expect(text).toContain(`value="${approvingCard}"`);
  expect(text).toContain('This date has passed.');
  expect(text).not.toContain('987');
});

test('pages for an expired, a paid and an unknown session say so and lead on', async () => {
  const sandbox = await startForTest();
  const link = await createLink(sandbox);
  const expire = await send(link.redirectUrl.replace('/checkout', '/checkout/expire'), {
    method: 'POST',
  });
  const expired = await follow(sandbox, expire.headers);
  expect(expired).toContain('This payment page has expired');
  expect(expired).toContain(`href="${validLink.failureUrl}" data-test="back-to-shop"`);
  expect((await follow(sandbox, (await submitCard(link)).headers)).includes('has expired')).toBe(
    true,
  );
  const paid = await createLink(sandbox, { merchantOrderId: 'order-2' });
  await submitCard(paid);
  const paidPage = await send(paid.redirectUrl);
  expect(paidPage.text).toContain('This order is already paid');
  expect(paidPage.text).toContain(`href="${validLink.successUrl.replace('&', '&amp;')}"`);
  const unknown = await send(`${sandbox.url}/checkout?sessionId=nobody`);
  expect(unknown.text).toContain('We do not know this payment page');
});

test('the language follows the address, else the browser, else it is English', async () => {
  const sandbox = await startForTest();
  const { redirectUrl } = await createLink(sandbox);
  const languageFor = async (query: string, wish: string) => {
    const { text } = await send(redirectUrl + query, { headers: { 'accept-language': wish } });
    return /<html lang="(\w+)" dir="(\w+)">/.exec(text)?.slice(1);
  };
  expect(await languageFor('', 'ar-SA,ar;q=0.9,en;q=0.5')).toEqual(['ar', 'rtl']);
  expect(await languageFor('', 'fr-FR')).toEqual(['en', 'ltr']);
  expect(await languageFor('&lang=en', 'ar')).toEqual(['en', 'ltr']);
  expect(await languageFor('&lang=ar', 'en')).toEqual(['ar', 'rtl']);
  expect(await languageFor('&lang=fr', 'en')).toEqual(['en', 'ltr']);
});

// Pins: transition.transaction.challenge
test('a challenged card goes to the 3-D Secure page, and on from there', async () => {
  const sandbox = await startForTest();
  const link = await createLink(sandbox);
  const toChallenge = async (formKey: string) => {
    const { headers } = await submitCard(link, { number: challengeCard, formKey });
    return sandbox.url + (headers.get('location') ?? '');
  };
  const answer = (page: string, fields: Record<string, string>) =>
    send(page, { method: 'POST', body: new URLSearchParams(fields) });

  const first = await toChallenge('0');
  expect((await send(first)).text).toContain('data-test="otp"');
  const wrong = await answer(first, { action: 'password', otp: '000000' });
  expect(await follow(sandbox, wrong.headers)).toContain('That password is wrong.');
  const hanging = await answer(first, { action: 'hang' });
  expect(await follow(sandbox, hanging.headers)).toContain('Waiting for your bank');
  const cancelled = await answer(first, { action: 'cancel' });
  expect(await follow(sandbox, cancelled.headers)).toContain('you cancelled the confirmation');

  const second = await toChallenge('1');
  const passed = await answer(second, { action: 'password', otp: '١٢٣٤٥٦' });
  expect(passed.headers.get('location')).toBe(validLink.successUrl);
  const rows = await statusContent(sandbox, link.id);
  expect(rows.map((row) => row['transactionStatus'])).toEqual(['FAILED', 'SUCCESS']);
});

/** The page that an answer's location leads to. */
async function follow(sandbox: Sandbox, headers: Headers): Promise<string> {
  return (await send(new URL(headers.get('location') ?? '', sandbox.url).href)).text;
}
