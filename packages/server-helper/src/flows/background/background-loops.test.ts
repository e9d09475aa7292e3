import { expect, it } from 'vitest';
import { backgroundLoops, backgroundWork, repeat } from './tick.ts';
import { manualClock } from '../../testing.ts';
import { ConfigurationError } from '../../errors.ts';

/** No work of this test fails. */
const unexpected = (error: unknown): never => expect.fail(`the work failed: ${String(error)}`);

/** Lets everything run that waits for no clock. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** The loops of a process whose work takes ten seconds, and how much of it was begun, or was under way at once. */
function slowLoops() {
  const clock = manualClock();
  const runs = { begun: 0, ended: 0, most: 0 };
  const background = async () => {
    runs.begun += 1;
    runs.most = Math.max(runs.most, runs.begun - runs.ended);
    await clock.sleep(10_000);
    runs.ended += 1;
    return { checked: 0, delivered: 0 };
  };
  const ignore = { error: () => undefined, warn: () => undefined, info: () => undefined };
  const reports = {
    logger: { ...ignore, debug: () => undefined },
    notices: ignore,
    once: { lets: () => true },
    reportError: unexpected,
  };
  return { clock, runs, loops: backgroundLoops({ background }, clock, reports as never) };
}

const kinds = backgroundWork.length;

it('each kind works at once, then again after each pause', async () => {
  const { clock, loops, runs } = slowLoops();
  loops.start();
  await settle();
  expect(runs.begun).toBe(kinds);
  await clock.advance(11_000);
  expect(runs.begun).toBe(2 * kinds);
  loops.stop();
});

it('no kind works twice at once, however often the loops are started', async () => {
  const { clock, loops, runs } = slowLoops();
  loops.stop();
  loops.start();
  loops.start();
  await clock.advance(60_000);
  loops.stop();
  loops.stop();
  loops.start();
  const before = runs.begun;
  await clock.advance(10_000);
  await settle();
  expect(runs).toEqual({ begun: before + kinds, ended: before, most: kinds });
  loops.stop();
});

it('what was stopped ends the work under way, and begins no more', async () => {
  const { clock, loops, runs } = slowLoops();
  loops.start();
  await settle();
  loops.stop();
  await clock.advance(60_000);
  expect(runs).toEqual({ begun: kinds, ended: kinds, most: kinds });
});

it('work that comes behind the end of its payments is reported to nobody', async () => {
  const told: unknown[] = [];
  const tell = (word: unknown) => told.push(word);
  const closed = new ConfigurationError('closed', 'These payments were closed.');
  const reports = { logger: { error: tell }, once: { lets: () => true }, reportError: tell };
  const loops = backgroundLoops(
    { background: () => Promise.reject(closed) },
    manualClock(),
    reports as never,
  );
  loops.start();
  await settle();
  loops.stop();
  expect(told).toEqual([]);
});

it('a loop stops at once during a pause, without waiting it out', async () => {
  const stop = new AbortController();
  const ended = repeat(async () => undefined, manualClock(), unexpected, stop.signal);
  await settle();
  stop.abort();
  await ended;
});

it.each([
  ['throws', () => expect.fail('the work failed')],
  ['rejects', () => Promise.reject(new Error('the work failed'))],
])('a loop goes on when the work %s, and tells of it', async (_how, fail) => {
  const clock = manualClock();
  const told: unknown[] = [];
  const stop = new AbortController();
  const ended = repeat(fail, clock, (error) => told.push(error), stop.signal);
  await settle();
  await clock.advance(2_000);
  expect(told).toHaveLength(3);
  stop.abort();
  await ended;
});
