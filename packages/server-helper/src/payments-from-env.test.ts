import { existsSync, writeFileSync } from 'node:fs';
import Module from 'node:module';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { runCliInside } from '../test-support/cli-shop.ts';
import { aLink, aSession } from '../test-support/gateway-calls.ts';
import { httpAnswer, RawServer } from '../test-support/raw-server.ts';
import { refusalOf } from '../test-support/some-options.ts';
import { temporaryFolder } from '../test-support/temporary-folder.ts';
import { createPayments, type Payments, sqliteStore } from './index.ts';
import { paymentsFromEnv } from './payments-from-env.ts';

const folder = temporaryFolder(afterAll);
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const env = {
  GATEWAY_ENVIRONMENT: 'staging',
  GATEWAY_BASE_URL: 'http://127.0.0.1:1/v1',
  GATEWAY_API_KEY: 'key-1, key-2',
  PUBLIC_URL: 'https://shop.example',
  PAY_TOKEN_SECRET: 'b7c1f0a92d5e4836a1f4c7d29e6b58030d9a7e41c2f6b5d8',
  DATABASE_URL: `sqlite:${join(folder, 'payments.db')}`,
};
const { DATABASE_URL: _database, ...withoutDatabase } = env;
const options = {
  loadOrder: () => null,
  pages: { success: '/thanks/:orderId', pending: '/wait/:orderId', failure: '/retry/:orderId' },
};

type Settings = Readonly<Record<string, string>>;

/** Payments of the environment with these settings; they end with the test. */
function start(settings: Settings = {}, more: object = {}): Payments {
  const payments = paymentsFromEnv({ ...options, ...more }, { ...env, ...settings });
  onTestFinished(() => payments.close());
  return payments;
}

/** What is wrong with the environment with these settings: the code and the setting of each finding. */
const wrongWith = (settings: Settings): readonly string[] =>
  refusalOf(() => start(settings)).findings.map(({ code, setting }) => `${code} ${setting}`);

describe('settings from the environment', () => {
  it('are enough to read a payment from SQLite, and from PostgreSQL with a pool that ends', async () => {
    expect(await start().retrieve('1001')).toBeNull();
    const url = new URL(inject('databaseUrl'));
    expect(await start({ DATABASE_URL: url.href }).retrieve('1001')).toBeNull();
  });

  it.each(Object.keys(withoutDatabase))('that lack %s are refused by its name', (name) => {
    expect(wrongWith({ [name]: ' ' })).toEqual([`missing_setting ${name}`]);
  });

  it.each([
    [{ PAY_CORS_ORIGINS: '' }, 'invalid_cors_origins'],
    [{ GATEWAY_WEBHOOK_SECRET: '' }, 'invalid_webhook_secret'],
    [{ PAY_HEALTH_TOKEN: '' }, 'invalid_option'],
    [{ PAY_HEALTH_TOKEN: 'short' }, 'invalid_option'],
    [{ GATEWAY_CONNECTIONS: '0' }, 'invalid_connections'],
    [{ GATEWAY_PROFILE: join(folder, 'no-such-profile.json') }, 'invalid_profile'],
    [{ GATEWAY_WEBHOOK_SECRETS: 'a-secret-of-the-gateway' }, 'invalid_option'],
    [{ PAY_CORS_ORIGIN: 'https://www.shop.example' }, 'invalid_option'],
    [{ gateway_profile: 'gateway.json' }, 'invalid_option'],
  ] as const)('of %j are refused by its name', (settings, code) => {
    expect(wrongWith(settings)).toEqual([`${code} ${Object.keys(settings).join()}`]);
  });

  it('may hold the portal credential, whole or not at all', async () => {
    const GATEWAY_PORTAL_USERNAME = 'noura';
    const half = refusalOf(() => start({ GATEWAY_PORTAL_USERNAME }));
    expect(half.message).toContain('GATEWAY_PORTAL_PASSWORD');
    const whole = { GATEWAY_PORTAL_USERNAME, GATEWAY_PORTAL_PASSWORD: 'a password' };
    const asked = { portal_not_configured: {}, connection_failed: whole };
    for (const [code, settings] of Object.entries(asked)) {
      await expect(start(settings).gateway.rotateApiKey()).rejects.toMatchObject({ code });
    }
  });

  it('may hold the origins of front ends', async () => {
    const origin = 'http://localhost:5173';
    const { handle } = start({ PAY_CORS_ORIGINS: `https://www.front.example, ${origin}` });
    const request = new Request('https://shop.example/pay/status/x', { headers: { origin } });
    expect((await handle(request)).headers.get('access-control-allow-origin')).toBe(origin);
  });

  it('may hold secrets of webhook signatures', async () => {
    const GATEWAY_WEBHOOK_SECRET = 'whsec_5f1c0a7be2d94f36, whsec_a8c07d11e93b42f6';
    const { handle } = start({ GATEWAY_WEBHOOK_SECRET });
    const request = new Request('https://shop.example/pay/webhook', { method: 'POST', body: '{}' });
    expect((await handle(request)).status).toBe(401);
  });

  it('may hold the token of health’s details, and leave its other options be', async () => {
    const PAY_HEALTH_TOKEN = 'b41f0c7d2e95836aa7c80d12';
    const { handle } = start({ PAY_HEALTH_TOKEN }, { health: { failsWhenDegraded: true } });
    const asked = async (authorization: string): Promise<readonly string[]> => {
      const init = { headers: { authorization } };
      const answer = await handle(new Request('https://shop.example/pay/health', init));
      return Object.keys((await answer.json()) as object);
    };
    expect(await asked(`Bearer ${PAY_HEALTH_TOKEN}`)).toContain('findings');
    expect(await asked('Bearer another')).toEqual(['status']);
  });

  it.each([
    ['health', { health: 5 }],
    ['cors.origin', { cors: { origin: ['https://b.example'] } }],
    ['store', { store: null }],
  ])('hide no mistake in the option %s', (setting, more) => {
    const origins = { PAY_CORS_ORIGINS: 'https://a.example' };
    expect(refusalOf(() => start(origins, more)).findings).toMatchObject([{ setting }]);
  });

  it('may say how many connections a group of calls gets at most, and a blank one is left out', async () => {
    const page = 'https://pay.example/?sessionId=1';
    const link = httpAnswer('201 Created', JSON.stringify({ id: aSession, redirectUrl: page }));
    const raw = await new RawServer({ onRequest: (socket) => socket.write(link) }).start();
    onTestFinished(() => raw.close());
    const { gateway } = start({ GATEWAY_BASE_URL: `${raw.origin}/v1`, GATEWAY_CONNECTIONS: ' 1 ' });
    await Promise.all([1, 2, 3].map(() => gateway.createPaymentLink(aLink)));
    expect(raw.connections).toBe(1);
    start({ GATEWAY_CONNECTIONS: ' ' });
  });

  it('may name the file of the gateway profile, whose mistakes are then refused', () => {
    const profile = (content: string): string => {
      const file = join(temporaryFolder(), 'gateway.json');
      writeFileSync(file, content);
      return file;
    };
    start({ GATEWAY_PROFILE: profile('{"operations":{"refund":{"path":"/payment/refund"}}}') });
    const wrong = wrongWith({ GATEWAY_PROFILE: profile('{"status":{"parameter":"order"}}') });
    expect(wrong).toEqual(['invalid_profile gateway.profile.status.parameter']);
  });

  it.each([
    'mongodb://root:hunter2@db/shop',
    'postgres://root:a@hunter2/1@db/shop',
    'mysql://root:hunter2#1@db/shop',
    'mysql://root:hunter2%@db/shop',
    'mysql://root:hunter2@db/shop?ssl=true',
    'sqlite://hunter2/payments.db',
    'sqlite:file:hunter2.db',
    'sqlite:"hunter2.db"',
  ])('with an address that leads to no database are refused without quoting %s', (url) => {
    const refusal = refusalOf(() => start({ DATABASE_URL: url }));
    expect([refusal.code, refusal.cause]).toEqual(['unsupported_database_url', undefined]);
    expect(refusal.message).not.toContain('hunter2');
  });
});

const elsewhere = { ...withoutDatabase, GATEWAY_BASE_URL: 'https://gateway.example/v1' };

describe.each([
  ['NODE_ENV', { ...withoutDatabase, NODE_ENV: 'production' }],
  ['the gateway’s environment', { ...elsewhere, GATEWAY_ENVIRONMENT: 'production' }],
])('a shop in production by %s', (sign, settings) => {
  it.each([
    ['without a database', {}],
    ['with one in memory', { DATABASE_URL: 'sqlite::memory:' }],
  ])('is refused %s, with what to set', (_what, database) => {
    const from = { ...settings, ...database };
    const { code, help, findings, message } = refusalOf(() => paymentsFromEnv(options, from));
    expect([code, findings]).toMatchObject(['missing_store', [{ setting: 'DATABASE_URL' }]]);
    expect(message).toContain(`${sign} is production`);
    expect(message).toMatch(/\.data\/payments\.db.*postgres:\/\/.*sqlite:\/var\/lib\//);
    expect(help).toMatch(/docs\/errors\.md#missing_store$/);
  });

  it('takes a file that the shop names, or a store of its own', async () => {
    const file = '/var/lib/shop/payments.db';
    await paymentsFromEnv(options, { ...settings, DATABASE_URL: `sqlite:${file}` }).close();
    await paymentsFromEnv({ ...options, store: sqliteStore({ file }) }, settings).close();
  });

  it('is not looked at by the command line in another database', async () => {
    const { code, err } = await runCliInside(['review', 'list'], settings);
    expect([code, err]).toEqual([1, expect.stringContaining('missing_store')]);
    const { json } = await runCliInside(['doctor', '--offline', '--json'], settings);
    expect(JSON.stringify(json)).toContain('"code":"missing_store"');
  });
});

// `set NODE_ENV=production && node shop.js` leaves a space behind the word on Windows.
it.each(['production ', 'Production'])('NODE_ENV says production as "%s" too', (said) => {
  const settings = { ...withoutDatabase, NODE_ENV: said };
  expect(refusalOf(() => paymentsFromEnv(options, settings)).code).toBe('missing_store');
});

const wired = {
  ...options,
  gateway: { environment: 'staging', baseUrl: 'https://gateway.example/v1', apiKey: 'key-1' },
  publicUrl: 'https://shop.example',
  tokenSecrets: [env.PAY_TOKEN_SECRET],
} as const;

it('createPayments refuses production without the option store', () => {
  const gateway = { ...wired.gateway, environment: 'production' } as const;
  const { code, findings } = refusalOf(() => createPayments({ ...wired, gateway }));
  expect([code, findings]).toMatchObject(['missing_store', [{ setting: 'store' }]]);
  vi.stubEnv('NODE_ENV', 'production');
  expect(refusalOf(() => createPayments(wired)).code).toBe('missing_store');
});

describe('a shop elsewhere', () => {
  const logged = async (settings: Settings): Promise<unknown[]> => {
    const warn = vi.fn();
    const logger = { info: vi.fn(), warn, error: vi.fn() };
    await paymentsFromEnv({ ...options, logger }, settings).close();
    return warn.mock.calls;
  };

  it('says once at start that it uses the default file, with its whole path', async () => {
    const line = expect.stringContaining(`${process.cwd()}/.data/payments.db`);
    expect(await logged(withoutDatabase)).toEqual([[{ code: 'missing_store' }, line]]);
    expect(existsSync('.data/payments.db')).toBe(false);
    expect(await logged(env)).toEqual([]);
  });

  it('says so on the console without a logger', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    await createPayments(wired).close();
    const line = expect.stringMatching(/\.data\/payments\.db.*DATABASE_URL/);
    expect(warn.mock.calls).toEqual([[line]]);
  });
});

describe('PostgreSQL without the package pg', () => {
  const settings = { ...env, DATABASE_URL: 'postgres://127.0.0.1:1/none' };

  /** Every `require` goes through this function, also of a package that another test has loaded. */
  const withoutPg = (): void => {
    const loader = Module as unknown as Record<'_load', (name: string) => unknown>;
    const load = loader._load;
    vi.spyOn(loader, '_load').mockImplementation((name, ...more: []) => {
      if (name !== 'pg') return load(name, ...more);
      throw Object.assign(new Error(`Cannot find module 'pg'`), { code: 'MODULE_NOT_FOUND' });
    });
  };

  it('is refused at start, with what to install', () => {
    withoutPg();
    const { code, message } = refusalOf(() => start(settings));
    expect([code, message]).toEqual(['missing_package', expect.stringContaining('npm install pg')]);
  });

  const commands = ['review list', 'migrate', 'doctor --offline', 'reconcile'];
  it.each(commands)('is what %s names, and not a database that is down', async (line) => {
    withoutPg();
    const { code, out, err } = await runCliInside(line.split(' '), settings);
    expect(code).toBeGreaterThan(0);
    expect(out + err).toContain('npm install pg');
    expect(out + err).not.toMatch(/Start the database|Cannot find module/);
  });
});
