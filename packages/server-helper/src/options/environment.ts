import { ConfigurationError, type Finding } from '../errors.ts';
import { type Environment, uncheckedCertificates } from '../gateway/settings.ts';
import type { GatewayClientOptions } from '../gateway/gateway-client.ts';
import type { PaymentsOptions } from './payments-options.ts';
import { field, filled, must, type Rule } from '../option-rules.ts';
import { MAKE_A_SECRET } from './secrets.ts';

/**
 * The variables of the environment that `paymentsFromEnv` reads. One that is set wins over the same
 * option. Lists are separated by commas.
 */
export interface Environs {
  readonly [name: string]: string | undefined;
  /** `gateway.environment`: `staging`, which the sandbox is too, or `production`. Required. */
  readonly GATEWAY_ENVIRONMENT?: string | undefined;
  /** `gateway.baseUrl`: the gateway's address, which ends in `/v1`. Required. */
  readonly GATEWAY_BASE_URL?: string | undefined;
  /** `gateway.apiKey`: a list, so that keys can be replaced. Required. */
  readonly GATEWAY_API_KEY?: string | undefined;
  /** `gateway.portal.username`; set with `GATEWAY_PORTAL_PASSWORD` or not at all. */
  readonly GATEWAY_PORTAL_USERNAME?: string | undefined;
  /** `gateway.portal.password`; set with `GATEWAY_PORTAL_USERNAME` or not at all. */
  readonly GATEWAY_PORTAL_PASSWORD?: string | undefined;
  /** `gateway.connections`: a number. */
  readonly GATEWAY_CONNECTIONS?: string | undefined;
  /** `gateway.pageOrigins`: a list of where hosted pages may be. */
  readonly GATEWAY_PAGE_ORIGINS?: string | undefined;
  /** `gateway.profile`: the name of a JSON file with the gateway's readings. */
  readonly GATEWAY_PROFILE?: string | undefined;
  /** `checksPerSecond`: a number. */
  readonly GATEWAY_CHECKS_PER_SECOND?: string | undefined;
  /** `webhookSecrets`: a list. */
  readonly GATEWAY_WEBHOOK_SECRET?: string | undefined;
  /** `publicUrl`: the shop's address as shoppers see it, such as `https://shop.example`. Required. */
  readonly PUBLIC_URL?: string | undefined;
  /** `tokenSecrets`: a list, so that secrets can be replaced. Required. */
  readonly PAY_TOKEN_SECRET?: string | undefined;
  /** `encryptionKeys`: a list. */
  readonly PAY_ENCRYPTION_KEY?: string | undefined;
  /** `health.token`. */
  readonly PAY_HEALTH_TOKEN?: string | undefined;
  /** `cors.origins`: a list. */
  readonly PAY_CORS_ORIGINS?: string | undefined;
  /**
   * The store: `sqlite:FILE`, `postgres://…` (package `pg`), `mysql://…` (`mysql2`). The option `store` wins
   * over it. Outside production the default is `sqlite:.data/payments.db`, which a line of the log says.
   */
  readonly DATABASE_URL?: string | undefined;
}

/** The settings of the environment, and the findings before their values are checked. */
export type EnvironmentSettings = ReturnType<typeof readEnvironment>;

/** Settings that the shop's own code gives; a variable of the environment wins over each. */
export interface GivenSettings extends Partial<
  Pick<
    PaymentsOptions<unknown>,
    'publicUrl' | 'tokenSecrets' | 'encryptionKeys' | 'health' | 'cors'
  >
> {
  readonly gateway?: Partial<GatewayClientOptions> | undefined;
  readonly store?: unknown;
}

/** Reads the settings; one that neither place has is a finding and an empty text. */
export function readEnvironment(env: Environs, given: GivenSettings = {}) {
  const findings = misspelt(env);
  const textOf = (name: string): string => env[name]?.trim() ?? '';
  const required = (name: string): string => {
    if (textOf(name) === '') findings.push(...missing(name));
    return textOf(name);
  };
  const either = <T extends string | readonly string[]>(name: string, own: T | undefined) =>
    own === undefined || textOf(name) !== '' ? required(name) : own;
  // A blank one is left out. A text that is not a number becomes NaN, which the option's check refuses.
  const numberAt = (name: string) => (textOf(name) === '' ? undefined : Number(textOf(name)));
  // A list that is there and empty is a mistake, which the option's check refuses.
  const listAt = (name: string) => (env[name] === undefined ? undefined : listed(textOf(name)));
  const { gateway = {} } = given;
  const username = 'GATEWAY_PORTAL_USERNAME';
  const password = 'GATEWAY_PORTAL_PASSWORD';
  const hasPortal = textOf(username) !== '' || textOf(password) !== '';
  const origins = listAt('PAY_CORS_ORIGINS');
  const token = env['PAY_HEALTH_TOKEN']?.trim();
  const options = {
    gateway: {
      ...gateway,
      environment: either('GATEWAY_ENVIRONMENT', gateway.environment) as Environment,
      baseUrl: either('GATEWAY_BASE_URL', gateway.baseUrl),
      apiKey: listed(either('GATEWAY_API_KEY', gateway.apiKey)),
      portal: hasPortal
        ? { username: required(username), password: required(password) }
        : gateway.portal,
      connections: numberAt('GATEWAY_CONNECTIONS') ?? gateway.connections,
      pageOrigins: listAt('GATEWAY_PAGE_ORIGINS') ?? gateway.pageOrigins,
      profile: textOf('GATEWAY_PROFILE') || gateway.profile,
    },
    publicUrl: either('PUBLIC_URL', given.publicUrl),
    tokenSecrets: listed(either('PAY_TOKEN_SECRET', given.tokenSecrets)),
    ...filled({
      encryptionKeys: listAt('PAY_ENCRYPTION_KEY') ?? given.encryptionKeys,
      webhookSecrets: listAt('GATEWAY_WEBHOOK_SECRET'),
      checksPerSecond: numberAt('GATEWAY_CHECKS_PER_SECOND'),
      health: token === undefined ? given.health : { ...given.health, token },
      cors: origins ? { ...given.cors, origins } : given.cors,
    }),
  };
  const { environment } = options.gateway;
  const namesDatabase = textOf('DATABASE_URL') !== '';
  const databaseUrl = namesDatabase ? textOf('DATABASE_URL') : `sqlite:${DEFAULT_FILE}`;
  const isLasting = namesDatabase && databaseUrl !== 'sqlite::memory:';
  const isReadable = SERVER.test(databaseUrl) || sqliteFileOf(databaseUrl) !== undefined;
  if (!isReadable) findings.push(...unsupportedUrl().findings);
  findings.push(
    ...field(storeRule(environment, env))(isLasting ? databaseUrl : given.store, 'DATABASE_URL'),
    ...uncheckedCertificates(environment, env),
  );
  return { options, databaseUrl, namesDatabase, findings: findings as readonly Finding[] };
}

/** The parts of a variable; a list of the shop's own code stays as it is. */
const listed = (value: string | readonly string[]): readonly string[] =>
  typeof value === 'string' ? value.split(',').map((part) => part.trim()) : value;

/** Where payments are stored unless the shop says so, below the working directory. */
export const DEFAULT_FILE = '.data/payments.db';

/** Nobody may choose the default in production without a word. */
export const storeRule = (environment: Environment | undefined, env: Environs): Rule => {
  const isNode = env['NODE_ENV']?.trim().toLowerCase() === 'production';
  return must(
    (store) => store !== undefined || (environment !== 'production' && !isNode),
    `Nothing says where payments are stored for good, and ${isNode ? 'NODE_ENV' : 'the gateway’s environment'} is production.`,
    `The default, ${DEFAULT_FILE} below the working directory, may be gone after a deployment, and memory after a restart; no second machine reads either.`,
    'Set DATABASE_URL or the option store: postgres://name:password@host/database, the same with mysql://, or for one machine a file on a disk that stays, such as sqlite:/var/lib/shop/payments.db.',
    'missing_store',
  );
};

/** The file of `sqlite:FILE`, else `undefined`: others write `sqlite://FILE`, `sqlite:file:FILE` or quotes. */
export const sqliteFileOf = (url: string): string | undefined =>
  /^sqlite:(?!\/\/[^/]|file:|["'\s])(.+)$/s.exec(url)?.[1];

/** A server's address. Where a `/`, `?` or `#` of a password ended its name, an `@` is behind that. */
const SERVER = /^(?:postgres(?:ql)?|mysql):\/\/[^/?#]*(?:\/[^/?#@]*)?(?:\?[^#]*)?$/;

/** The address may hold a password, so it is never quoted. */
export const unsupportedUrl = (): ConfigurationError =>
  new ConfigurationError('unsupported_database_url', {
    setting: 'DATABASE_URL',
    what: 'DATABASE_URL must be sqlite:FILE, postgres://name:password@host/database or mysql://name:password@host/database.',
    why: 'Payments are stored in SQLite, in PostgreSQL, or in MySQL or MariaDB.',
    fix: 'Set one of them, such as sqlite:.data/payments.db, without //, file: or quotes before a file. In a name and a password write %2F for /, %3F for ?, %23 for # and %25 for %; the ssl of mysql:// is an object, such as ssl={"verifyIdentity":true}.',
  });

/** The option of each variable, and what is said of one that is missing. */
const variables: Readonly<Record<string, readonly [option: string, meaning?: string]>> = {
  GATEWAY_ENVIRONMENT: ['gateway.environment', 'It is "staging", a sandbox too, or "production".'],
  GATEWAY_BASE_URL: ['gateway.baseUrl', 'It is the gateway’s address, which ends in /v1.'],
  GATEWAY_API_KEY: ['gateway.apiKey', 'Take it from the dashboard: Settings, API Credentials.'],
  GATEWAY_PORTAL_USERNAME: ['', 'It goes with GATEWAY_PORTAL_PASSWORD: set both or neither.'],
  GATEWAY_PORTAL_PASSWORD: ['gateway.portal', 'The username goes with it: set both or neither.'],
  GATEWAY_CONNECTIONS: ['gateway.connections'],
  GATEWAY_PAGE_ORIGINS: ['gateway.pageOrigins'],
  GATEWAY_PROFILE: ['gateway.profile'],
  GATEWAY_CHECKS_PER_SECOND: ['checksPerSecond'],
  PUBLIC_URL: ['publicUrl', 'It is where shoppers see the shop, such as https://shop.example.'],
  PAY_TOKEN_SECRET: ['tokenSecrets', `Make one with: ${MAKE_A_SECRET}`],
  PAY_ENCRYPTION_KEY: ['encryptionKeys'],
  GATEWAY_WEBHOOK_SECRET: ['webhookSecrets'],
  PAY_HEALTH_TOKEN: ['health.token'],
  PAY_CORS_ORIGINS: ['cors.origins'],
};

/** Findings by the names of the variables, without those of variables that are missing anyway. */
export function inEnvironmentWords(settings: EnvironmentSettings, mistakes: readonly Finding[]) {
  const missingNames = new Set(settings.findings.map(({ setting }) => setting));
  const names = new Map(Object.entries(variables).map(([name, [option]]) => [option, name]));
  const named = mistakes.map((one) => ({ ...one, setting: names.get(one.setting) ?? one.setting }));
  return [...settings.findings, ...named.filter(({ setting }) => !missingNames.has(setting))];
}

/** Some names of lists are singular and others plural, so that either is written for the other, or in small letters. */
function misspelt(env: Environs): Finding[] {
  const stem = (name: string): string => name.toUpperCase().replaceAll(/S(?=_|$)/g, '');
  const names = new Map(Object.keys(variables).map((name) => [stem(name), name]));
  return Object.keys(env).flatMap((setting) => {
    const meant = names.get(stem(setting));
    if (meant === undefined || env[meant] !== undefined) return [];
    const what = `There is no variable ${setting}.`;
    const why = 'It would be left out without a word.';
    return field(() => ({ code: 'invalid_option', what, why, fix: `Write ${meant}.` }))(
      '',
      setting,
    );
  });
}

const missing = (name: string): readonly Finding[] =>
  field(() => ({
    code: 'missing_setting',
    what: `The environment variable ${name} is not set.`,
    why: 'Payments cannot start without it.',
    fix: `Set it. ${variables[name]?.[1] ?? ''}`,
  }))('', name);
