import { expect, test } from 'vitest';
import { killRounds } from './testing/kill-rounds.ts';
import { folderForTest } from './testing/sandbox-for-test.ts';

test(
  'what was acknowledged survives kill -9 in the middle of other calls',
  { timeout: 240_000 },
  async () => {
    const data = await folderForTest();
    let seed = 7;
    const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
    const report = await killRounds(data, { kills: 2, random });
    expect(report.lost).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(8);
  },
);
