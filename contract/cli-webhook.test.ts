import { startSandbox, type Sandbox } from '@pay-button/gateway-sandbox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCliInside } from '../packages/server-helper/test-support/cli-shop.ts';

let sandbox: Sandbox;
beforeAll(async () => void (sandbox = await startSandbox({ port: 0 })));
afterAll(() => sandbox.close());

const run = (...args: readonly string[]) => runIn('https://shop.example', ...args);

const runIn = (publicUrl: string, ...args: readonly string[]) =>
  runCliInside(['webhook', ...args], {
    GATEWAY_ENVIRONMENT: 'staging',
    GATEWAY_BASE_URL: sandbox.baseUrl,
    GATEWAY_API_KEY: sandbox.apiKey,
    GATEWAY_PORTAL_USERNAME: sandbox.portal.username,
    GATEWAY_PORTAL_PASSWORD: sandbox.portal.password,
    PUBLIC_URL: publicUrl,
  });

it('pay-button webhook makes one to the shop, shows its secret once, lists and deletes it', async () => {
  expect(await run('list')).toMatchObject({ code: 0, out: expect.stringContaining('no webhook') });
  const created = await run('create');
  expect(created.code).toBe(0);
  expect(created.out).toMatch(/GATEWAY_WEBHOOK_SECRET=\S{16,}/);

  const list = await run('list');
  const address = 'https://shop.example/pay/webhook';
  expect(list.out).toContain(address);
  expect(list.out).not.toContain('SECRET');
  const again = await run('create');
  expect([again.code, again.err]).toEqual([1, expect.stringContaining(`to ${address} already`)]);

  const [{ id = '' } = {}] = JSON.parse((await run('list', '--json')).out) as { id?: string }[];
  expect((await run('delete', id)).code).toBe(2);
  expect(await run('delete', id, '--yes')).toMatchObject({ code: 0, out: `✓ Deleted: ${id}\n` });
  expect((await run('list')).out).toContain('no webhook');
});

it.each(['/pay', '/shop/pay'])('webhook create names a path once, mounted at %s', async (mount) => {
  const { json } = await runIn('https://example.com/shop', 'create', '--mount', mount, '--json');
  await run('delete', String(json['id']), '--yes');
  expect(json['url']).toBe('https://example.com/shop/pay/webhook');
});
