import { randomUUID } from 'node:crypto';
import { systemClock } from '../clock.ts';
import { carefulLogger, silentLogger } from '../logger.ts';
import { Breaker, Caller } from './call.ts';
import { type GatewayClientOptions, readClientSettings, refusalOfPage } from './settings.ts';
import { ApiKeys, PortalLogin } from './credentials.ts';
import { portalMethods, type PortalMethods } from './portal.ts';
import { moneyMoveMethods, type MoneyMoveMethods } from './money-moves.ts';
import { paymentLinkMethods, type PaymentLinkMethods } from './payment-links.ts';
import { saleMethods, type SaleMethods } from './sale.ts';
import { type Drift, DriftCounter } from './diagnostics.ts';
import { GatewayError } from './gateway-error.ts';
import { changeOf, namesIn } from './profile.ts';
import { statusMethods, type StatusMethods } from './status.ts';
import { poolTransport } from './transport.ts';

export type { GatewayClientOptions } from './settings.ts';

/** A typed client of the gateway. Sends nothing until a method is called. */
export interface GatewayClient
  extends PaymentLinkMethods, StatusMethods, MoneyMoveMethods, SaleMethods, PortalMethods {
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
  const secrets = portal === null ? apiKeys : [...apiKeys, portal.username, portal.password];
  let tokens: readonly string[] = [];
  const drift = new DriftCounter((operation) => namesIn(profile, operation), clock, logger);
  const onLogin = (token: string): void => {
    tokens = [token, ...tokens].slice(0, MAX_KNOWN_TOKENS);
  };
  const login = { places: profile.login, caller: () => caller, clock, onLogin, logger };
  /** One for each credential, since one of them may fail alone. */
  const breakers = {
    apiKey: hasBreakers ? new Breaker('apiKey', clock, logger) : undefined,
    portal: hasBreakers ? new Breaker('portal', clock, logger) : undefined,
  };
  const stateOf = (breaker?: Breaker): BreakerState => (breaker?.isOpen ? 'open' : 'closed');
  const caller: Caller = new Caller({
    transport,
    basePath: path,
    changeOf: ({ name }) => changeOf(profile, name),
    credentials: {
      apiKey: new ApiKeys(apiKeys),
      portal: portal && new PortalLogin({ portal, ...login }),
      none: { send: (sendWith) => sendWith({}) },
    },
    breakers,
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
    ...portalMethods(caller),
    breakers: () => ({ apiKey: stateOf(breakers.apiKey), portal: stateOf(breakers.portal) }),
    drift: () => drift.list(),
    close: () => transport.close(),
  };
  return { gateway, drift };
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
