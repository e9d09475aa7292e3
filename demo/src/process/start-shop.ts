import { createServer, type RequestListener, type Server } from 'node:http';
import { sqliteShopDatabase } from '../database/sqlite-shop-database.ts';
import type { Warn } from '../http/warn.ts';
import { createShop } from '../server.ts';
import { openGateway } from './gateway-access.ts';
import { listen } from './listen.ts';
import type { Settings } from './settings.ts';
import { keptTokenSecret } from './token-secret.ts';

/** How long requests under way may take to end when the shop stops. */
const DRAIN_MS = 7_000;

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
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) await closer();
  };
  try {
    const tokenSecret = settings.tokenSecret ?? keptTokenSecret(settings.dataFolder);
    const database = sqliteShopDatabase(settings.database.file);
    closers.push(() => database.close());
    await database.open();
    const gateway = await openGateway(settings);
    closers.push(() => gateway.close());

    // The shop's own address needs the real port, so the port comes first and the shop after it.
    let open: (app: RequestListener) => void = () => undefined;
    const opened = new Promise<RequestListener>((resolve) => {
      open = resolve;
    });
    const server = createServer((request, response) => {
      void opened.then((app) => app(request, response));
    });
    const port = await listen(server, settings.port, settings.host);
    const publicUrl = settings.publicUrl ?? `http://localhost:${port}`;
    let endPayments = async (): Promise<void> => undefined;
    closers.push(() => endPayments());
    closers.push(() => drain(server));
    const { app, payments } = createShop({
      database,
      gateway: gateway.options,
      publicUrl,
      tokenSecret,
      gatewayOrigins: gateway.pageOrigins,
      showsTestCard: gateway.sandboxUrl !== null,
      warn,
    });
    endPayments = () => payments.close();
    open(app);

    const { sandboxUrl } = gateway;
    const inspector = sandboxUrl === null ? null : `${sandboxUrl}/_sandbox`;
    const { adminToken } = settings;
    return { addresses: { shop: publicUrl, sandbox: sandboxUrl, inspector, adminToken }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function drain(server: Server): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(cut);
}
