import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '@pay-button/gateway-sandbox';
import type { PaymentState } from '@pay-button/server-helper';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cartPage, thanksPage } from '../packages/server-helper/starter/pages.ts';
import { payAsShopper, shopSettings } from './examples/pay-as-shopper.ts';
import { root, startProgram } from './process.ts';

/** Starts the shop that `npm create` writes beside a sandbox and a version of Express. */
async function startWritten(express: string, databaseUrl: string): Promise<string> {
  const sandbox = await startSandbox({ port: 0 });
  onTestFinished(() => sandbox.close());
  const cwd = mkdtempSync(join(tmpdir(), 'pay-written-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  cpSync(join(root, 'packages/server-helper/starter'), cwd, { recursive: true });
  const [packages, installed] = [join(cwd, 'node_modules'), join(root, 'node_modules')];
  mkdirSync(packages);
  symlinkSync(join(installed, express), join(packages, 'express'));
  symlinkSync(join(installed, '@pay-button'), join(packages, '@pay-button'));
  const settings = await shopSettings(sandbox, databaseUrl);
  // By this name the sandbox is not the one that the shop would start itself.
  const GATEWAY_BASE_URL = sandbox.baseUrl.replace('127.0.0.1', 'localhost');
  const env = { ...settings, GATEWAY_BASE_URL };
  const program = ['--conditions=@pay-button/source', 'shop.ts'];
  const { stop } = await startProgram(program, { cwd, env, sign: 'Shop ' });
  onTestFinished(stop);
  return settings.PUBLIC_URL;
}

describe('the written shop', () => {
  it('says in a browser without scripts that an order is paid once it is, and not before', async () => {
    const url = await startWritten('express', 'sqlite:payments.db');
    expect(await payAsShopper(url)).toBe(`${url}/thanks/1001`);
    const cart = await (await fetch(url)).text();
    expect(cart).toContain('<p class="done">Paid</p>');
    expect(cart).not.toContain('order-id="1001"');
  });

  it('answers 500 on Express 4 where its store fails, and goes on', async () => {
    const url = await startWritten('express4', 'sqlite:package.json/payments.db');
    for (const path of ['/', '/thanks/1001', '/']) {
      expect((await fetch(url + path)).status, path).toBe(500);
    }
  });
});

describe('the written pages', () => {
  const states: readonly PaymentState[] = [
    ...(['partially_refunded', 'refunded', 'authorized', 'captured'] as const),
    ...(['voided', 'review', 'paid_late'] as const),
  ];
  it.each(states)('offer no button for an order that is %s', (state) => {
    expect(cartPage([state], '')).not.toContain('order-id="1001"');
    expect(cartPage(['unpaid'], '')).toContain('order-id="1001"');
  });

  it('thank for an order that is paid, and for no other', () => {
    expect(thanksPage('partially_refunded', '/x')).toContain('Your order is paid.');
    for (const state of ['pending', 'refunded', 'review', undefined] as const) {
      expect(thanksPage(state, '/x')).not.toContain('Your order is paid.');
    }
  });
});
