import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '@pay-button/gateway-sandbox';
import type { Environs } from '@pay-button/server-helper';
import type { Warn } from '../http/problem.ts';
import { storedClock } from '../qa/shop-clock.ts';
import { type BuiltShop, createShop } from '../server.ts';
import { postgresShopDatabase, type ShopDatabase, sqliteShopDatabase } from '../shop/database.ts';
import { textsIn } from '../texts/shop.ts';
import { openHttpServer, ownName, portError } from './http-server.ts';
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
  if (database.kind === 'postgres') {
    return startOn(postgresShopDatabase(database.url, warn), settings, warn);
  }
  const open = () => sqliteShopDatabase(database.file);
  return startOn(await usable('The database file', open), settings, warn);
}

async function startOn<Tx>(
  database: ShopDatabase<Tx>,
  settings: Settings,
  warn: Warn,
): Promise<RunningShop> {
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
    const addresses = { shop: publicUrl, sandbox: sandboxUrl, inspector, adminToken };
    return { addresses, port: server.port, close };
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
    throw new SettingError(
      `${what} cannot be used: ${describe(error)}. Check that it is there and writable, and that DATABASE_URL names it rightly.`,
      { cause: error },
    );
  }
}

/** A database's own words about a failure hold no password; its code is the last resort. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'it gave no reason';
  return error.message || ('code' in error ? String(error.code) : error.name);
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

/** The gateway that the shop talks to. */
interface GatewayAccess {
  /** The kit's variables that lead to it. */
  readonly env: Environs;
  /** Origins of its pages, as `form-action` sources. */
  readonly pageOrigins: readonly string[];
  /** `null` when this process started none. */
  readonly sandbox: Sandbox | null;
}

/** Takes the gateway that the settings name, or starts the sandbox. */
async function openGateway({ kit, sandboxPort, dataFolder }: Settings): Promise<GatewayAccess> {
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
    if (!(error instanceof SandboxError)) throw portError(error, 'SANDBOX_PORT', sandboxPort);
    if (error.code === 'port_busy') throw portError(error.cause, 'SANDBOX_PORT', sandboxPort);
    throw new SettingError(
      `The sandbox cannot start: ${error.message} A shop with GATEWAY_BASE_URL and GATEWAY_API_KEY starts none.`,
      { cause: error },
    );
  }
}
