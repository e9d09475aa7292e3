import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '@pay-button/gateway-sandbox';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { ShopClock, storedClock } from './shop-clock.ts';

const HOUR_MS = 3_600_000;

/** Lets the clock hear what the sandbox's says. */
function hear(clock: ShopClock, sandboxNow: number): void {
  clock.follow(sandboxNow, clock.now());
}

function hoursAhead(clock: ShopClock): number {
  return Math.round((clock.now() - Date.now()) / HOUR_MS);
}

// The machine's clock stands still: nothing here depends on how long a test takes.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

it('never goes back, and goes forward by as much as the sandbox’s from then on', () => {
  const clock = new ShopClock();
  hear(clock, Date.now() + 48 * HOUR_MS);
  hear(clock, Date.now());
  expect(hoursAhead(clock)).toBe(48);
  hear(clock, Date.now() + 48 * HOUR_MS);
  expect(hoursAhead(clock)).toBe(96);
});

it('does not creep forward when answers are slow', () => {
  const clock = new ShopClock();
  for (let time = 0; time < 20; time += 1) clock.follow(Date.now() - 900, clock.now() - 5_000);
  expect(clock.aheadMs).toBe(0);
  expect(clock.now()).toBe(Date.now());
});

it('keeps its time over a restart, though the sandbox was set back', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pay-button-clock-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { control, close } = await startSandbox({ port: 0 });
  onTestFinished(() => close());
  const clock = await storedClock(control, folder);
  expect(hoursAhead(clock)).toBe(0);
  const { now } = await control.advanceClock({ by: 'P2D' });
  hear(clock, Date.parse(now));
  await control.reset();
  hear(clock, Date.parse((await control.info()).clock.now));
  expect([hoursAhead(clock), hoursAhead(await storedClock(control, folder))]).toEqual([48, 48]);
});
