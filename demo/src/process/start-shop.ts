import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { postgresShopDatabase } from '../database/postgres-shop-database.ts';
import type { ShopDatabase } from '../database/shop-database.ts';
import { sqliteShopDatabase } from '../database/sqlite-shop-database.ts';
import type { Warn } from '../http/problem.ts';
import { storedClock } from '../qa/shop-clock.ts';
import { createShop } from '../server.ts';
import { openGateway } from './gateway-access.ts';
import { openHttpServer, ownName } from './http-server.ts';
import { SettingError, type Settings } from './settings.ts';

/** A shop that takes orders. */
export interface RunningShop {
  /** What the `ready` line says. */
  readonly addresses: {
    readonly shop: string;
    readonly sandbox: string | null;
    readonly inspector: string | null;
    readonly adminToken: string;
  };
  /** The port that the shop listens on. */
  readonly port: number;
  /** Takes no new requests, ends those under way, and lets go of everything. */
  close(): Promise<void>;
}

/**
 * Starts the shop and, unless another gateway is named, the sandbox.
 *
 * @throws {@link SettingError} or the helper's `ConfigurationError` when the settings do not work.
 */
export async function startShop(settings: Settings, warn: Warn): Promise<RunningShop> {
  const { database } = settings;
  return database.kind === 'sqlite'
    ? startOn(openFile(database.file), settings, warn)
    : startOn(postgresShopDatabase(database.url, warn), settings, warn);
}

async function startOn<Tx>(
  database: ShopDatabase<Tx>,
  settings: Settings,
  warn: Warn,
): Promise<RunningShop> {
  const opened: (() => Promise<void>)[] = [() => database.close()];
  const close = async () => {
    for (const closeOne of opened.splice(0).toReversed()) await closeOne();
  };
  try {
    const tokenSecret = settings.tokenSecret ?? readTokenSecret(settings.dataFolder);
    await openDatabase(database);
    const gateway = await openGateway(settings);
    opened.push(() => gateway.close());
    // The shop needs its own address, and with it the real port, so the server listens first.
    const server = await openHttpServer(settings.port, settings.host);
    const closeServer = () => server.close();
    opened.push(closeServer);
    const publicUrl = settings.publicUrl ?? `http://localhost:${server.port}`;
    const { sandbox } = gateway;
    const clock = sandbox && (await storedClock(sandbox.control, settings.dataFolder));
    const shop = createShop({
      database,
      gateway: gateway.options,
      publicUrl,
      tokenSecret,
      adminToken: settings.adminToken,
      gatewayOrigins: gateway.pageOrigins,
      qa: sandbox &&
        clock && {
          sandboxUrl: sandbox.url,
          control: sandbox.control,
          apiKey: sandbox.apiKey,
          clock,
          webhookUrl: `http://${ownName(settings.host)}:${server.port}/pay/webhook`,
          bug: settings.bug,
        },
      warn,
    });
    // Requests under way still need the payments, so the payments close after the server.
    opened.splice(opened.indexOf(closeServer), 0, () => shop.close());
    server.serve(shop.app);
    await shop.start();
    const sandboxUrl = sandbox === null ? null : sandbox.url;
    const inspector = sandboxUrl === null ? null : `${sandboxUrl}/_sandbox`;
    const { adminToken } = settings;
    return {
      addresses: { shop: publicUrl, sandbox: sandboxUrl, inspector, adminToken },
      port: server.port,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function openFile(file: string): ReturnType<typeof sqliteShopDatabase> {
  try {
    return sqliteShopDatabase(file);
  } catch (error) {
    throw unusable('The database file', error);
  }
}

async function openDatabase(database: Pick<ShopDatabase<never>, 'open'>): Promise<void> {
  try {
    await database.open();
  } catch (error) {
    throw unusable('The database', error);
  }
}

function readTokenSecret(folder: string): string {
  try {
    return storedTokenSecret(folder);
  } catch (error) {
    throw error instanceof SettingError
      ? error
      : unusable('The folder for the token secret', error);
  }
}

function unusable(what: string, error: unknown): SettingError {
  return new SettingError(
    `${what} cannot be used: ${describe(error)}. Check that it is there and writable, and that DATABASE_URL names it rightly.`,
    { cause: error },
  );
}

/** A database's own words about a failure hold no password; its code is the last resort. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'it gave no reason';
  return error.message || ('code' in error ? String(error.code) : error.name);
}

/**
 * The secret that signs return addresses, made once per data folder and readable by its owner only.
 * It outlives a restart, so a shopper who is at the gateway meanwhile still finds the way back.
 *
 * @throws {@link SettingError} when the stored file holds no secret any more.
 */
function storedTokenSecret(dataFolder: string): string {
  const file = join(dataFolder, 'token-secret');
  mkdirSync(dataFolder, { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600 });
  try {
    // A link appears whole or not at all, and never replaces what another process made first.
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(draft);
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length >= 32) return secret;
  throw new SettingError(
    `${file} holds no token secret: it was cut or emptied. Remove the file to get a new one; payment links that are open now then lead to a 404.`,
  );
}
