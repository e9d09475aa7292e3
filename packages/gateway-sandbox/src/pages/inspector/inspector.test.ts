import { expect, test } from 'vitest';
import type { Sandbox } from '../../start-sandbox.ts';
import { openPage, useBrowser } from '../../testing/browser-for-test.ts';
import {
  approvingCard,
  challengeCard,
  createLink,
  poorCard,
  postLink,
  send,
  startForTest,
  submitCard,
  validLink,
} from '../../testing/sandbox-for-test.ts';

useBrowser();

const by = (id: string) => `[data-test="${id}"]`;

async function inspector(sandbox: Sandbox, lang = 'en'): Promise<string> {
  return (await send(`${sandbox.url}/_sandbox?lang=${lang}`)).text;
}

test('a request that walked into a known trap is explained, in both languages', async () => {
  const sandbox = await startForTest();
  expect(await inspector(sandbox)).not.toContain('Did you mean');
  await send(`${sandbox.baseUrl}/payment/checkout/initiate`, { method: 'POST' });
  await postLink(sandbox, { ...validLink, amount: '115.00' });
  await send(`${sandbox.baseUrl}/payment/checkout/intiate`, {
    method: 'OPTIONS',
    headers: { origin: 'https://shop.example', 'access-control-request-headers': 'x-api-key' },
  });
  const english = await inspector(sandbox);
  for (const kind of ['corrected-spelling', 'string-amount', 'key-from-browser']) {
    expect(english).toContain(`data-test="hint-${kind}"`);
  }
  expect(english).toContain('The path is spelled intiate');
  expect(await inspector(sandbox, 'ar')).toContain('المسار يُكتب intiate');
});

test('a well-made request gets no advice', async () => {
  const sandbox = await startForTest();
  await createLink(sandbox);
  expect(await inspector(sandbox)).not.toContain('Did you mean');
});

test('each payment shows the state that it is in', async () => {
  const sandbox = await startForTest();
  const stateOf = async () =>
    /aria-label="Current state: ([^"]+)"/.exec(await inspector(sandbox))?.[1];
  const link = await createLink(sandbox);
  expect(await stateOf()).toBe('Open');
  await sandbox.control.pay(link.id, { card: { number: poorCard } });
  expect(await stateOf()).toBe('Declined');
  await sandbox.control.pay(link.id, { card: { number: challengeCard } });
  expect(await stateOf()).toBe('3-D Secure');
  await sandbox.control.advanceClock({ by: 'PT10M' });
  expect(await stateOf()).toBe('Declined');
  await sandbox.control.pay(link.id, { card: { number: approvingCard } });
  expect(await stateOf()).toBe('Paid');
  const other = await createLink(sandbox, { merchantOrderId: 'order-2' });
  await sandbox.control.expire(other.id);
  expect(await stateOf()).toBe('Expired');
});

test('the timeline tells who acted: browser, merchant, gateway and clock', async () => {
  const sandbox = await startForTest();
  const link = await createLink(sandbox);
  await send(link.redirectUrl);
  await submitCard(link);
  await createLink(sandbox, { merchantOrderId: 'order-2' });
  await sandbox.control.advanceClock({ by: 'PT48H' });
  const text = await inspector(sandbox);
  const lanes = [...text.matchAll(/<li class="moment lane-(\w+)"/g)].map(([, lane]) => lane);
  expect(new Set(lanes)).toEqual(new Set(['browser', 'merchant', 'gateway', 'clock']));
  expect(lanes[0]).toBe('clock');
  for (const step of ['Opened the payment page', 'Pressed Pay', 'Sent back to the shop']) {
    expect(text).toContain(step);
  }
});

test('the page follows what happens, and leaves unfolded what was unfolded', async () => {
  const sandbox = await startForTest();
  await createLink(sandbox, { merchantOrderId: 'first' });
  const { page, complaints } = await openPage();
  await page.goto(`${sandbox.url}/_sandbox`);
  await page.click('.payment-row summary');
  expect(await page.locator('.payment-row[open]').count()).toBe(0);
  await createLink(sandbox, { merchantOrderId: 'second' });
  await page.waitForSelector('.payment-row >> text=second');
  expect(await page.locator('.payment-row[open]').count()).toBe(1);
  expect(await page.textContent('#live')).toContain('Live');
  expect(complaints).toEqual([]);
});

test('the clock can be moved from the page, without scripts too', async () => {
  const sandbox = await startForTest();
  await sandbox.control.freezeClock();
  const before = Date.parse((await sandbox.control.info()).clock.now);
  await createLink(sandbox);
  const { page } = await openPage({ javaScriptEnabled: false });
  await page.goto(`${sandbox.url}/_sandbox?lang=ar`);
  await page.click(by('clock-PT48H'));
  await page.waitForSelector('.badge-expired');
  const after = Date.parse((await sandbox.control.info()).clock.now);
  expect(after - before).toBe(48 * 3_600_000);
  expect(await page.getAttribute('html', 'lang')).toBe('ar');
});
