import { postgresShopDatabase } from '../database/postgres-shop-database.ts';
import type { ShopDatabase } from '../database/shop-database.ts';
import { sqliteShopDatabase } from '../database/sqlite-shop-database.ts';
import type { Warn } from '../http/warn.ts';
import { createShop } from '../server.ts';
import { openGateway } from './gateway-access.ts';
import { openDependencies } from './door.ts';
import { SettingError } from './setting-error.ts';
import { keptClock } from './kept-clock.ts';
import { ownName } from './own-name.ts';
import type { Settings } from './settings.ts';
import { keptTokenSecret } from './token-secret.ts';

/** A shop that takes orders. */
export interface RunningShop {
  /** What the `ready` line says. */
  readonly addresses: {
    readonly shop: string;
    readonly sandbox: string | null;
    readonly inspector: string | null;
    readonly adminToken: string;
  };
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
    const tokenSecret = settings.tokenSecret ?? keepTokenSecret(settings.dataFolder);
    await openDatabase(database);
    const gateway = await openGateway(settings);
    opened.push(() => gateway.close());
    // The shop needs its own address, and with it the real port, so it moves in after the door opens.
    const door = await openDependencies(settings.port, settings.host);
    const closeDependencies = () => door.close();
    opened.push(closeDependencies);
    const publicUrl = settings.publicUrl ?? `http://localhost:${door.port}`;
    const { sandbox } = gateway;
    const clock = sandbox && (await keptClock(sandbox.control, settings.dataFolder));
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
          webhookUrl: `http://${ownName(settings.host)}:${door.port}/pay/webhook`,
          bug: settings.bug,
        },
      warn,
    });
    // Requests under way still need the payments, so those close after the door.
    opened.splice(opened.indexOf(closeDependencies), 0, () => shop.close());
    door.letIn(shop.app);
    await shop.start();
    const sandboxUrl = sandbox === null ? null : sandbox.url;
    const inspector = sandboxUrl === null ? null : `${sandboxUrl}/_sandbox`;
    const { adminToken } = settings;
    return { addresses: { shop: publicUrl, sandbox: sandboxUrl, inspector, adminToken }, close };
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

function keepTokenSecret(folder: string): string {
  try {
    return keptTokenSecret(folder);
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
