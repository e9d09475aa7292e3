import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../test-support/temporary-folder.ts';
import { runCli, runCliInside } from '../../test-support/cli-shop.ts';
import { configFiles } from './run.ts';

let folder: string;
beforeEach(() => void (folder = temporaryFolder()));

const init = (...args: readonly string[]) =>
  runCliInside(['init', '--no-install', ...args], {}, false, undefined, folder);
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);
const manifest = () => JSON.parse(read('package.json')) as Record<string, unknown>;

/** Whether a server could take this port. */
const listens = (server: Server, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    server.once('listening', () => resolve(true)).once('error', () => resolve(false));
    server.listen(port, '127.0.0.1');
  });

describe('init in an empty folder', () => {
  it('writes settings with a secret of its own, which no other account reads', async () => {
    const first = await init('a');
    await init('b');
    expect(first.code).toBe(0);
    const [a, b] = ['a/.env', 'b/.env'].map((file) => parseEnv(read(file)));
    expect(a?.['PAY_TOKEN_SECRET']).toMatch(/^[0-9a-f]{64}$/);
    expect(a?.['PAY_TOKEN_SECRET']).not.toBe(b?.['PAY_TOKEN_SECRET']);
    expect(statSync(join(folder, 'a/.env')).mode & 0o077).toBe(0);
    expect(read('a/.gitignore')).toContain('.env\n');
    expect(first.out).not.toContain(a?.['PAY_TOKEN_SECRET']);
  });

  it('ends with the next command, and says as much to a program', async () => {
    const { out } = await init('my-shop');
    expect(out).toMatch(/Next\n {2}cd my-shop\n {2}npm install\n {2}npm start\n/);
    const { json } = await init('other', '--json');
    const next = ['cd other', 'npm install', 'npm start'];
    expect(json).toMatchObject({ installed: false, next });
    const written: unknown = expect.objectContaining({ file: 'shop.ts', action: 'written' });
    expect(json['files']).toContainEqual(written);
  });

  it.each(Object.entries({ mysql: 'mysql2', postgres: 'pg' }))(
    'stores payments in a server with --%s, and says what to write into .env',
    async (kind, driver) => {
      const { out } = await init(`--${kind}`);
      expect(parseEnv(read('.env'))['DATABASE_URL']).toMatch(new RegExp(`^${kind}://`));
      expect(manifest()['dependencies']).toMatchObject({ [driver]: expect.any(String) });
      expect(out).toMatch(/Next\n {2}set DATABASE_URL in \.env\n {2}npm/);
      expect(await init('--mysql', '--postgres')).toMatchObject({ code: 2 });
    },
  );

  it('takes a port that is free on this machine', async () => {
    const busy = createServer();
    onTestFinished(() => void busy.close());
    const settings = async (): Promise<NodeJS.Dict<string>> => {
      const name = randomUUID();
      await init(name);
      return parseEnv(read(`${name}/.env`));
    };
    let { PORT: taken } = await settings();
    // Another process may have taken it since.
    while (!(await listens(busy, Number(taken)))) taken = (await settings())['PORT'];
    const { PORT, PUBLIC_URL } = await settings();
    expect(PORT).not.toBe(taken);
    expect(PUBLIC_URL).toBe(`http://127.0.0.1:${PORT}`);
  });

  it('writes the options where the program finds them', async () => {
    await init();
    expect(configFiles).toContain('pay.config.ts');
    const { code, json } = await runCli(['explain', '1001', '--json'], {}, { cwd: folder });
    // Its imports resolve only once packages are installed: the file was found.
    expect([code, json]).toMatchObject([1, { error: { code: 'invalid_config' } }]);
  });
});

describe('init in a project', () => {
  it('overwrites nothing, says so, and replaces with --force only', async () => {
    write('shop.ts', '// mine\n');
    expect((await init()).out).toMatch(/shop\.ts +is there already; --force replaces it/);
    expect(read('shop.ts')).toBe('// mine\n');
    expect((await init('--force')).out).toMatch(/! {2}shop\.ts +replaced/);
    expect(read('shop.ts')).toContain('paymentsFromEnv(config)');
  });

  it('adds settings that are missing, and keeps what .env has', async () => {
    write('.env', 'PUBLIC_URL=https://mine.example\nPAY_TOKEN_SECRET=mine');
    await init();
    const text = read('.env');
    expect(text.startsWith('PUBLIC_URL=https://mine.example\nPAY_TOKEN_SECRET=mine\n')).toBe(true);
    const mine = { PUBLIC_URL: 'https://mine.example', PAY_TOKEN_SECRET: 'mine' };
    expect(parseEnv(text)).toMatchObject({ ...mine, GATEWAY_ENVIRONMENT: 'staging' });
    expect(text.match(/PAY_TOKEN_SECRET=/g)).toHaveLength(1);
  });

  it('adds a script of another name and only packages that are missing, and changes no other field', async () => {
    const scripts = { start: 'node mine.js' };
    const dependencies = { express: '4.21.2' };
    const before = { name: 'mine', type: 'module', scripts, dependencies };
    write('package.json', JSON.stringify(before, null, 4));
    const { out } = await init();
    expect(manifest()).toMatchObject({
      name: 'mine',
      scripts: { ...scripts, shop: 'node --env-file=.env shop.ts' },
      dependencies: { ...dependencies, '@pay-button/widget': expect.any(String) },
    });
    expect(read('package.json')).toMatch(/^\{\n {4}"name"/);
    expect(out).toContain('npm run shop');
  });

  it('writes modules of their own kind where the package is CommonJS', async () => {
    write('package.json', '{ "type": "commonjs" }');
    await init();
    expect(read('shop.mts')).toContain(`from './pay.config.mts'`);
    expect(read('pages.mts')).toContain(`from './pay.config.mts'`);
    expect(manifest()['scripts']).toMatchObject({ start: 'node --env-file=.env shop.mts' });
  });

  it('changes nothing when it is run again', async () => {
    await init();
    const files = ['.env', 'shop.ts', 'package.json', '.gitignore'];
    const before = files.map(read);
    const { json } = await init('--json');
    expect(files.map(read)).toEqual(before);
    const actions = new Set((json['files'] as { action: string }[]).map(({ action }) => action));
    expect([...actions]).toEqual(['kept']);
  });

  it('uses the package manager whose lockfile is there', async () => {
    write('pnpm-lock.yaml', '');
    expect((await init()).out).toMatch(/pnpm install\n {2}pnpm start\n/);
  });

  it('refuses a manifest that is no JSON before it writes a file', async () => {
    write('package.json', '{');
    const { code, err } = await init();
    expect([code, err]).toEqual([2, expect.stringContaining('is no JSON')]);
    expect(() => read('.env')).toThrow('ENOENT');
  });
});

it('init says what its package manager said when packages cannot be installed', async () => {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'npm'), '#!/bin/sh\necho no network today >&2\nexit 1', { mode: 0o755 });
  const env = { PATH: `${bin}:${process.env['PATH']}` };
  const { code, out, err } = await runCliInside(['init', 'x'], env, false, undefined, folder);
  expect([code, err]).toEqual([1, expect.stringContaining('no network today')]);
  expect(out).toMatch(/Next\n {2}cd x\n {2}npm install\n {2}npm start\n/);
});
