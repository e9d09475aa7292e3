import { expect, test } from 'vitest';
import { hostileFaults } from '../testing/hostile-routes-for-test.ts';

test.each(['127.0.0.1', '0.0.0.0'])(
  'each route of a sandbox at %s answers hostile requests as it should',
  { timeout: 300_000 },
  async (host) => expect(await hostileFaults(host, 4)).toEqual([]),
);
