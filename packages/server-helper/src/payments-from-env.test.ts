import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { aLink, aSession } from '../test-support/gateway-calls.ts';
import { httpAnswer, RawServer, type RawScript } from '../test-support/raw-server.ts';
import { paymentsFromEnv } from './payments-from-env.ts';

const folder = mkdtempSync(join(tmpdir(), 'pay-env-'));
afterAll(() => rmSync(folder, { recursive: true }));

const env = {
  GATEWAY_ENVIRONMENT: 'staging',
  GATEWAY_BASE_URL: 'http://127.0.0.1:1/v1',
  GATEWAY_API_KEY: 'key-1, key-2',
  PUBLIC_URL: 'https://shop.example',
  PAY_TOKEN_SECRET: '0123456789abcdef0123456789abcdef',
  DATABASE_URL: `sqlite:${join(folder, 'payments.db')}`,
};
const options = {
  loadOrder: () => null,
  pages: { success: '/thanks/:orderId', pending: '/wait/:orderId', failure: '/retry/:orderId' },
};
const link = httpAnswer(
  '201 Created',
  JSON.stringify({ id: aSession, redirectUrl: 'https://pay.example/?sessionId=1' }),
);

describe('settings from the environment', () => {
  it('are enough to read a payment from SQLite', async () => {
    const payments = paymentsFromEnv(options, env);
    expect(await payments.retrieve('1001')).toBeNull();
    await payments.close();
  });

  it('are enough to read a payment from PostgreSQL, with a pool that ends', async () => {
    const url = new URL(inject('databaseUrl'));
    const payments = paymentsFromEnv(options, { ...env, DATABASE_URL: url.href });
    expect(await payments.retrieve('1001')).toBeNull();
    await payments.close();
  });

  it.each([
    'GATEWAY_ENVIRONMENT',
    'GATEWAY_BASE_URL',
    'GATEWAY_API_KEY',
    'PUBLIC_URL',
    'PAY_TOKEN_SECRET',
  ])('that lack %s are refused by its name', (name) => {
    const refused = () => paymentsFromEnv(options, { ...env, [name]: ' ' });
    expect(refused).toThrow(expect.objectContaining({ code: 'missing_setting' }));
    expect(refused).toThrow(name);
  });

  it('may hold the portal credential, whole or not at all', async () => {
    const GATEWAY_PORTAL_USERNAME = 'noura';
    const half = () => paymentsFromEnv(options, { ...env, GATEWAY_PORTAL_USERNAME });
    expect(half).toThrow('GATEWAY_PORTAL_PASSWORD');
    const whole = { ...env, GATEWAY_PORTAL_USERNAME, GATEWAY_PORTAL_PASSWORD: 'a password' };
    for (const [settings, code] of [
      [env, 'portal_not_configured'],
      [whole, 'connection_failed'],
    ] as const) {
      const payments = paymentsFromEnv(options, settings);
      await expect(payments.gateway.rotateApiKey()).rejects.toMatchObject({ code });
      await payments.close();
    }
  });

  it('may hold the origins of front ends, but no empty one', async () => {
    const PAY_CORS_ORIGINS = 'https://www.front.example, http://localhost:5173';
    const payments = paymentsFromEnv(options, { ...env, PAY_CORS_ORIGINS });
    const origin = 'http://localhost:5173';
    const request = new Request('https://shop.example/pay/status/x', { headers: { origin } });
    const { headers } = await payments.handle(request);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    await payments.close();
    const finding = { code: 'invalid_cors_origins', setting: 'PAY_CORS_ORIGINS' };
    expect(() => paymentsFromEnv(options, { ...env, PAY_CORS_ORIGINS: '' })).toThrow(
      expect.objectContaining({ findings: [expect.objectContaining(finding)] }),
    );
  });

  it('may hold secrets of webhook signatures, but no empty one', async () => {
    const payments = paymentsFromEnv(options, {
      ...env,
      GATEWAY_WEBHOOK_SECRET: 'whsec_5f1c0a7be2d94f36, whsec_a8c07d11e93b42f6',
    });
    const request = new Request('https://shop.example/pay/webhook', { method: 'POST', body: '{}' });
    expect((await payments.handle(request)).status).toBe(401);
    await payments.close();
    const empty = () => paymentsFromEnv(options, { ...env, GATEWAY_WEBHOOK_SECRET: '' });
    const finding = { code: 'invalid_webhook_secret', setting: 'GATEWAY_WEBHOOK_SECRET' };
    expect(empty).toThrow(
      expect.objectContaining({ findings: [expect.objectContaining(finding)] }),
    );
  });

  it('may hold the token of health’s details, but no weak one, and leave its other options be', async () => {
    const PAY_HEALTH_TOKEN = 'b41f0c7d2e95836aa7c80d12';
    const health = { failsWhenDegraded: true };
    const payments = paymentsFromEnv({ ...options, health }, { ...env, PAY_HEALTH_TOKEN });
    const asked = async (authorization: string) => {
      const init = { headers: { authorization } };
      return (
        await payments.handle(new Request('https://shop.example/pay/health', init))
      ).json() as Promise<object>;
    };
    expect(Object.keys(await asked(`Bearer ${PAY_HEALTH_TOKEN}`))).toContain('findings');
    expect(Object.keys(await asked('Bearer another'))).toEqual(['status']);
    await payments.close();
    for (const weak of ['', 'short']) {
      const finding = { code: 'invalid_option', setting: 'PAY_HEALTH_TOKEN' };
      expect(() => paymentsFromEnv(options, { ...env, PAY_HEALTH_TOKEN: weak })).toThrow(
        expect.objectContaining({ findings: [expect.objectContaining(finding)] }),
      );
    }
  });

  it('may say how many connections a group of calls gets at most', async () => {
    const onRequest: RawScript['onRequest'] = (socket) => socket.write(link);
    const gateway = await new RawServer({ onRequest }).start();
    const GATEWAY_BASE_URL = `${gateway.origin}/v1`;
    const given = { ...env, GATEWAY_BASE_URL, GATEWAY_CONNECTIONS: ' 1 ' };
    const payments = paymentsFromEnv(options, given);
    await Promise.all([1, 2, 3].map(() => payments.gateway.createPaymentLink(aLink)));
    expect(gateway.connections).toBe(1);
    await payments.close();
    await gateway.close();
  });

  it('that say it wrongly are refused by its name, and a blank one is left out', async () => {
    for (const GATEWAY_CONNECTIONS of ['0', '2.5', 'many']) {
      const finding = { code: 'invalid_connections', setting: 'GATEWAY_CONNECTIONS' };
      expect(() => paymentsFromEnv(options, { ...env, GATEWAY_CONNECTIONS })).toThrow(
        expect.objectContaining({ findings: [expect.objectContaining(finding)] }),
      );
    }
    await paymentsFromEnv(options, { ...env, GATEWAY_CONNECTIONS: ' ' }).close();
  });

  it('may name the file of the gateway profile, whose mistakes are then refused', async () => {
    const profile = (content: string): string => {
      const file = join(mkdtempSync(join(folder, 'profile-')), 'gateway.json');
      writeFileSync(file, content);
      return file;
    };
    const good = profile('{"operations":{"refund":{"path":"/payment/refund"}}}');
    await paymentsFromEnv(options, { ...env, GATEWAY_PROFILE: good }).close();
    for (const [GATEWAY_PROFILE, setting] of [
      [profile('{"status":{"parameter":"order"}}'), 'gateway.profile.status.parameter'],
      [join(tmpdir(), 'no-such-profile.json'), 'GATEWAY_PROFILE'],
    ]) {
      const finding = { code: 'invalid_profile', setting };
      expect(() => paymentsFromEnv(options, { ...env, GATEWAY_PROFILE })).toThrow(
        expect.objectContaining({ findings: [expect.objectContaining(finding)] }),
      );
    }
  });

  it('with another kind of database are refused without quoting the address', () => {
    const refused = () =>
      paymentsFromEnv(options, { ...env, DATABASE_URL: 'mysql://root:hunter2@db/shop' });
    expect(refused).toThrow(expect.objectContaining({ code: 'unsupported_database_url' }));
    expect(refused).not.toThrow('hunter2');
  });
});
