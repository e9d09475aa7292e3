import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { PaymentState } from '@pay-button/server-helper';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cartPage, thanksPage } from '../packages/server-helper/starter/pages.ts';
import { ScriptedGateway } from '../packages/server-helper/test-support/scripted-gateway.ts';
import { temporaryFolder } from '../packages/server-helper/test-support/temporary-folder.ts';
import { payAsShopper, shopSettings } from './examples/pay-as-shopper.ts';
import { freePort, root, startProgram } from './process.ts';

/** Starts the shop that `npm create` writes, which starts its sandbox, on a version of Express. */
async function startWritten(express: string, databaseUrl: string, more = {}): Promise<string> {
  const url = `http://localhost:${await freePort()}`;
  const apiKey = 'sandbox_staging_944d07464cb8595a528f444ea94c0e74';
  const cwd = temporaryFolder();
  cpSync(join(root, 'packages/server-helper/starter'), cwd, { recursive: true });
  const [packages, installed] = [join(cwd, 'node_modules'), join(root, 'node_modules')];
  mkdirSync(packages);
  symlinkSync(join(installed, express), join(packages, 'express'));
  symlinkSync(join(installed, '@pay-button'), join(packages, '@pay-button'));
  const sandbox = { url, baseUrl: `${url}/staging/v1`, apiKey };
  const env = { ...(await shopSettings(sandbox, databaseUrl)), ...more };
  const program = ['--conditions=@pay-button/source', 'shop.ts'];
  const { stop } = await startProgram(program, { cwd, env, sign: /Shop / });
  onTestFinished(stop);
  return env.PUBLIC_URL;
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

it.each(['PORT', 'GATEWAY_BASE_URL'])('names %s where its port is taken', async (name) => {
  const other = await new ScriptedGateway().start();
  onTestFinished(() => other.close());
  const taken = name === 'PORT' ? new URL(other.baseUrl).port : other.baseUrl;
  const started = startWritten('express4', 'sqlite:payments.db', { [name]: taken });
  await expect(started).rejects.toThrow(new RegExp(`code 1\\.[^]* in use[^]* ${name} .*\\.env`));
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
