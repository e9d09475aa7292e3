import type { Page } from 'playwright';
import { beforeEach, expect, test } from 'vitest';
import { useBrowser } from '../../../../../scripts/use-browser.ts';
import { postForm, signInForTest } from '../../testing/dashboard-for-test.ts';
import { signInBrowser } from '../../testing/every-page-for-test.ts';
import { ReceiverForTest } from '../../testing/receiver-for-test.ts';
import { by, cards, send, startForTest } from '../../testing/sandbox-for-test.ts';
import { submitCard, validLink } from '../../testing/sandbox-for-test.ts';
import type { SandboxForTest } from '../../testing/sandbox-for-test.ts';

let sandbox: SandboxForTest;
beforeEach(async () => void (sandbox = await startForTest()));

const { reuse } = useBrowser();

const inspector = async (lang = 'en') => (await send(`${sandbox.url}/_sandbox?lang=${lang}`)).text;

test('a request that walked into a known trap is explained, in both languages, and no other', async () => {
  const { sessionId, transactionId } = await sandbox.payLink();
  expect(await inspector()).not.toContain('Did you mean');
  const captured = await sandbox.sellForId({ auth: 'Y' });
  await sandbox.post('/payment/s2s/capture', { transactionId: captured, amount: 115 });
  await sandbox.post('/payment/s2s/void', { transactionId: captured });
  for (const id of [sessionId, '123456', transactionId]) {
    await sandbox.post('/payment/s2s/refund', { transactionId: id, amount: 9999 });
  }
  await sandbox.ask('/merchant/account/webhooks');
  await send(`${sandbox.baseUrl}/payment/checkout/initiate`, { method: 'POST' });
  await sandbox.postLink({ ...validLink, amount: '115.00' });
  await send(`${sandbox.baseUrl}/payment/checkout/intiate`, {
    method: 'OPTIONS',
    headers: { origin: 'https://shop.example', 'access-control-request-headers': 'x-api-key' },
  });
  const english = await inspector();
  const found = [...english.matchAll(/data-test="hint-([\w-]+)"/g)];
  const [calls, moves] = [
    'key-from-browser string-amount corrected-spelling key-on-portal refund-above-balance',
    'payment-id-as-transaction session-id-as-transaction void-after-capture',
  ];
  expect(found.map(([, kind]) => kind).join(' ')).toBe(`${calls} ${moves}`);
  expect(english).toContain('The path is spelled intiate');
  expect(await inspector('ar')).toContain('المسار يُكتب intiate');
});

test('each payment shows the state that it is in', async () => {
  const stateOf = async () => /aria-label="Current state: ([^"]+)"/.exec(await inspector())?.[1];
  const link = await sandbox.createLink();
  expect(await stateOf()).toBe('Open');
  await sandbox.control.pay(link.id, { card: { number: cards.poor } });
  expect(await stateOf()).toBe('Declined');
  await sandbox.control.pay(link.id, { card: { number: cards.challenged } });
  expect(await stateOf()).toBe('3-D Secure');
  await sandbox.control.advanceClock({ by: 'PT10M' });
  expect(await stateOf()).toBe('Declined');
  await sandbox.control.pay(link.id, { card: { number: cards.mada } });
  expect(await stateOf()).toBe('Paid');
  const other = await sandbox.createLink({ merchantOrderId: 'order-2' });
  await sandbox.control.expire(other.id);
  expect(await stateOf()).toBe('Expired');
  const transactionId = await sandbox.sellForId({ auth: 'Y' });
  expect(await stateOf()).toBe('Authorized');
  await sandbox.post('/payment/s2s/capture', { transactionId, amount: 115 });
  expect(await stateOf()).toBe('Captured');
  await sandbox.post('/payment/s2s/refund', { transactionId, amount: 15 });
  await sandbox.control.advanceClock({ by: 'PT10S' });
  expect(await stateOf()).toBe('Partly refunded');
});

test('the timeline shows the actor: browser, merchant, gateway or clock', async () => {
  const link = await sandbox.createLink();
  await send(link.redirectUrl);
  await submitCard(link);
  await sandbox.createLink({ merchantOrderId: 'order-2' });
  await sandbox.control.advanceClock({ by: 'PT48H' });
  const text = await inspector();
  const lanes = [...text.matchAll(/<li class="moment lane-(\w+)"/g)].map(([, lane]) => lane);
  expect(new Set(lanes)).toEqual(new Set(['browser', 'merchant', 'gateway', 'clock']));
  expect(lanes[0]).toBe('clock');
  for (const step of ['Opened the payment page', 'Pressed Pay', 'Sent back to the shop']) {
    expect(text).toContain(step);
  }
});

test('the page follows what happens, and leaves unfolded what was unfolded', async () => {
  await sandbox.createLink({ merchantOrderId: 'first' });
  const { page, complaints } = await reuse();
  await page.goto(`${sandbox.url}/_sandbox`);
  await page.click('.payment-row summary');
  expect(await page.locator('.payment-row[open]').count()).toBe(0);
  await sandbox.createLink({ merchantOrderId: 'second' });
  await page.waitForSelector('.payment-row >> text=second');
  expect(await page.locator('.payment-row[open]').count()).toBe(1);
  expect(await page.textContent('#live')).toContain('Live');
  expect(complaints).toEqual([]);
});

test('the clock can be moved from the page, without scripts too', async () => {
  await sandbox.control.freezeClock();
  const before = Date.parse((await sandbox.control.info()).clock.now);
  await sandbox.createLink();
  const { page } = await reuse({ javaScriptEnabled: false });
  await page.goto(`${sandbox.url}/_sandbox?lang=ar`);
  await page.click(by('clock-PT48H'));
  await page.waitForSelector('.badge-expired');
  const after = Date.parse((await sandbox.control.info()).clock.now);
  expect(after - before).toBe(48 * 3_600_000);
  expect(await page.getAttribute('html', 'lang')).toBe('ar');
});

test('faults are added, set as a profile and lifted from the page, and a wrong one is explained', async () => {
  const press = async (path: string, fields: Record<string, string>) => {
    const { headers } = await postForm(`${sandbox.url}/_sandbox/${path}?lang=en`, '', fields);
    return (await send(sandbox.url + (headers.get('location') ?? ''))).text;
  };
  const fault = { operation: 'retrieveStatus', place: 'body', kind: 'cut', count: '2' };
  expect(await press('faults', fault)).toMatch(/<b>cut<\/b>\s+body/);
  expect((await sandbox.control.faults()).faults).toMatchObject([{ kind: 'cut', count: 2 }]);
  expect(await press('faults', { ...fault, kind: 'drop' })).toContain('at body is one of');
  expect(await press('profile', { profile: 'bank-outage' })).toContain('badge-pending');
  expect((await sandbox.control.faults()).profile).toBe('bank-outage');
  expect(await press('profile', { clear: 'yes' })).toContain('Every call is answered');
});

test('each tenant has an inspector of its own', async () => {
  const other = await sandbox.control.openTenant({ id: 'other' });
  await sandbox.createLink({ merchantOrderId: 'mine' });
  const page = (await send(`${sandbox.url}/_sandbox?tenant=other&lang=en`)).text;
  expect(page).toContain(other.apiKey);
  expect(page).not.toContain('mine');
});

test('a delivery is held back, released and sent again from the page', async () => {
  const merchant = await signInForTest(sandbox);
  const receiver = await ReceiverForTest.start();
  await merchant.submit('webhooks', { url: receiver.url, active: 'yes' });
  const press = async (fields: Record<string, string>) => {
    await postForm(`${sandbox.url}/_sandbox/deliveries?lang=en`, '', fields);
    return inspector();
  };
  await press({ action: 'hold' });
  await submitCard(await sandbox.createLink());
  await sandbox.control.advanceClock({ by: 'PT1S' });
  const held = await inspector();
  expect([held.includes('Held back'), receiver.received.length]).toEqual([true, 0]);
  const [, id] = /name="id" value="([^"]+)"/.exec(held) ?? [];
  expect(await press({ action: 'release-one', id: id ?? '' })).toContain('Acknowledged');
  await press({ action: 'replay', id: id ?? '' });
  const [first, second] = receiver.received.map(({ text }) => text);
  expect([receiver.received.length, first]).toEqual([2, second]);
});

const phone = { width: 390, height: 844 };
/** The panels that the page shows, by their names. */
const shown = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.inspector-columns [data-live]')]
      .filter((part) => part.checkVisibility())
      .map(({ dataset }) => dataset['live']),
  );

test('on a phone the inspector shows one view at a time, and keeps it after a form', async () => {
  await sandbox.payLink();
  const { page, complaints } = await reuse({ viewport: phone });
  await page.goto(`${sandbox.url}/_sandbox`);
  expect(await shown(page)).toEqual(['sessions']);
  await page.focus(by('view-payments'));
  await page.keyboard.press('ArrowRight');
  expect(await shown(page)).toEqual(['deliveries']);
  await page.click(by('view-tools'));
  expect(await shown(page)).toEqual(['clock', 'faults', 'addresses']);
  await page.click('[value="freeze"]');
  await page.waitForSelector('[value="resume"]');
  expect(await shown(page)).toEqual(['clock', 'faults', 'addresses']);
  await page.click(by('view-timeline'));
  await page.click('.moment a[href^="#"] >> nth=0');
  expect(await shown(page)).toEqual(['requests']);
  expect(complaints).toEqual([]);
});

test('a wide window and a phone without scripts show every panel', async () => {
  for (const options of [{}, { viewport: phone, javaScriptEnabled: false }]) {
    const { page } = await reuse(options);
    await page.goto(`${sandbox.url}/_sandbox`);
    expect(await shown(page)).toHaveLength(7);
    expect(await page.isVisible('.views')).toBe(false);
  }
});

test.each(['en', 'ar'])('in %s a phone shows the current state of a payment', async (lang) => {
  const { transactionId } = await sandbox.payLink();
  await sandbox.post('/payment/s2s/refund', { transactionId, amount: 115 });
  await sandbox.control.advanceClock({ by: 'PT1H' });
  const { page } = await reuse({ viewport: phone });
  await signInBrowser(page, sandbox);
  for (const path of ['/_sandbox', `/dashboard/transactions/${transactionId}`]) {
    await page.goto(`${sandbox.url}${path}?lang=${lang}`);
    await expect.poll(() => isInView(page)).toBe('state state-lit state-refunded tone-wait');
  }
  expect(await page.getAttribute(by('lang-en'), 'href')).toContain(transactionId);
});

/** The current state's class while its box is within the drawing's frame. */
const isInView = (page: Page) =>
  page.evaluate(() => {
    const state = document.querySelector('.state-lit')!;
    const box = state.getBoundingClientRect();
    const frame = state.closest('.scroller')!.getBoundingClientRect();
    return box.left >= frame.left && box.right <= frame.right && state.getAttribute('class');
  });

test('the page shows every behaviour, or those of one tier, and how each open point is read otherwise', async () => {
  const page = (query: string) =>
    send(`${sandbox.url}/_sandbox/fidelity?${query}`).then(({ text }) => text);
  const { behaviours, sources } = await sandbox.control.fidelity();
  expect(behaviours.length).toBeGreaterThan(200);
  const all = await page('lang=en');
  for (const { id } of behaviours) expect(all).toContain(`id="${id}"`);
  for (const source of Object.keys(sources)) expect(all).toContain(`id="reading.${source}"`);
  expect(all).toContain('policy transactionIdOnly: status knows transaction ids only');
  expect(all).toContain('profile operations.pollStatus');
  expect(all).toContain('No policy: the invariants of the ledger');
  const assumed = await page('lang=ar&tier=assumed');
  expect(assumed).toContain('مدى المطابقة');
  expect(assumed).not.toContain('id="operation.capture"');
  expect(assumed).toContain('id="operation.logIn"');
});
