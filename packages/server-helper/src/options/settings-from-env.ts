import { ConfigurationError, everyMistake, type Finding, helpAddress } from '../errors.ts';
import { checkCertificates, type Environment, type PortalSettings } from '../gateway/settings.ts';
import type { GatewayClientOptions } from '../gateway/gateway-client.ts';
import type { PaymentsOptions } from './payments-options.ts';

/** Environment variables by name. */
export type Environs = Readonly<Record<string, string | undefined>>;

/** The settings of the environment, and the findings before their values are checked. */
export interface EnvironmentSettings {
  readonly options: Pick<
    PaymentsOptions<unknown>,
    | 'gateway'
    | 'publicUrl'
    | 'tokenSecrets'
    | 'encryptionKeys'
    | 'webhookSecrets'
    | 'checksPerSecond'
    | 'health'
    | 'cors'
  >;
  /** The default where `namesDatabase` is false. */
  readonly databaseUrl: string;
  readonly namesDatabase: boolean;
  readonly findings: readonly Finding[];
}

/** Which variable each option comes from. */
const variables: Readonly<Record<string, string>> = {
  'gateway.environment': 'GATEWAY_ENVIRONMENT',
  'gateway.baseUrl': 'GATEWAY_BASE_URL',
  'gateway.apiKey': 'GATEWAY_API_KEY',
  'gateway.portal': 'GATEWAY_PORTAL_PASSWORD',
  'gateway.connections': 'GATEWAY_CONNECTIONS',
  'gateway.pageOrigins': 'GATEWAY_PAGE_ORIGINS',
  'gateway.profile': 'GATEWAY_PROFILE',
  checksPerSecond: 'GATEWAY_CHECKS_PER_SECOND',
  publicUrl: 'PUBLIC_URL',
  tokenSecrets: 'PAY_TOKEN_SECRET',
  encryptionKeys: 'PAY_ENCRYPTION_KEY',
  webhookSecrets: 'GATEWAY_WEBHOOK_SECRET',
  'health.token': 'PAY_HEALTH_TOKEN',
  'cors.origins': 'PAY_CORS_ORIGINS',
};

/** The meaning of each variable, for the finding that it is missing. */
const meanings: Readonly<Record<string, string>> = {
  GATEWAY_ENVIRONMENT: 'It is "staging" or "production"; the sandbox is addressed as "staging".',
  GATEWAY_BASE_URL: 'It is the gateway’s address, which ends in /v1.',
  GATEWAY_API_KEY: 'It is the key from the dashboard: Settings, API Credentials.',
  GATEWAY_PORTAL_USERNAME: 'It goes with GATEWAY_PORTAL_PASSWORD: set both or neither.',
  GATEWAY_PORTAL_PASSWORD: 'It goes with GATEWAY_PORTAL_USERNAME: set both or neither.',
  PUBLIC_URL: 'It is the shop’s address as shoppers see it, such as https://shop.example.',
  PAY_TOKEN_SECRET: `Make one with: node -p "crypto.randomBytes(32).toString('hex')"`,
};

/** Settings that the shop's own code gives; a variable of the environment wins over each. */
export interface GivenSettings extends Partial<
  Pick<PaymentsOptions<unknown>, 'publicUrl' | 'tokenSecrets' | 'encryptionKeys'>
> {
  readonly gateway?: Partial<GatewayClientOptions> | undefined;
  readonly store?: unknown;
}

/** Reads the settings; one that neither place has is a finding and an empty text. */
export function readEnvironment(env: Environs, given: GivenSettings = {}): EnvironmentSettings {
  const findings: Finding[] = [];
  const required = (name: string): string => {
    const value = env[name]?.trim() ?? '';
    if (value === '') findings.push(missing(name));
    return value;
  };
  const either = <T extends string | readonly string[]>(name: string, own: T | undefined) =>
    own === undefined || (env[name]?.trim() ?? '') !== '' ? required(name) : own;
  const { gateway = {} } = given;
  const connections = numberOf(env['GATEWAY_CONNECTIONS']) ?? gateway.connections;
  const options = {
    gateway: {
      ...gateway,
      environment: either('GATEWAY_ENVIRONMENT', gateway.environment) as Environment,
      baseUrl: either('GATEWAY_BASE_URL', gateway.baseUrl),
      apiKey: listed(either('GATEWAY_API_KEY', gateway.apiKey)),
      portal: portalOf(env, required) ?? gateway.portal,
      connections,
      ...pageOriginsOf(env),
      ...profileOf(env),
    },
    publicUrl: either('PUBLIC_URL', given.publicUrl),
    tokenSecrets: listed(either('PAY_TOKEN_SECRET', given.tokenSecrets)),
    ...(given.encryptionKeys === undefined ? {} : { encryptionKeys: given.encryptionKeys }),
    ...encryptionKeysOf(env),
    ...webhookSecretsOf(env),
    ...checksPerSecondOf(env),
    ...healthTokenOf(env),
    ...corsOf(env),
  };
  const { environment } = options.gateway;
  const named = env['DATABASE_URL']?.trim() ?? '';
  const namesDatabase = named !== '';
  const databaseUrl = namesDatabase ? named : `sqlite:${DEFAULT_FILE}`;
  if (!isKnownDatabase(databaseUrl)) findings.push(unsupported);
  const hasStore = namesDatabase || given.store !== undefined;
  findings.push(
    ...everyMistake([
      () => checkCertificates(environment, env),
      () => checkStore('DATABASE_URL', hasStore, environment, env),
    ]),
  );
  return { options, databaseUrl, namesDatabase, findings };
}

/** Where payments are stored unless the shop says so, below the working directory. */
export const DEFAULT_FILE = '.data/payments.db';

/**
 * Nobody may choose the default in production without a word.
 *
 * @param setting - What the shop would set.
 * @throws {@link ConfigurationError} `missing_store`.
 */
export function checkStore(
  setting: 'DATABASE_URL' | 'store',
  hasStore: boolean,
  environment: Environment | undefined,
  env: Environs,
): void {
  const isNode = env['NODE_ENV']?.trim().toLowerCase() === 'production';
  if (hasStore || (environment !== 'production' && !isNode)) return;
  throw new ConfigurationError('missing_store', {
    setting,
    what: `Nothing says where payments are stored, and ${isNode ? 'NODE_ENV' : 'the gateway’s environment'} is production.`,
    why: `The default, ${DEFAULT_FILE} below the working directory, may be gone after a deployment, and no second machine reads it.`,
    fix: 'Set DATABASE_URL or the option store: postgres://name:password@host/database, or for one machine a file on a disk that stays, such as sqlite:/var/lib/shop/payments.db.',
  });
}

/** Findings by the names of the variables, without those of variables that are missing anyway. */
export function inEnvironmentWords(
  settings: EnvironmentSettings,
  mistakes: readonly Finding[],
): readonly Finding[] {
  const missingNames = new Set(settings.findings.map(({ setting }) => setting));
  const named = mistakes.map((one) => ({ ...one, setting: variables[one.setting] ?? one.setting }));
  return [...settings.findings, ...named.filter(({ setting }) => !missingNames.has(setting))];
}

/** Whether the address names a database that we know. */
export const isPostgres = (url: string): boolean => /^postgres(?:ql)?:\/\//.test(url);

/** The file of `sqlite:FILE`, else `undefined`. */
export const sqliteFileOf = (url: string): string | undefined => /^sqlite:(.+)$/s.exec(url)?.[1];

const isKnownDatabase = (url: string): boolean =>
  isPostgres(url) || sqliteFileOf(url) !== undefined;

/** Without the variable the token secrets encrypt; one that is there and empty is a mistake. */
function encryptionKeysOf(env: Environs): Pick<PaymentsOptions<unknown>, 'encryptionKeys'> {
  const keys = env['PAY_ENCRYPTION_KEY'];
  return keys === undefined ? {} : { encryptionKeys: listed(keys) };
}

/** Webhooks are taken unsigned unless the variable is there; one that is there and empty is a mistake. */
function webhookSecretsOf(env: Environs): Pick<PaymentsOptions<unknown>, 'webhookSecrets'> {
  const secrets = env['GATEWAY_WEBHOOK_SECRET'];
  return secrets === undefined ? {} : { webhookSecrets: listed(secrets) };
}

/** The shop's own code may give the rate instead. */
function checksPerSecondOf(env: Environs): Pick<PaymentsOptions<unknown>, 'checksPerSecond'> {
  const rate = numberOf(env['GATEWAY_CHECKS_PER_SECOND']);
  return rate === undefined ? {} : { checksPerSecond: rate };
}

/** Without the variable only this machine is given the details; one that is there and empty is a mistake. */
function healthTokenOf(env: Environs): Pick<PaymentsOptions<unknown>, 'health'> {
  const token = env['PAY_HEALTH_TOKEN']?.trim();
  return token === undefined ? {} : { health: { token } };
}

/** Without the variable there is no other front end; one that is there and empty is a mistake. */
function corsOf(env: Environs): Pick<PaymentsOptions<unknown>, 'cors'> {
  const origins = env['PAY_CORS_ORIGINS'];
  return origins === undefined ? {} : { cors: { origins: listed(origins) } };
}

function pageOriginsOf(env: Environs): Pick<GatewayClientOptions, 'pageOrigins'> {
  const origins = env['GATEWAY_PAGE_ORIGINS'];
  return origins === undefined ? {} : { pageOrigins: listed(origins) };
}

/** The name of the gateway profile's file; one that is there and empty names none. */
function profileOf(env: Environs): Pick<GatewayClientOptions, 'profile'> {
  const file = env['GATEWAY_PROFILE']?.trim() ?? '';
  return file === '' ? {} : { profile: file };
}

/** The portal credential is optional; half of one is a mistake. */
function portalOf(env: Environs, required: (name: string) => string): PortalSettings | undefined {
  const names = ['GATEWAY_PORTAL_USERNAME', 'GATEWAY_PORTAL_PASSWORD'] as const;
  if (names.every((name) => (env[name] ?? '').trim() === '')) return undefined;
  return { username: required(names[0]), password: required(names[1]) };
}

/**
 * A blank variable counts as not set. A text that is not a number becomes NaN, which the check of
 * the option refuses.
 */
const numberOf = (text = ''): number | undefined => (text.trim() === '' ? undefined : Number(text));

function missing(name: string): Finding {
  return {
    code: 'missing_setting',
    setting: name,
    what: `The environment variable ${name} is not set.`,
    why: 'Payments cannot start without it.',
    fix: `Set it. ${meanings[name] ?? ''}`,
    help: helpAddress('missing_setting'),
  };
}

/** The address may hold a password, so it is never quoted. */
const unsupported: Finding = {
  code: 'unsupported_database_url',
  setting: 'DATABASE_URL',
  what: 'DATABASE_URL must start with sqlite: or postgres://.',
  why: 'Payments are stored in SQLite or in PostgreSQL.',
  fix: 'Set sqlite:FILE, such as sqlite:.data/payments.db, or postgres://name:password@host/database.',
  help: helpAddress('unsupported_database_url'),
};

/** The parts of a variable; a list of the shop's own code stays as it is. */
const listed = (value: string | readonly string[]): readonly string[] =>
  typeof value === 'string' ? value.split(',').map((part) => part.trim()) : value;
