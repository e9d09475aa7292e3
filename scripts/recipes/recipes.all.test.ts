import { expect, it } from 'vitest';
import { root } from '../process.ts';
import { LIMIT_MS, openRecipeShop } from './recipe-shop.ts';

it(
  'a shop under Node’s permission model takes payments, and code in it reads, writes and runs nothing else',
  async () => {
    const { data, pay } = await openRecipeShop();
    // As docs/hardening.md has them.
    const reads = [`--allow-fs-read=${root}`, `--allow-fs-read=${data}`];
    const { thanks, tried } = await pay(['--permission', ...reads, `--allow-fs-write=${data}`]);
    expect(thanks).toMatch(/\/thanks\/1001$/);
    const denied = 'ERR_ACCESS_DENIED';
    expect(tried).toEqual({ read: denied, write: denied, run: denied, thread: denied });
  },
  LIMIT_MS,
);

it(
  'a shop without it contacts the gateway and nothing else, and an intruder does what it wants',
  async () => {
    const { gatewayHost, pay } = await openRecipeShop();
    const { tried, connections } = await pay([]);
    expect(tried).toEqual({ read: 'done', write: 'done', run: 'done', thread: 'done' });
    expect(connections).toEqual(new Set([gatewayHost]));
  },
  LIMIT_MS,
);
