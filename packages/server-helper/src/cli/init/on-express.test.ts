import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { runCliInside } from '../../../test-support/cli-shop.ts';

const modules = fileURLToPath(new URL('../../../../../node_modules', import.meta.url));

/** A project with a version of Express, and the shop that `init` writes into it. */
async function projectWith(express: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'pay-express-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(modules, express), join(folder, 'node_modules/express'));
  symlinkSync(join(modules, '@pay-button'), join(folder, 'node_modules/@pay-button'));
  await runCliInside(['init', '--no-install'], {}, false, undefined, folder);
  return folder;
}

/** Starts the shop; again with other ports, where another process has taken one since `init`. */
async function started(express: string, change: string): Promise<string> {
  const folder = await projectWith(express);
  appendFileSync(join(folder, 'pay.config.ts'), change);
  const child = spawn(
    process.execPath,
    ['--conditions=@pay-button/source', '--no-warnings', '--env-file=.env', 'shop.ts'],
    {
      cwd: folder,
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const exit = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  const errors = text(child.stderr);
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    const address = /^Shop +(\S+)$/m.exec(output)?.[1];
    if (address !== undefined) return address;
  }
  if ((await errors).includes('EADDRINUSE')) return started(express, change);
  throw new Error(`The shop did not start: ${await errors}`);
}

it.each(['express', 'express4'])(
  'a shop with %s that init has written answers on after a route that rejects',
  async (express) => {
    const shop = await started(
      express,
      "orders.keys = () => { throw new Error('the database of orders is down'); };",
    );
    expect((await fetch(shop)).status).toBe(500);
    expect((await fetch(`${shop}/thanks/1001`)).status).toBe(200);
  },
);
