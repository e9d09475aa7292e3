import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from '../clock.ts';
import { carefulLogger, type Logger, silentLogger } from '../logger.ts';
import { Breaker } from './breaker.ts';
import { type Access, Caller, type Credential, type SendWith } from './call.ts';
import {
  type Environment,
  type PortalSettings,
  readClientSettings,
  refusalOfPage,
} from './settings.ts';
import { ApiKeys, PortalLogin } from './credentials.ts';
import { type ApiCredentialMethods, portalMethods, type SdkTokenMethods } from './portal.ts';
import { moneyMoveMethods, type MoneyMoveMethods } from './money-moves.ts';
import { paymentLinkMethods, type PaymentLinkMethods } from './payment-links.ts';
import { type SaleHash, saleMethods, type SaleMethods } from './sale.ts';
import { type Drift, DriftCounter } from './drift.ts';
import { GatewayError } from './gateway-error.ts';
import { changeOf, type GatewayProfile, namesIn } from './profile.ts';
import { statusMethods, type StatusMethods } from './status.ts';
import { poolTransport, type Transport } from './transport.ts';
import { webhookMethods, type WebhookMethods } from './webhooks.ts';

/** Options of {@link createGatewayClient}. */
export interface GatewayClientOptions {
  /** The environment of the keys. A key of one environment is never sent to the other (§5). */
  readonly environment: Environment;
  /**
   * The environment's base URL; its path ends in `/v1` (§1). https; http only outside production,
   * for a sandbox on this machine or at an origin that `pageOrigins` names.
   */
  readonly baseUrl: string;
  /** The environment's API key, or several while they rotate: on a 401 the next is tried (§5). */
  readonly apiKey: string | readonly string[];
  /**
   * The login for webhooks, credentials and SDK tokens (§5). Without it those methods are refused.
   */
  readonly portal?: PortalSettings | undefined;
  /** A whole call's deadline in milliseconds, retries included; at most 55,000. @defaultValue `30_000` */
  readonly timeoutMs?: number | undefined;
  /**
   * How many connections to the gateway are opened at most for calls that only ask (GET, such as
   * status checks), and again for everything else (payment links, money operations, the portal's
   * login), so that neither group waits for the other. A connection carries one call at a time; a
   * further one waits for a connection, and its deadline counts the wait. Without effect beside
   * `transport`.
   * @defaultValue `256`
   */
  readonly connections?: number | undefined;
  /**
   * Signs sales (assumption N8); {@link saleHash} makes the usual hash.
   * @defaultValue sales bear no hash
   */
  readonly saleHash?: SaleHash | undefined;
  /**
   * `false` sends every call, also to a gateway that fails again and again.
   * @defaultValue after 20 failures in a row over 10 seconds, calls of a credential are held back: one goes
   * every 2 seconds, a question (GET) waits for its turn, anything else fails as `breaker_open` (`not-sent`)
   */
  readonly breaker?: false | undefined;
  /** Gets failed calls (codes only), portal logins and breakers. @defaultValue silent */
  readonly logger?: Logger | undefined;
  /**
   * How this gateway does what the specification leaves open: an object, or the name of a JSON file,
   * read once at start. `contract/gateway-profile.schema.json` describes it.
   * @defaultValue this kit's readings
   */
  readonly profile?: GatewayProfile | string | undefined;
  /**
   * Exact origins of the hosted page, such as `https://checkout.gateway.example`: a payment link to
   * another one is refused as `unreadable_answer`, and no shopper is sent there. Outside production
   * an origin may be http, for a sandbox on another machine.
   * @defaultValue any https origin beyond this machine; where the base URL is on this machine, any
   * origin on this machine too
   */
  readonly pageOrigins?: readonly string[] | undefined;
  /**
   * Sends the requests; for tests and proxies.
   * @defaultValue keep-alive pools to the base URL's origin
   */
  readonly transport?: Transport | undefined;
  /** Where time comes from; for tests. @defaultValue the machine's clock */
  readonly clock?: Clock | undefined;
  /** Numbers in [0, 1), for jitter only. @defaultValue `Math.random` */
  readonly random?: (() => number) | undefined;
}

/** A typed client of the gateway. Sends nothing until a method is called. */
export interface GatewayClient
  extends
    PaymentLinkMethods,
    StatusMethods,
    MoneyMoveMethods,
    SaleMethods,
    WebhookMethods,
    ApiCredentialMethods,
    SdkTokenMethods {
  /** Whether calls with a credential are held back now; `closed` is the good state. */
  breakers(): Readonly<Record<'apiKey' | 'portal', BreakerState>>;
  /**
   * What the gateway's answers had that this kit does not expect, since the client was made: by
   * operation, kind and field, without any value. Empty where the gateway reads its specification as
   * this kit and the profile do.
   */
  drift(): readonly Drift[];
  /**
   * Closes the connections. Requests in flight end as `connection_lost` (`unknown`), later calls as
   * `closed` (`not-sent`).
   */
  close(): Promise<void>;
}

/** Whether a breaker holds calls back. */
export type BreakerState = 'closed' | 'open';

/** An answer on its way may still echo a token that was replaced meanwhile. */
const MAX_KNOWN_TOKENS = 8;

/**
 * Makes a client of the gateway's operations (§1). Returns at once and sends nothing. All failures
 * of its methods are {@link GatewayError}s.
 *
 * @throws {@link ConfigurationError} `unknown_environment`, `invalid_base_url`, `missing_api_key`,
 * `wrong_environment`, `wrong_credential_type`, `invalid_portal`, `invalid_timeout`,
 * `invalid_connections`, `invalid_breaker`, `invalid_profile`, `invalid_page_origins`,
 * `certificates_unchecked`.
 * @example
 * const client = createGatewayClient({ environment: 'staging', baseUrl, apiKey });
 * const { transactions } = await client.retrieveStatus({ sessionId });
 */
export function createGatewayClient(options: GatewayClientOptions): GatewayClient {
  return openGateway(options).gateway;
}

/** Makes a client, and gives what counts the gateway's drift: notifications do not come by the client. */
export function openGateway(options: GatewayClientOptions): {
  readonly gateway: GatewayClient;
  readonly drift: DriftCounter;
} {
  const settings = readClientSettings(options);
  const { apiKeys, portal, timeoutMs, hasBreakers, profile } = settings;
  const { origin, path } = settings.address;
  const clock = options.clock ?? systemClock;
  const transport = options.transport ?? poolTransport(origin, settings.connections);
  const logger = carefulLogger(options.logger ?? silentLogger);
  const parts = portal === null ? [] : [portal.username, portal.password];
  const secrets = [...apiKeys, ...parts];
  let tokens: readonly string[] = [];
  const drift = new DriftCounter((operation) => namesIn(profile, operation), clock, logger);
  const listener = {
    onLogin: (token: string): void => {
      tokens = [token, ...tokens].slice(0, MAX_KNOWN_TOKENS);
      logger.info({}, 'logged in to the gateway’s portal');
    },
    onRefusal: (): void => logger.error({}, 'the gateway’s portal refused the password'),
  };
  const accessOf = (name: 'apiKey' | 'portal', credential: Credential): Access => ({
    credential,
    breaker: hasBreakers ? new Breaker(clock, logBreaker(logger, name)) : null,
  });
  const login = portal && new PortalLogin(portal, profile.login, () => caller, clock, listener);
  const access = {
    apiKey: accessOf('apiKey', new ApiKeys(apiKeys)),
    portal: login && accessOf('portal', login),
    none: { credential: { send: (sendWith: SendWith) => sendWith({}) }, breaker: null },
  };
  const caller: Caller = new Caller({
    transport,
    addresses: { basePath: path, changeOf: ({ name }) => changeOf(profile, name) },
    access,
    secrets: () => [...secrets, ...tokens],
    timeoutMs,
    clock,
    random: options.random ?? Math.random,
    drift,
    logger,
  });
  const gateway = {
    ...paymentLinkMethods(caller, (pageUrl) =>
      refusalOfPage(pageUrl, origin, settings.pageOrigins),
    ),
    ...statusMethods(caller, profile.status),
    ...moneyMoveMethods(caller),
    ...saleMethods(caller, options.saleHash, profile.sale),
    ...webhookMethods(caller),
    ...portalMethods(caller),
    breakers: () => ({ apiKey: stateOf(access.apiKey), portal: stateOf(access.portal) }),
    drift: () => drift.list(),
    close: () => transport.close(),
  };
  return { gateway, drift };
}

const stateOf = (access: Access | null): BreakerState =>
  access?.breaker?.isOpen === true ? 'open' : 'closed';

/** Logs when a credential's calls are held back, and when they go again. */
function logBreaker(logger: Logger, credential: string): (isOpen: boolean) => void {
  return (isOpen) => {
    if (isOpen)
      logger.error({ credential }, 'the gateway keeps failing; calls to it are held back');
    else logger.info({ credential }, 'the gateway works again; calls to it go on');
  };
}

/**
 * Tries one API key by a question that moves nothing: the state of a session that does not exist. The
 * gateway reads the key before it looks for the session.
 *
 * @returns `null` where the gateway takes the key, else why it did not, or did not answer.
 */
export async function tryKey(
  { transport, ...options }: GatewayClientOptions,
  apiKey: string,
  timeoutMs: number,
): Promise<GatewayError | null> {
  const client = createGatewayClient({
    ...options,
    apiKey,
    portal: undefined,
    connections: 1,
    timeoutMs,
    // A transport that was given belongs to the shop, which goes on with it.
    transport: transport && { send: (request) => transport.send(request), close: async () => {} },
  });
  try {
    await client.retrieveStatus({ sessionId: randomUUID() });
    return null;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return error.code === 'not_found' || error.code === 'invalid_request' ? null : error;
  } finally {
    await client.close();
  }
}
