import { expect, it } from 'vitest';
import { BackgroundLoop } from './background-loops.ts';
import { manualClock } from '../../testing.ts';

/** No work of this test fails. */
const unexpected = (error: unknown): never => expect.fail(`the work failed: ${String(error)}`);

/** Lets everything run that waits for no clock. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

it('works at once, then again after each pause', async () => {
  const clock = manualClock();
  let runs = 0;
  const loop = new BackgroundLoop({ work: async () => (runs += 1), clock, onError: unexpected });
  loop.start();
  await settle();
  expect(runs).toBe(1);
  await clock.advance(3_000);
  expect(runs).toBe(4);
  await loop.stop();
});

/** A loop whose work takes ten seconds, and how much of it was under way at once. */
function slowLoop() {
  const clock = manualClock();
  let underWay = 0;
  let most = 0;
  const work = async (): Promise<void> => {
    underWay += 1;
    most = Math.max(most, underWay);
    await clock.sleep(10_000);
    underWay -= 1;
  };
  const loop = new BackgroundLoop({ work, clock, onError: unexpected });
  return { clock, loop, most: () => most };
}

it('never works twice at once, however long the work takes and however often it is started', async () => {
  const { clock, loop, most } = slowLoop();
  loop.start();
  loop.start();
  await clock.advance(60_000);
  expect(most()).toBe(1);
  const stopped = loop.stop();
  await clock.advance(20_000);
  await stopped;
});

it('never works twice at once when it is started again before it has ended', async () => {
  const { clock, loop, most } = slowLoop();
  loop.start();
  await settle();
  const stopped = loop.stop();
  loop.start();
  await clock.advance(60_000);
  await stopped;
  expect(most()).toBe(1);
  const ended = loop.stop();
  await clock.advance(20_000);
  await ended;
});

it('stops only when the work under way has ended, and works no more', async () => {
  const clock = manualClock();
  let ended = 0;
  const work = async (): Promise<void> => {
    await clock.sleep(5_000);
    ended += 1;
  };
  const loop = new BackgroundLoop({ work, clock, onError: unexpected });
  loop.start();
  await settle();
  let isStopped = false;
  const stopped = loop.stop().then(() => (isStopped = true));
  await settle();
  expect(isStopped).toBe(false);
  await clock.advance(5_000);
  await stopped;
  await clock.advance(60_000);
  expect(ended).toBe(1);
});

it('stops at once during a pause, without waiting it out', async () => {
  const loop = new BackgroundLoop({
    work: async () => undefined,
    clock: manualClock(),
    onError: unexpected,
  });
  loop.start();
  await settle();
  await loop.stop();
});

it.each([
  ['throws', () => expect.fail('the work failed')],
  ['rejects', () => Promise.reject(new Error('the work failed'))],
])('goes on when the work %s, and tells of it', async (_how, fail) => {
  const clock = manualClock();
  const told: unknown[] = [];
  const loop = new BackgroundLoop({ work: fail, clock, onError: (error) => told.push(error) });
  loop.start();
  await settle();
  await clock.advance(2_000);
  expect(told).toHaveLength(3);
  await loop.stop();
});

it('can be stopped before it was started, twice, and started again', async () => {
  const clock = manualClock();
  let runs = 0;
  const loop = new BackgroundLoop({ work: async () => (runs += 1), clock, onError: unexpected });
  await loop.stop();
  loop.start();
  await settle();
  await loop.stop();
  await loop.stop();
  loop.start();
  await settle();
  expect(runs).toBe(2);
  await loop.stop();
});
