import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Warn } from '../http.ts';
import { storedClock } from '../qa/shop-clock.ts';
import { type BuiltShop, createShop } from '../server.ts';
import { postgresShopDatabase, type ShopDatabase, sqliteShopDatabase } from '../shop/database.ts';
import { textsIn } from '../texts/shop.ts';
import { SettingError, type Settings } from './settings.ts';

/** A shop that takes orders. */
export type RunningShop = Awaited<ReturnType<typeof startShop>>;

/**
 * Starts the shop and, unless another gateway is named, the sandbox.
 *
 * @throws {@link SettingError} or the helper's `ConfigurationError` when the settings do not work.
 */
export async function startShop(settings: Settings, warn: Warn) {
  const { databaseUrl, sqliteFile } = settings;
  if (sqliteFile === undefined) {
    return startOn(postgresShopDatabase(databaseUrl, warn), settings, warn);
  }
  const open = () => sqliteShopDatabase(sqliteFile);
  return startOn(await usable('The database file', open), settings, warn);
}

async function startOn<Tx>(database: ShopDatabase<Tx>, settings: Settings, warn: Warn) {
  const { dataFolder, adminToken, host, bug } = settings;
  const opened: (() => Promise<void> | undefined)[] = [() => database.close()];
  const close = async () => {
    for (const closeOne of opened.splice(0).toReversed()) await closeOne();
  };
  try {
    const secret = await usable('The folder for the token secret', () => tokenSecretOf(settings));
    await usable('The database', () => database.open());
    const { env, pageOrigins, sandbox } = await openGateway(settings);
    opened.push(async () => sandbox?.close());
    // Requests under way still need the payments, so the payments close after the server.
    let shop: BuiltShop | undefined;
    opened.push(() => shop?.close());
    // The shop needs its own address, and with it the real port, so the server listens first.
    const server = await openHttpServer(settings.port, host);
    opened.push(() => server.close());
    const publicUrl = settings.publicUrl ?? `http://localhost:${server.port}`;
    const webhookUrl = `http://${ownName(host)}:${server.port}/pay/webhook`;
    const clock = sandbox && (await storedClock(sandbox.control, dataFolder));
    shop = createShop({
      database,
      env: { ...env, PUBLIC_URL: publicUrl, PAY_TOKEN_SECRET: secret },
      publicUrl,
      gatewayOrigins: pageOrigins,
      adminToken,
      qa: sandbox && clock && { sandbox, clock, webhookUrl, bug },
      warn,
    });
    server.serve(shop.app);
    await shop.start();
    const sandboxUrl = sandbox && sandbox.url;
    const inspector = sandboxUrl && `${sandboxUrl}/_sandbox`;
    return {
      /** What the `ready` line says. */
      addresses: { shop: publicUrl, sandbox: sandboxUrl, inspector, adminToken },
      /** The port that the shop listens on. */
      port: server.port,
      /** Takes no new requests, ends those under way, and lets go of everything. */
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Does a part of the start, and says of a failure what cannot be used. */
async function usable<Made>(what: string, work: () => Made | Promise<Made>): Promise<Made> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SettingError) throw error;
    // A database's own words about a failure hold no password; its code is the last resort.
    const { message, code } = error as NodeJS.ErrnoException;
    throw new SettingError(
      `${what} cannot be used: ${message || code}. Check that it is there and writable, and that DATABASE_URL names it rightly.`,
      { cause: error },
    );
  }
}

/**
 * The secret that signs return addresses: the setting, or one that is made once per data folder and
 * readable by its owner only. It outlives a restart, so a shopper who is at the gateway meanwhile still
 * finds the way back.
 */
function tokenSecretOf({ kit, dataFolder }: Settings): string {
  if (kit.PAY_TOKEN_SECRET) return kit.PAY_TOKEN_SECRET;
  const file = join(dataFolder, 'token-secret');
  mkdirSync(dataFolder, { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600 });
  try {
    // A link appears whole or not at all, and never replaces what another process made first.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length >= 32) return secret;
  throw new SettingError(
    `${file} holds no token secret: it was cut or emptied. Remove the file to get a new one; payment links that are open now then lead to a 404.`,
  );
}

/**
 * Takes the gateway that the settings name, or starts the sandbox: the kit's variables that lead to it,
 * and the origins of its pages, as `form-action` sources.
 */
async function openGateway({ kit, sandboxPort, dataFolder }: Settings) {
  if (kit.GATEWAY_BASE_URL) {
    const own = URL.parse(kit.GATEWAY_BASE_URL)?.origin ?? '';
    // A gateway may show its pages on another host than its API; only that they are https is known.
    return { env: kit, pageOrigins: [own, 'https:'], sandbox: null };
  }
  // Loaded only here: a shop with a real gateway has no stand-in in its memory.
  const { SandboxError, startSandbox } = await import('@pay-button/gateway-sandbox');
  try {
    const data = join(dataFolder, 'sandbox');
    const merchant = { en: textsIn.en.shopName, ar: textsIn.ar.shopName };
    const sandbox = await startSandbox({ port: sandboxPort, data, merchant });
    const ofTheShop = Object.entries(kit).filter(([name]) => !name.startsWith('GATEWAY_'));
    const env = {
      ...Object.fromEntries(ofTheShop),
      GATEWAY_ENVIRONMENT: 'staging',
      GATEWAY_BASE_URL: sandbox.baseUrl,
      GATEWAY_API_KEY: sandbox.apiKey,
      GATEWAY_PORTAL_USERNAME: sandbox.portal.username,
      GATEWAY_PORTAL_PASSWORD: sandbox.portal.password,
    };
    return { env, pageOrigins: [new URL(sandbox.url).origin], sandbox };
  } catch (error) {
    const isSandboxs = error instanceof SandboxError;
    if (!isSandboxs || error.code === 'port_busy') {
      throw portError(isSandboxs ? error.cause : error, 'SANDBOX_PORT', sandboxPort);
    }
    throw new SettingError(
      `The sandbox cannot start: ${error.message} Its data folder is that of DATABASE_URL=sqlite:folder/shop.db, else .data. A shop with GATEWAY_BASE_URL and GATEWAY_API_KEY starts none.`,
      { cause: error },
    );
  }
}

/** How long requests under way may take to end when the shop stops. */
const DRAIN_MS = 7_000;

/** How long a client may take, so that slow ones do not use up the connections. */
const TIME_OUTS: ServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 65_000,
};

/**
 * Opens a port. Requests wait until `serve` has given them an app.
 *
 * @throws {@link SettingError} when the system refuses.
 */
export async function openHttpServer(port: number, host: string, timeOuts = TIME_OUTS) {
  let serve: (app: RequestListener) => void = () => undefined;
  const handed = new Promise<RequestListener>((resolve) => {
    serve = resolve;
  });
  const server = createServer(timeOuts, (request, response) => {
    void handed.then((app) => app(request, response));
  });
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    throw portError(error, 'PORT', port);
  }
  const close = async (): Promise<void> => {
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    await once(server.close(), 'close');
    clearTimeout(cut);
  };
  // The real port, also when 0 asked for any.
  return { port: (server.address() as AddressInfo).port, serve, close };
}

const NO_SUCH_HOST = 'This machine has no such address. Set HOST to one it has, such as 127.0.0.1.';

/** What to do about each reason why a port cannot be opened. */
const remedies: Readonly<Record<string, (setting: string, port: number) => string>> = {
  EADDRINUSE: (setting, port) =>
    `Port ${port} cannot be opened: another program listens there. End it, or choose another port (${setting}=0 picks a free one).`,
  EACCES: (setting, port) =>
    `Port ${port} cannot be opened: this account may not open it. Choose a port above 1023 (${setting}=0 picks a free one).`,
  EADDRNOTAVAIL: () => NO_SUCH_HOST,
  ENOTFOUND: () => NO_SUCH_HOST,
  EAI_AGAIN: () => NO_SUCH_HOST,
};

/** Says what to do about an error of a port; other errors stay as they are. */
function portError(error: unknown, setting: string, port: number): unknown {
  const remedy = remedies[(error as NodeJS.ErrnoException).code ?? ''];
  return remedy === undefined ? error : new SettingError(remedy(setting, port), { cause: error });
}

/** A name by which this machine reaches its own server, for an address. */
function ownName(host: string): string {
  if (host === '0.0.0.0' || host === '') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
