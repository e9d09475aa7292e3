import { existsSync } from 'node:fs';
import Module from 'node:module';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { runCliInside } from '../test-support/cli-shop.ts';
import { ConfigurationError, createPayments, paymentsFromEnv, sqliteStore } from './index.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const secret = 'b7c1f0a92d5e4836a1f4c7d29e6b58030d9a7e41c2f6b5d8';
const settings = {
  GATEWAY_ENVIRONMENT: 'staging',
  GATEWAY_BASE_URL: 'https://gateway.example/v1',
  GATEWAY_API_KEY: 'key-1',
  PUBLIC_URL: 'https://shop.example',
  PAY_TOKEN_SECRET: secret,
};
const options = {
  loadOrder: () => null,
  pages: { success: '/thanks/:orderId', pending: '/wait/:orderId', failure: '/retry/:orderId' },
};
const wired = {
  ...options,
  gateway: { environment: 'staging', baseUrl: 'https://gateway.example/v1', apiKey: 'key-1' },
  publicUrl: 'https://shop.example',
  tokenSecrets: [secret],
} as const;

/** The refusal, which has to be one of ours. */
function refusalOf(work: () => unknown): ConfigurationError {
  try {
    work();
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
}

const byNode = { ...settings, NODE_ENV: 'production' };
const byGateway = { ...settings, GATEWAY_ENVIRONMENT: 'production' };

describe.each([
  ['NODE_ENV', byNode],
  ['the gateway’s environment', byGateway],
])('a shop in production by %s', (sign, env) => {
  it('is refused without a database, with what to set', () => {
    const { code, help, findings, message } = refusalOf(() => paymentsFromEnv(options, env));
    expect([code, findings]).toMatchObject(['missing_store', [{ setting: 'DATABASE_URL' }]]);
    expect(message).toContain(`${sign} is production`);
    expect(message).toMatch(/\.data\/payments\.db.*postgres:\/\/.*sqlite:\/var\/lib\//);
    expect(help).toMatch(/docs\/errors\.md#missing_store$/);
  });

  it('takes a file that the shop names, or a store of its own', async () => {
    const file = '/var/lib/shop/payments.db';
    await paymentsFromEnv(options, { ...env, DATABASE_URL: `sqlite:${file}` }).close();
    await paymentsFromEnv({ ...options, store: sqliteStore({ file }) }, env).close();
  });

  it('is not looked at by the command line in another database', async () => {
    const { code, err } = await runCliInside(['review', 'list'], env);
    expect([code, err]).toEqual([1, expect.stringContaining('missing_store')]);
    const { json } = await runCliInside(['doctor', '--offline', '--json'], env);
    expect(JSON.stringify(json)).toContain('"code":"missing_store"');
  });
});

// `set NODE_ENV=production && node shop.js` leaves a space behind the word on Windows.
it.each(['production ', 'Production'])('NODE_ENV says production as "%s" too', (said) => {
  const env = { ...settings, NODE_ENV: said };
  expect(refusalOf(() => paymentsFromEnv(options, env)).code).toBe('missing_store');
});

it('createPayments refuses production without the option store', () => {
  const inProduction = {
    ...wired,
    gateway: { ...wired.gateway, environment: 'production' },
  } as const;
  const { code, findings } = refusalOf(() => createPayments(inProduction));
  expect([code, findings]).toMatchObject(['missing_store', [{ setting: 'store' }]]);
  vi.stubEnv('NODE_ENV', 'production');
  expect(refusalOf(() => createPayments(wired)).code).toBe('missing_store');
});

describe('a shop elsewhere', () => {
  const logged = async (env: Readonly<Record<string, string>>): Promise<unknown[]> => {
    const warn = vi.fn();
    const logger = { info: vi.fn(), warn, error: vi.fn() };
    await paymentsFromEnv({ ...options, logger }, env).close();
    return warn.mock.calls;
  };

  it('says once at start that it uses the default file, with its whole path', async () => {
    const line = expect.stringContaining(`${process.cwd()}/.data/payments.db`);
    expect(await logged(settings)).toEqual([[{ code: 'missing_store' }, line]]);
    expect(existsSync('.data/payments.db')).toBe(false);
  });

  it('says so on the console without a logger', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    await createPayments(wired).close();
    expect(warn.mock.calls).toEqual([
      [expect.stringMatching(/\.data\/payments\.db.*DATABASE_URL/)],
    ]);
  });

  it('says nothing where a database is named', async () => {
    expect(await logged({ ...settings, DATABASE_URL: 'sqlite:/nowhere/payments.db' })).toEqual([]);
  });
});

describe('PostgreSQL without the package pg', () => {
  const env = { ...settings, DATABASE_URL: 'postgres://127.0.0.1:1/none' };

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
    const { code, message } = refusalOf(() => paymentsFromEnv(options, env));
    expect([code, message]).toEqual(['missing_package', expect.stringContaining('npm install pg')]);
  });

  const commands = ['review list', 'migrate', 'doctor --offline', 'reconcile'];
  it.each(commands)('is what %s names, and not a database that is down', async (line) => {
    withoutPg();
    const { code, out, err } = await runCliInside(line.split(' '), env);
    expect(code).toBeGreaterThan(0);
    expect(out + err).toContain('npm install pg');
    expect(out + err).not.toMatch(/Start the database|Cannot find module/);
  });
});
