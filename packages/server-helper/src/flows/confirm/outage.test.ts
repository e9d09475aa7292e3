import { expect, it } from 'vitest';
import { Outage } from '../../../test-support/outage.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LINKS = 2_000;

/** These take seconds; a busy machine may take minutes. */
const WAIT_MS = 300_000;

it(
  'after an outage of six hours 2,000 paid links are known in 15 minutes, at 5 calls a second',
  async () => {
    const processes = 2;
    const outage = new Outage(processes);
    await outage.openLinks(LINKS, HOUR_MS);
    outage.begin();
    outage.payAll();
    // Nobody may look for most of it: that leaves the most to do.
    await outage.pass(6 * HOUR_MS - 10 * MINUTE_MS);
    outage.startWatch();
    await outage.pass(10 * MINUTE_MS);
    expect(await outage.known()).toBe(0);
    const before = outage.calls.length;
    outage.end();
    const back = outage.now;
    await outage.pass(15 * MINUTE_MS);
    expect(await outage.known()).toBe(LINKS);
    expect(outage.calls.length - before).toBeLessThan(LINKS * 1.1);
    // A call of each process waits at its breaker, and is sent whenever that lets it go.
    expect(outage.mostInASecond()).toBeLessThanOrEqual(5 + processes);
    expect(outage.mostInASecond(back + 10_000)).toBe(5);
  },
  WAIT_MS,
);

it('what somebody waits for is known at once, whatever else is left of an outage', async () => {
  const outage = new Outage(1);
  await outage.openLinks(LINKS, HOUR_MS);
  await outage.pass(HOUR_MS);
  outage.startWatch();
  await outage.pass(10_000);
  const young = await outage.openLinks(1, 0);
  // The webhook comes just after a status check, so that it is left to the watch.
  const [hinted = ''] = outage.orderIds;
  await outage.check(hinted);
  outage.payAll();
  await outage.hint(hinted);
  await outage.pass(20_000);
  expect(await outage.isKnown(young[0] ?? '')).toBe(true);
  expect(await outage.isKnown(hinted)).toBe(true);
  expect(await outage.known()).toBeLessThan(LINKS / 10);
});
