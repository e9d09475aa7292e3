import { expect, it } from 'vitest';
import { hostileFaults } from '../../test-support/hostile-shop.ts';

it('each route answers hostile requests as it should', { timeout: 300_000 }, async () => {
  expect(await hostileFaults()).toEqual([]);
});
