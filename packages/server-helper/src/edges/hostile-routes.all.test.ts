import { expect, it } from 'vitest';
import { hostileFaults } from '../../test-support/hostile-shop.ts';
import { hosts } from '../../test-support/hosts.ts';

// The first host is in the quick suite.
it.each(hosts.slice(1))(
  'each route on $name answers hostile requests as it should',
  { timeout: 300_000 },
  async ({ serve }) => expect(await hostileFaults({ serve })).toEqual([]),
);
