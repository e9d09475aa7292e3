import { randomBytes } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import type { Environs } from '@pay-button/server-helper';
import { bugIds, readBug } from '../qa/bugs.ts';

/** A setting that the shop cannot start with. The message says what, why and how to fix it. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

/** How one shop process runs, read from the environment once. */
export type Settings = ReturnType<typeof readSettings>;

/**
 * Reads the shop's settings. An empty variable counts as absent.
 *
 * @throws {@link SettingError} for the first one that cannot be used.
 */
export function readSettings(env: Environs) {
  const given = (name: string) => env[name] || undefined;
  const host = given('HOST') ?? '127.0.0.1';
  const databaseUrl = given('DATABASE_URL') ?? 'sqlite:.data/shop.db';
  const sqliteFile = readSqliteFile(databaseUrl);
  return {
    /** The variables of the kit and its gateway, which the kit itself reads and checks. */
    kit: env,
    /** 0 picks a free one. */
    port: readPort('PORT', given('PORT') ?? '3000'),
    host,
    /** Absent: `http://localhost:` and the real port. Without a slash at the end. */
    publicUrl: readPublicUrl(given('PUBLIC_URL')),
    databaseUrl,
    /** Absent: the database is PostgreSQL. */
    sqliteFile,
    /** The folder of the token secret and the sandbox's journal. */
    dataFolder: resolve(dataFolderOf(sqliteFile)),
    adminToken: readAdminToken(given('DEMO_ADMIN_TOKEN'), host),
    /** 0 picks a free one. */
    sandboxPort: readPort('SANDBOX_PORT', given('SANDBOX_PORT') ?? '4010'),
    /** The bug of every order, for testers; only with the sandbox. */
    bug: readBugSetting(given('DEMO_BUG'), given('GATEWAY_BASE_URL')),
  };
}

function readPort(name: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new SettingError(
    `${name} is not a port: it must be a whole number from 0 to 65535, where 0 picks a free one. Set ${name}=3000, for example.`,
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

/**
 * The file of `sqlite:FILE`, and none for `postgres://…`. An address may hold a password, so it is never
 * repeated.
 */
function readSqliteFile(databaseUrl: string): string | undefined {
  const file = /^sqlite:((?!\/\/|:).+)$/.exec(databaseUrl)?.[1];
  const isPostgres = /^postgres(?:ql)?:\/\//.test(databaseUrl) && URL.canParse(databaseUrl);
  if (file !== undefined || isPostgres) return file;
  throw new SettingError(
    'DATABASE_URL names no database that this shop can use. Set DATABASE_URL=sqlite:.data/shop.db or DATABASE_URL=postgres://user:password@host/database.',
  );
}

/**
 * The folder for data outside the database: beside a SQLite file that has a folder of its own, else
 * `.data`, so that no secret lands beside source files.
 */
function dataFolderOf(sqliteFile = ''): string {
  const folder = dirname(sqliteFile);
  return folder === '.' ? '.data' : folder;
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

function readBugSetting(text: string | undefined, gateway: string | undefined) {
  const bug = readBug(text);
  if (bug !== undefined && gateway !== undefined) {
    throw new SettingError(
      'DEMO_BUG is for the sandbox only: a bug must not reach a real gateway. Leave out DEMO_BUG or GATEWAY_BASE_URL.',
    );
  }
  if (text === undefined || bug !== undefined) return bug;
  throw new SettingError(
    `DEMO_BUG is no bug of this shop: it turns on one of ${bugIds.join(', ')}. Leave it out for a shop without bugs.`,
  );
}
