import { createRequire } from 'node:module';
import type { Request } from 'express';
import type * as Pg from 'pg';
import { createPayments, type Payments } from './create-payments.ts';
import { ConfigurationError } from './errors.ts';
import type { PortalSettings } from './gateway/login-request.ts';
import type { Environment } from './gateway/settings.ts';
import type { PaymentsOptions } from './options.ts';
import { postgresStore } from './stores/postgres-store.ts';
import { sqliteStore } from './stores/sqlite-store.ts';
import type { Store } from './stores/store.ts';

/** What the environment cannot tell: the merchant's own code and pages. */
export type EnvironmentOptions<Tx, Asking = Request> = Omit<
  PaymentsOptions<Tx, Asking>,
  'gateway' | 'publicUrl' | 'tokenSecrets' | 'store'
>;

/** Environment variables by name. */
export type Environs = Readonly<Record<string, string | undefined>>;

/**
 * `createPayments` with its settings from the environment: `GATEWAY_ENVIRONMENT` (`staging` or
 * `production`), `GATEWAY_BASE_URL`, `GATEWAY_API_KEY` (comma-separated while keys rotate),
 * `GATEWAY_PORTAL_USERNAME` and `GATEWAY_PORTAL_PASSWORD` (both or neither), `PUBLIC_URL`,
 * `PAY_TOKEN_SECRET` (comma-separated while secrets rotate), `DATABASE_URL`
 * (`sqlite:FILE`, the default being `sqlite:.data/payments.db`, or `postgres://…`).
 *
 * @throws {@link ConfigurationError} `missing_setting` with the variable's name,
 * `unsupported_database_url`, and whatever `createPayments` throws.
 */
export function paymentsFromEnv<Tx = unknown, Asking = Request>(
  options: EnvironmentOptions<Tx, Asking>,
  env: Environs = process.env,
): Payments {
  return createPayments<Tx, Asking>({
    ...options,
    gateway: {
      environment: required(env, 'GATEWAY_ENVIRONMENT') as Environment,
      baseUrl: required(env, 'GATEWAY_BASE_URL'),
      apiKey: list(required(env, 'GATEWAY_API_KEY')),
      portal: portalOf(env),
    },
    publicUrl: required(env, 'PUBLIC_URL'),
    tokenSecrets: list(required(env, 'PAY_TOKEN_SECRET')),
    store: storeFromUrl(env['DATABASE_URL'] ?? 'sqlite:.data/payments.db') as Store<Tx>,
  });
}

/** The portal credential is optional; half of one is a mistake. */
function portalOf(env: Environs): PortalSettings | undefined {
  const names = ['GATEWAY_PORTAL_USERNAME', 'GATEWAY_PORTAL_PASSWORD'] as const;
  if (names.every((name) => (env[name] ?? '').trim() === '')) return undefined;
  return { username: required(env, names[0]), password: required(env, names[1]) };
}

function required(env: Environs, name: string): string {
  const value = env[name]?.trim() ?? '';
  if (value !== '') return value;
  throw new ConfigurationError('missing_setting', `The environment variable ${name} is not set.`);
}

const list = (text: string): readonly string[] => text.split(',').map((part) => part.trim());

/** The address may hold a password, so an error never quotes it. */
function storeFromUrl(url: string): Store<unknown> {
  if (url.startsWith('sqlite:')) return sqliteStore({ file: url.slice('sqlite:'.length) });
  if (/^postgres(?:ql)?:\/\//.test(url)) return ownPoolStore(url);
  throw new ConfigurationError(
    'unsupported_database_url',
    'DATABASE_URL must start with sqlite: or postgres://.',
  );
}

/** A PostgreSQL store with a pool of its own, which ends with it. */
function ownPoolStore(connectionString: string): Store<unknown> {
  // Loaded only here, so that a shop on SQLite need not install it.
  const pg = createRequire(import.meta.url)('pg') as typeof Pg;
  const pool = new pg.Pool({ connectionString });
  return postgresStore({ pool, endsPool: true });
}
