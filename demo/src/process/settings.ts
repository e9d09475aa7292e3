import { randomBytes } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import type { Environment } from '@pay-button/server-helper';
import { type BugId, bugs, readBug } from '../bugs/bugs.ts';

/** A setting that the shop cannot start with. The message says what, why and how to fix it. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

/** How one shop process runs, read from the environment once. */
export interface Settings {
  /** 0 picks a free one. */
  readonly port: number;
  readonly host: string;
  /** Absent: `http://localhost:` and the real port. Without a slash at the end. */
  readonly publicUrl: string | undefined;
  readonly database: DatabaseSettings;
  /** The folder of the token secret and the sandbox's journal. */
  readonly dataFolder: string;
  /** Absent: made once and stored in {@link Settings.dataFolder}. */
  readonly tokenSecret: string | undefined;
  readonly adminToken: string;
  /** A gateway outside this process; absent: this process starts the sandbox. */
  readonly gateway: GatewaySettings | undefined;
  /** 0 picks a free one. */
  readonly sandboxPort: number;
  /** The bug of every order, for testers; only with the sandbox. */
  readonly bug: BugId | undefined;
}

const SECRET_LENGTH = 32;

/** Environment variables as `process.env` has them. An empty one counts as absent. */
type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads the shop's settings.
 *
 * @throws {@link SettingError} for the first one that cannot be used.
 */
export function readSettings(env: Variables): Settings {
  const given = (name: string) => env[name] || undefined;
  const gateway = readGateway(given);
  const host = given('HOST') ?? '127.0.0.1';
  const database = readDatabaseUrl(given('DATABASE_URL') ?? 'sqlite:.data/shop.db');
  return {
    port: readPort('PORT', given('PORT') ?? '3000'),
    host,
    publicUrl: readPublicUrl(given('PUBLIC_URL')),
    database,
    dataFolder: resolve(dataFolderOf(database)),
    tokenSecret: readTokenSecret(given('PAY_TOKEN_SECRET')),
    adminToken: readAdminToken(given('DEMO_ADMIN_TOKEN'), host),
    gateway,
    sandboxPort: readPort('SANDBOX_PORT', given('SANDBOX_PORT') ?? '4010'),
    bug: readBugSetting(given('DEMO_BUG'), gateway),
  };
}

function readPort(name: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new SettingError(
    `${name} is not a port: it must be a whole number from 0 to 65535, where 0 picks a free one. Set ${name}=3000, for example.`,
  );
}

function readBugSetting(
  text: string | undefined,
  gateway: GatewaySettings | undefined,
): BugId | undefined {
  const bug = readBug(text);
  if (bug !== undefined && gateway !== undefined) {
    throw new SettingError(
      'DEMO_BUG is for the sandbox only: a bug must not reach a real gateway. Leave out DEMO_BUG or GATEWAY_BASE_URL.',
    );
  }
  if (text === undefined || bug !== undefined) return bug;
  throw new SettingError(
    `DEMO_BUG is no bug of this shop: it turns on one of ${bugs.map(({ id }) => id).join(', ')}. Leave it out for a shop without bugs.`,
  );
}

function readPublicUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/') return url.origin;
  throw new SettingError(
    'PUBLIC_URL is not the address of a shop: it must be http(s) without a path, since the pages live at the root. Set PUBLIC_URL=https://shop.example, for example.',
  );
}

function readTokenSecret(text: string | undefined): string | undefined {
  if (text === undefined || text.length >= SECRET_LENGTH) return text;
  throw new SettingError(
    `PAY_TOKEN_SECRET is too short: it signs the addresses that shoppers return to, so it needs ${SECRET_LENGTH} characters or more. Make one with "openssl rand -base64 32".`,
  );
}

const ADMIN_TOKEN_LENGTH = 16;

/** A shop that other machines reach is not opened by a word that they can guess. */
function readAdminToken(text: string | undefined, host: string): string {
  if (text === undefined) return randomBytes(18).toString('base64url');
  const isAlone = host === 'localhost' || host === '::1' || host.startsWith('127.');
  if (isAlone || text.length >= ADMIN_TOKEN_LENGTH) return text;
  throw new SettingError(
    `DEMO_ADMIN_TOKEN is too short for a shop that other machines reach: it opens refunds, so it needs ${ADMIN_TOKEN_LENGTH} characters or more. Make one with "openssl rand -base64 18", or leave out HOST.`,
  );
}

/** Which database the shop uses, from `DATABASE_URL`. */
type DatabaseSettings =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string };

/**
 * Reads `sqlite:FILE` or `postgres://…`.
 *
 * @throws {@link SettingError} for every other form; the address may hold a password, so it is
 * never repeated.
 */
function readDatabaseUrl(text: string): DatabaseSettings {
  const file = /^sqlite:(?!\/\/)(.+)$/.exec(text)?.[1];
  if (file !== undefined && !file.startsWith(':')) return { kind: 'sqlite', file };
  if (/^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text)) {
    return { kind: 'postgres', url: text };
  }
  throw new SettingError(
    'DATABASE_URL names no database that this shop can use. Set DATABASE_URL=sqlite:.data/shop.db or DATABASE_URL=postgres://user:password@host/database.',
  );
}

/**
 * The folder for data outside the database: beside a SQLite file that has a folder of its own, else
 * `.data`, so that no secret lands beside source files.
 */
function dataFolderOf(database: DatabaseSettings): string {
  const folder = database.kind === 'sqlite' ? dirname(database.file) : '.';
  return folder === '.' ? '.data' : folder;
}

/** A gateway outside this process. */
interface GatewaySettings {
  readonly environment: Environment;
  readonly baseUrl: string;
  /** Several while keys are rotated; the first is tried first. */
  readonly apiKey: readonly string[];
  /** The merchant portal's login; absent: its resources cannot be used. */
  readonly portal?: { readonly username: string; readonly password: string };
}

/**
 * Reads `GATEWAY_BASE_URL`, `GATEWAY_ENVIRONMENT`, `GATEWAY_API_KEY` and the portal's login.
 *
 * @returns `undefined` when no gateway is named: the shop then starts the sandbox.
 * @throws {@link SettingError} when a gateway is named without what it takes to talk to it.
 */
function readGateway(given: (name: string) => string | undefined): GatewaySettings | undefined {
  const baseUrl = given('GATEWAY_BASE_URL');
  if (baseUrl === undefined) return undefined;
  if (!URL.canParse(baseUrl)) {
    throw new SettingError(
      'GATEWAY_BASE_URL is not an address: it must be http(s) and end in /v1. Leave it out to use the sandbox.',
    );
  }
  const apiKey = (given('GATEWAY_API_KEY') ?? '').split(',').map((key) => key.trim());
  if (apiKey.includes('')) {
    throw new SettingError(
      'GATEWAY_API_KEY is missing: GATEWAY_BASE_URL names a gateway, and it answers only to a merchant’s key. Take the key from its dashboard under Settings, API Credentials.',
    );
  }
  return {
    environment: readEnvironment(given('GATEWAY_ENVIRONMENT') ?? 'staging'),
    baseUrl,
    apiKey,
    ...readPortal(given('GATEWAY_PORTAL_USERNAME'), given('GATEWAY_PORTAL_PASSWORD')),
  };
}

function readPortal(
  username: string | undefined,
  password: string | undefined,
): Pick<GatewaySettings, 'portal'> {
  if (username === undefined && password === undefined) return {};
  if (username !== undefined && password !== undefined) return { portal: { username, password } };
  throw new SettingError(
    'GATEWAY_PORTAL_USERNAME and GATEWAY_PORTAL_PASSWORD go together: the portal asks for both. Set the other one too, or neither.',
  );
}

function readEnvironment(text: string): Environment {
  if (text === 'staging' || text === 'production') return text;
  throw new SettingError(
    'GATEWAY_ENVIRONMENT is unknown: keys belong to one environment, so it must be "staging" or "production".',
  );
}
