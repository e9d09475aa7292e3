import { expect, test } from 'vitest';
import { useBrowser } from '../../../../scripts/use-browser.ts';
import { startShop } from '../testing/receiver-for-test.ts';
import { by, cards, dataOf, saleCard, send, startForTest } from '../testing/sandbox-for-test.ts';
import type { SandboxForTest } from '../testing/sandbox-for-test.ts';

const { open } = useBrowser();

test('the shop that is paid for may post a sale’s HTML here and frame the page, and changes nothing by it', async () => {
  const { path, address } = await openChallenge();
  const origin = { method: 'POST', headers: { origin: 'https://shop.example' } };
  const start = await send(`${address}/start`, origin);
  expect([start.status, start.headers.get('location')]).toEqual([303, `${path}?lang=en`]);
  expect((await send(address, origin)).status).toBe(403);
  const policy = (await send(address)).headers.get('content-security-policy');
  expect(policy).toContain("frame-ancestors 'self' https://shop.example;");
});

test('the HTML of a sale works in a frame of the shop, and leads the frame back to the shop', async () => {
  const sandbox = await startForTest();
  const shop = await startShop();
  const answer = await sandbox.sell({ ...shop, card: { ...saleCard, number: cards.challenged } });
  const { page, complaints } = await open();
  await page.goto(shop.failureUrl);
  await page.evaluate(
    (html) => {
      const frame = document.createElement('iframe');
      frame.title = 'bank';
      frame.srcdoc = html;
      document.body.append(frame);
    },
    String(dataOf(answer)['html']),
  );
  const frame = page.frameLocator('iframe');
  await frame.locator(by('otp')).fill('123456');
  await frame.locator(by('approve')).click();
  await expect.poll(() => page.frames()[1]?.url()).toBe(shop.successUrl);
  expect(complaints).toEqual([]);
});

test('the time that is left counts down, and the page turns when it is over', async () => {
  const { sandbox, address } = await openChallenge();
  const { page, complaints } = await open();
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
  await page.goto(address);
  const secondsLeft = async () => {
    const [minutes, seconds] = ((await page.textContent('#time-left')) ?? '').split(':');
    return Number(minutes) * 60 + Number(seconds);
  };
  const before = await secondsLeft();
  await page.clock.runFor(61_000);
  expect(before - (await secondsLeft())).toBe(61);
  await sandbox.control.advanceClock({ by: 'PT10M' });
  await page.clock.fastForward(600_000);
  await page.waitForSelector(by('payment-error'));
  expect(await page.textContent(by('payment-error'))).toContain('the time to confirm has passed');
  expect(complaints).toEqual([]);
});

test('a stopped sandbox clock stops the countdown, and the page says so', async () => {
  const sandbox = await startForTest();
  await sandbox.control.freezeClock();
  const { address } = await openChallenge(sandbox);
  const { page } = await open();
  await page.clock.install();
  await page.goto(`${address}?lang=ar`);
  await page.clock.runFor(61_000);
  expect(await page.textContent('#time-left')).toBe('10:00');
  expect(await page.textContent('#time-left ~ .end')).toContain('ساعة البيئة التجريبية متوقفة');
});

test('the page tells the time of Riyadh', async () => {
  const sandbox = await startForTest();
  await sandbox.control.freezeClock();
  await sandbox.control.advanceClock({ to: '2040-01-15T05:18:00Z' });
  const { address } = await openChallenge(sandbox);
  expect((await send(address)).text).toContain('08:28 (Riyadh)');
});

async function openChallenge(given?: SandboxForTest) {
  const sandbox = given ?? (await startForTest());
  const shop = { successUrl: 'https://shop.example/ok', failureUrl: 'https://shop.example/no' };
  const { challenge } = await sandbox.payLink(shop, cards.challenged);
  if (challenge === undefined) throw new Error('This card opens a challenge.');
  const path = `/challenge/${challenge.id}`;
  return { sandbox, path, address: sandbox.url + path };
}
