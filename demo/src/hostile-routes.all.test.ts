import { expect, it } from 'vitest';
import { hostileFaults } from './testing/hostile-shop.ts';

it(
  'answers every hostile request of strangers to each route as it should',
  { timeout: 300_000 },
  async () => {
    expect(await hostileFaults(1)).toEqual([]);
  },
);
