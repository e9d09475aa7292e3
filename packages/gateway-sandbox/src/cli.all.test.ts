import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { killRounds } from './testing/kill-rounds.ts';

test(
  'what was acknowledged survives kill -9 in the middle of other calls',
  { timeout: 240_000 },
  async () => {
    const data = await mkdtemp(join(tmpdir(), 'sandbox-cli-'));
    onTestFinished(() => rm(data, { recursive: true }));
    let seed = 7;
    const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
    const report = await killRounds(data, { kills: 2, random });
    expect(report.lost).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(8);
  },
);
