import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startSandbox } from '@pay-button/gateway-sandbox';
import { keptClock } from './kept-clock.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pay-button-clock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('stands after a restart where it stood before, though the sandbox was set right', async () => {
  const sandbox = await startSandbox({ port: 0 });
  try {
    const { control } = sandbox;
    const daysAhead = (now: number) => Math.round((now - Date.now()) / 86_400_000);
    const clock = await keptClock(control, folder);
    expect(daysAhead(clock.now())).toBe(0);
    const { now } = await control.advanceClock({ by: 'P2D' });
    clock.follow(Date.parse(now), clock.now());
    await control.reset();
    clock.follow(Date.parse((await control.info()).clock.now), clock.now());
    const restarted = await keptClock(control, folder);
    expect([daysAhead(clock.now()), daysAhead(restarted.now())]).toEqual([2, 2]);
  } finally {
    await sandbox.close();
  }
});
