import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { redactRequest, withoutCardNumbers } from './redaction.ts';
import { PortalForTest, post as postTo } from './testing/portal-for-test.ts';
import { cards, dataOf, folderForTest, refusalA, saleCard } from './testing/sandbox-for-test.ts';
import { send, startForTest, submitCard, told } from './testing/sandbox-for-test.ts';
import { validLink, validSale, withCalls } from './testing/sandbox-for-test.ts';
import type { SandboxForTest } from './testing/sandbox-for-test.ts';

/** It passes the check digit and is on no list: it could be anyone's. */
const number = '4539578763621486';
const masked = '453957******1486';

let data: string;
beforeEach(async () => void (data = await folderForTest()));
const journal = () => readFile(join(data, 'journal.jsonl'), 'utf8');

test.each([
  [number, masked],
  ['4539 5787 6362 1486', masked],
  ['4539-5787-6362-1486~1', `${masked}~1`],
  ['17 4539 5787 6362 1486', `17 ${masked}`],
  ['٤٥٣٩ ٥٧٨٧ ٦٣٦٢ ١٤٨٦', masked],
  [`${number}, ${number}`, `${masked}, ${masked}`],
  ['/pay/345678901234564?x', '/pay/345678*****4564?x'],
])('in the text %s the card number is masked', (text, shown) => {
  expect(withoutCardNumbers(`a ${text} b`)).toBe(`a ${shown} b`);
});

test.each([
  '4539578763621487',
  '1768471234568',
  '20260115093000122',
  '2611221602391236',
  '14111 1111 1111 1111',
  `d41d8cd98f00${number}f8427e`,
  `SHOP${number}`,
  'session 56554791-4555-4260-8640-3964f70946e3',
  '1-'.repeat(60_000),
])('the text %s holds no card number and is not changed', (text) => {
  expect(withoutCardNumbers(text)).toBe(text);
});

test('an order number that looks like a card number is refused in every call', async () => {
  const sandbox = await startForTest();
  const { transactionId, recurringToken } = dataOf(await sandbox.sell({ recurringInit: 'Y' }));
  const order = { number: `${number}~1`, amount: 50, currency: 'SAR', description: 'November' };
  const charge = { transactionId, recurringToken, amount: 50, order };
  const link = { ...validLink, merchantOrderId: `order ${number}` };
  const answers = {
    merchantOrderId: await sandbox.post('/payment/checkout/intiate', link),
    orderId: await sandbox.sell({ orderId: '4539-5787-6362-1486' }),
    'order.number': await sandbox.post('/payment/checkout/recurring', charge),
  };
  const likeCard =
    'must not look like a card number: an order number is kept unchanged, a card number never; ' +
    'use another order number';
  for (const [field, { status, body, headers }] of Object.entries(answers)) {
    expect([status, body, headers.get('x-sandbox-tier')]).toEqual([
      400,
      { statusCode: 400, message: [`${field} ${likeCard}`], error: 'Bad Request' },
      'sandbox',
    ]);
  }
  const armed = sandbox.control.next({ outcome: 'approve', merchantOrderId: number });
  await expect(armed).rejects.toMatchObject({ code: 'invalid_order_id', status: 400 });
});

test('an order number that is none of a card is kept exactly, in addresses too', async () => {
  const sandbox = await startForTest({ data });
  const ids = ['1768471234568', '5966577726042392~1', `SHOP${number}`, '٢٠٢٦٠١١٥٠٩٣٠٠٠١٢٣'];
  for (const merchantOrderId of ids) {
    await sandbox.control.next({ outcome: 'decline:51', merchantOrderId });
    const successUrl = `https://shop.example/return/${merchantOrderId}?at=2026-11-22T16:02:39.123Z`;
    const { sessionId: id, decidedBy } = await sandbox.payLink({ merchantOrderId, successUrl });
    expect(decidedBy).toBe('next');
    const [row] = await sandbox.statusContent(id);
    const names = [row?.['merchantOrderId'], row?.['orderId']];
    expect(names).toEqual([merchantOrderId, merchantOrderId]);
    const asked = await sandbox.control.requests({ merchantOrderId });
    expect(asked.map(({ operation }) => operation)).toContain('createPaymentLink');
  }
  await sandbox.close();
  for (const id of ids) expect(await journal()).toContain(`/return/${id}?at=`);
});

test('only the fields of a request that name no person are stored, without card numbers', () => {
  const kept = redactRequest({
    ...validLink,
    merchantOrderId: 'card 4539 5787 6362 1486!',
    amount: 4_539_578_763_621_486,
    card: { number },
    note: 'call me',
    [number]: 1,
  });
  expect(kept).toEqual({
    merchantOrderId: `card ${masked}!`,
    amount: '[not kept]',
    currency: 'SAR',
    customerName: '[not kept]',
    customerEmail: '[not kept]',
    customerPhone: '[not kept]',
    successUrl: 'https://shop.example/…',
    failureUrl: 'https://shop.example/…',
    card: '[not kept]',
    note: '[not kept]',
    [masked]: '[not kept]',
  });
  for (const body of [null, [], 'text', 7]) expect(redactRequest(body)).toEqual({});
});

test('a card number that the end of a stored field cuts shows no more of itself', () => {
  for (let before = 230; before < 256; before += 1) {
    const kept = redactRequest({ merchantOrderId: `${'x'.repeat(before)} ${number}` });
    expect(String(kept['merchantOrderId'])).not.toContain('4539578');
  }
});

const spellings = [number, '4539 5787 6362 1486', '4539-5787-6362-1486'];

test('a number that is no test card is refused wherever it is sent, and stands nowhere afterwards, nor does a secret', async () => {
  const sandbox = await startForTest({ data });
  const stream = await fetch(`${sandbox.url}/_sandbox/v1/stream`);
  await sendTheNumberEverywhere(sandbox);
  const { hidden, shown } = await secretsOf(sandbox);
  const places = new Map(await everyAnswer(sandbox));
  await sandbox.close();
  places.set('stream', await stream.text());
  places.set('journal', await journal());
  for (const [place, text] of places) {
    // The inspector tells the keys to this machine.
    const secrets = [...spellings, ...hidden, ...(place === 'inspector' ? [] : shown)];
    const found = secrets.filter((secret) => text.includes(secret));
    expect([place, text.length > 0, found]).toEqual([place, true, []]);
  }
  // Proof that the search would find what is there: the masked number is, in each stored field.
  expect(places.get('requests')).toContain(masked);
  expect(places.get('journal')?.match(/453957\*{6}1486/g)).toHaveLength(5);
  expect(places.get('requests')).toContain('https://shop.example/…');
});

async function sendTheNumberEverywhere(sandbox: SandboxForTest): Promise<void> {
  const { baseUrl, control } = sandbox;
  const stray = { customerName: `Noura ${number}`, note: number, [number]: 1 };
  const addresses = {
    successUrl: `https://shop.example/thanks?card=${number}`,
    failureUrl: `https://shop.example/${number}/retry`,
  };
  await sandbox.postLink({ ...validLink, card: { number }, currency: number });
  await sandbox.postLink({ ...validLink, merchantOrderId: number });
  const created = await sandbox.postLink({ ...validLink, ...stray, ...addresses });
  const { id, redirectUrl } = created.body as { id: string; redirectUrl: string };
  for (const spelling of spellings) {
    const page = await submitCard({ redirectUrl }, { number: spelling, holder: spelling });
    expect(page.text).not.toContain(spelling);
    const refused = control.pay(id, { card: { number: spelling } });
    await expect(refused).rejects.toMatchObject({ code: 'not_a_test_card', status: 422 });
    const fields = { expiry: spelling, cvv: spelling, formKey: spelling };
    const beside = await submitCard({ redirectUrl }, { ...fields, outcome: 'decline' });
    expect(beside.text).not.toContain(spelling);
    await sandbox.sell({ orderId: spelling });
    const sale = await sandbox.sell({
      card: { ...saleCard, number: spelling, holderName: spelling },
      customerDetails: { ...validSale.customerDetails, name: spelling },
    });
    expect(told(sale)).toEqual(refusalA(400, 'Card number is not a test card'));
  }
  await sandbox.getStatus(number);
  await send(`${baseUrl}/${number}`, { headers: { 'x-api-key': number } });
}

/** Uses every kind of secret and of a person's data, and answers them. */
async function secretsOf(sandbox: SandboxForTest) {
  const { id } = await sandbox.createLink({ merchantOrderId: 'paid' });
  await sandbox.control.pay(id, { card: { number: cards.mada, cvv: '987' } });
  await withCalls({ ...sandbox, apiKey: 'planted-key-7' }).postLink();
  const login = await postTo(`${sandbox.baseUrl}/auth/login`, sandbox.portal);
  const { refreshToken } = login.body as { refreshToken: string };
  const portal = await PortalForTest.logIn(sandbox);
  const made = (path: string, body?: object) =>
    portal.answerOf<Record<string, string>>('POST', path, body);
  const { secret } = await made('webhooks', { url: `http://127.0.0.1:9/hook?${number}` });
  const { apiKey } = await made('credentials/rotate');
  const { token } = await made('sdk-tokens', { name: `till ${number}` });
  const { customerPhone, customerEmail } = validLink;
  const keys = ['planted-key-7', portal.token, refreshToken];
  return {
    hidden: [...keys, cards.mada, '"987"', customerPhone, customerEmail],
    shown: [sandbox.apiKey, sandbox.portal.password, secret, apiKey, token].map(String),
  };
}

/** All that the sandbox shows afterwards, by its place. */
async function everyAnswer({ url, control }: SandboxForTest): Promise<[string, string][]> {
  const requests = await control.requests();
  const operations = requests.filter(({ operation }) => operation !== null);
  const commands = await Promise.all(operations.map(({ id }) => control.curl(id)));
  const paths = ['ledger', 'events', 'deliveries', 'faults', 'snapshots', 'requests.har'];
  const answers = paths.map(async (path): Promise<[string, string]> => {
    return [path, (await send(`${url}/_sandbox/v1/${path}`)).text];
  });
  return [
    ['requests', JSON.stringify(requests)],
    ['curl', commands.join('\n')],
    ['inspector', (await send(`${url}/_sandbox`)).text],
    ...(await Promise.all(answers)),
  ];
}
