import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { debianProgram } from '../debian-programs.ts';
import { LIMIT_MS, openRecipeShop } from './recipe-shop.ts';

/** Makes each mount read-only for one process, and a folder of memory for its data. */
const READ_ONLY = `
  awk '{ print $2 }' /proc/self/mounts | while read -r place; do
    mount -o remount,bind,ro "$place" 2>/dev/null || true
  done
  mount -t tmpfs tmpfs "$1" && shift && exec "$@"`;

/** Fails where the system lets no account but root make mounts of its own, and this is not root. */
it(
  'a shop on a read-only file system takes payments, and writes into its data folder alone',
  async () => {
    const { data, pay } = await openRecipeShop();
    const command = [debianProgram('unshare'), '-rm', 'sh', '-c', READ_ONLY, 'sh', data];
    const { thanks, tried } = await pay([], command);
    expect(thanks).toMatch(/\/thanks\/1001$/);
    expect(tried['write']).toBe('EROFS');
    // The folder of memory ended with the process.
    expect(existsSync(join(data, 'payments.db'))).toBe(false);
  },
  LIMIT_MS,
);
