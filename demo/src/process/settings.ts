import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { type BugId, bugs, readBug } from '../bugs/bugs.ts';
import { dataFolderOf, type DatabaseSettings, readDatabaseUrl } from './database-settings.ts';
import { type GatewaySettings, readGateway } from './gateway-settings.ts';
import { SettingError } from './setting-error.ts';

/** How one shop process runs, read from the environment once. */
export interface Settings {
  /** 0 picks a free one. */
  readonly port: number;
  readonly host: string;
  /** Absent: `http://localhost:` and the real port. Without a slash at the end. */
  readonly publicUrl: string | undefined;
  readonly database: DatabaseSettings;
  /** Where the token secret and the sandbox's journal are kept. */
  readonly dataFolder: string;
  /** Absent: made once and kept in {@link Settings.dataFolder}. */
  readonly tokenSecret: string | undefined;
  readonly adminToken: string;
  /** Somebody else's gateway; absent: this process starts the sandbox. */
  readonly gateway: GatewaySettings | undefined;
  /** 0 picks a free one. */
  readonly sandboxPort: number;
  /** The bug of every order, for testers; only with the sandbox. */
  readonly bug: BugId | undefined;
}

const SECRET_LENGTH = 32;

/** Environment variables as `process.env` has them. An empty one counts as absent. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the shop's settings.
 *
 * @throws {@link SettingError} for the first one that cannot be used.
 */
export function readSettings(env: Environment): Settings {
  const given = (name: string) => env[name] || undefined;
  const gateway = readGateway(given);
  const database = readDatabaseUrl(given('DATABASE_URL') ?? 'sqlite:.data/shop.db');
  return {
    port: readPort('PORT', given('PORT') ?? '3000'),
    host: given('HOST') ?? '127.0.0.1',
    publicUrl: readPublicUrl(given('PUBLIC_URL')),
    database,
    dataFolder: resolve(dataFolderOf(database)),
    tokenSecret: readTokenSecret(given('PAY_TOKEN_SECRET')),
    adminToken: given('DEMO_ADMIN_TOKEN') ?? randomBytes(18).toString('base64url'),
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
      'DEMO_BUG is for the sandbox only: no bug is let loose on a gateway. Leave out DEMO_BUG or GATEWAY_BASE_URL.',
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
