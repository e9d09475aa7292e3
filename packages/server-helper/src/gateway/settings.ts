import type { Clock } from '../clock.ts';
import { type Finding, findingsOf, throwFindings } from '../errors.ts';
import type { Logger } from '../logger.ts';
import * as rules from '../option-rules.ts';
import { type GatewayProfile, readProfile } from './profile.ts';
import type { SaleHash } from './sale.ts';
import type { Transport } from './transport.ts';

/** The login to the merchant portal (§5). */
export interface PortalSettings {
  /** As in the dashboard’s login. */
  readonly username: string;
  /** As in the dashboard’s login; it shows in no error and no log. */
  readonly password: string;
}

/** The gateway's environments. A key of one is never valid in the other. */
export type Environment = 'staging' | 'production';

/** A whole call's deadline unless the options say otherwise. */
const DEFAULT_TIMEOUT_MS = 30_000;
/** The longest such deadline: a call must have ended before the leases of a minute do. */
const LONGEST_TIMEOUT_MS = 55_000;
/** As many as a burst of 256 shoppers needs at once; an idle one is closed after seconds. */
export const DEFAULT_CONNECTIONS = 256;

/** Options of `createGatewayClient`. */
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
  /** The login for webhooks, credentials and SDK tokens (§5). Without it those methods are refused. */
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
   * Signs sales (assumption N8); `saleHash` makes the usual hash.
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

/**
 * Checks a client's options once, at start, and fills them in.
 *
 * @throws {@link ConfigurationError} with everything that is wrong with them.
 */
export function readClientSettings(options: GatewayClientOptions | undefined) {
  // A caller in JavaScript may have given nothing at all.
  const given = (options ?? {}) as GatewayClientOptions;
  throwFindings([...rulesOf(given)(given, 'gateway'), ...uncheckedCertificates(given.environment)]);
  const { baseUrl, portal, pageOrigins } = given;
  const { origin, pathname } = new URL(baseUrl);
  return {
    /** The path ends in `/v1`, without a slash behind it. */
    address: { origin, path: pathname.replace(/\/$/, '') },
    apiKeys: [...new Set(keysOf(given))],
    portal: portal ? { username: portal.username, password: portal.password } : null,
    timeoutMs: given.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    connections: given.connections ?? DEFAULT_CONNECTIONS,
    hasBreakers: given.breaker === undefined,
    /** `null` when none are named. */
    pageOrigins: pageOrigins ? [...pageOrigins] : null,
    profile: readProfile(given.profile),
  };
}

/** The keys as they were given, whether or not they can be used. */
const keysOf = ({ apiKey }: GatewayClientOptions): readonly string[] => [apiKey].flat();

const rulesOf = (given: GatewayClientOptions) =>
  rules.group({
    environment: rules.field(environmentRule),
    baseUrl: rules.field(baseUrlRule(given)),
    apiKey: rules.field(apiKeyRule),
    portal: rules.optional(rules.field(portalRule(keysOf(given)))),
    timeoutMs: rules.aDuration(
      'It is the deadline of every call, and after a minute another process takes over what a call was made for.',
      LONGEST_TIMEOUT_MS,
    ),
    connections: rules.option(
      rules.isWhole(1),
      'connections must be a whole number of at least 1.',
      'It is how many calls of a group the gateway is sent at once; without a connection none could go.',
      'Give as many as there are shoppers in the same moment, such as 256, or leave it out.',
      'invalid_connections',
    ),
    breaker: rules.option(
      (breaker) => breaker === false,
      'The option breaker is not false.',
      'It keeps calls from a gateway that fails again and again, by rules of its own.',
      'Leave it out, or give false to send every call.',
      'invalid_breaker',
    ),
    profile: () => findingsOf(() => readProfile(given.profile)),
    pageOrigins: rules.option(
      (origins) => areExactOrigins(origins, given.environment),
      'pageOrigins must list exact origins: scheme and host, a port that is not the usual one, and nothing behind; https in production.',
      'Shoppers are sent to these and to no others.',
      'Give origins such as "https://checkout.gateway.example", or leave it out.',
      'invalid_page_origins',
    ),
    saleHash: rules.aFunction,
    logger: rules.aLogger,
    transport: rules.aTransport,
    clock: rules.aClock,
    random: rules.aFunction,
  } satisfies Record<keyof GatewayClientOptions, rules.Part>);

const TAKE_THE_KEY = 'Take it from the dashboard: Settings, API Credentials.';

const isHeaderText = (key: unknown): boolean =>
  typeof key === 'string' && /^(?!["'])[\x21-\x7E]{1,512}$/.test(key);

/** What a login gives, not what a dashboard shows as a key: such a token, or a signed one (JWT). */
const isBearer = (key: unknown): boolean =>
  typeof key === 'string' &&
  (/^bearer[\s:]/i.test(key) || /^eyJ[\w-]*\.eyJ[\w-]*\.[\w-]*$/.test(key));

const apiKeyRule: rules.Rule = (apiKey) => {
  const keys: readonly unknown[] = [apiKey].flat();
  if (keys.some(isBearer)) {
    return {
      code: 'wrong_credential_type',
      what: 'The gateway’s API key is a bearer token.',
      why: 'A portal token opens no payments.',
      fix: `${TAKE_THE_KEY} Give the portal’s username and password as portal.`,
    };
  }
  if (rules.isListOf(isHeaderText, 1)(keys)) return undefined;
  return {
    code: 'missing_api_key',
    what: 'The gateway’s API key is missing, begins with a quote, or holds spaces or other characters that a header cannot carry.',
    why: 'The gateway answers 401 to every payment call without it.',
    fix: TAKE_THE_KEY,
  };
};

const portalRule =
  (apiKeys: readonly string[]): rules.Rule =>
  (portal) => {
    const { username, password } = (portal ?? {}) as Partial<PortalSettings>;
    const parts: readonly unknown[] = [username, password];
    if (!parts.every((part) => typeof part === 'string' && part.trim() !== '')) {
      return {
        code: 'invalid_portal',
        what: 'The option portal must hold a username and a password.',
        why: 'Half a credential logs nobody in.',
        fix: 'Give both, or leave portal out.',
      };
    }
    if (!apiKeys.some((key) => parts.includes(key))) return undefined;
    return {
      code: 'wrong_credential_type',
      what: 'The options portal and apiKey hold the same text.',
      why: 'An API key opens payments only, and a login the portal only.',
      fix: `Give the username and password of the portal’s own login, and the key. ${TAKE_THE_KEY}`,
    };
  };

const VARIABLE = 'NODE_TLS_REJECT_UNAUTHORIZED';

/**
 * Finds a production process whose environment makes Node take any certificate. The client's
 * own connections check theirs all the same; those of the database and of the shop's code do not.
 */
export const uncheckedCertificates = (
  environment: Environment,
  env: Readonly<Record<string, string | undefined>> = process.env,
): readonly Finding[] =>
  rules.field(
    rules.must(
      (value) => environment !== 'production' || value !== '0',
      `${VARIABLE} is 0 in production.`,
      'Node then takes any certificate, so that an impostor reads API keys and answers for the gateway.',
      'Unset it; for an authority of your own, set NODE_EXTRA_CA_CERTS to its certificate.',
      'certificates_unchecked',
    ),
  )(env[VARIABLE], VARIABLE);

const environmentRule: rules.Rule = (environment) =>
  environment === 'staging' || environment === 'production'
    ? undefined
    : {
        code: 'unknown_environment',
        what: `The gateway's environment must be "staging" or "production", not ${quoted(environment)}.`,
        why: 'Keys and addresses belong to one environment.',
        fix: 'Use the word that the dashboard shows; the sandbox is addressed as "staging".',
      };

/** A word as it was given; a longer text might hold a secret. */
const quoted = (given: unknown): string =>
  typeof given === 'string' && given.length <= 20 ? JSON.stringify(given) : `a ${typeof given}`;

/** Outside production, an origin among the `pageOrigins` may be plain http. */
const baseUrlRule =
  ({ environment, pageOrigins }: GatewayClientOptions): rules.Rule =>
  (baseUrl): rules.Mistaken | undefined => {
    const url = URL.parse(String(baseUrl));
    const { username, password, search, hash, protocol = '', pathname = '' } = url ?? {};
    const isPlain = [username, password, search, hash].every((part) => part === '');
    if (url === null || !isPlain || !/^https?:$/.test(protocol) || !/\/v1\/?$/.test(pathname)) {
      return {
        code: 'invalid_base_url',
        what: 'The gateway’s base URL must be an http(s) address whose path ends in /v1, without credentials, query or fragment.',
        why: 'Every path of the gateway is below /v1, so that calls to another address would all fail.',
        fix: 'Copy it from the gateway’s onboarding, such as "https://gateway.example/v1".',
      };
    }
    const isNamed = environment !== 'production' && [pageOrigins].flat().includes(url.origin);
    if (protocol !== 'https:' && !isNamed && !isThisMachine(url.hostname)) {
      return {
        code: 'invalid_base_url',
        what: 'The gateway’s base URL must be https, unless it is a sandbox on this machine.',
        why: 'The API key would travel in the clear.',
        fix: 'Write https:// in front of it. Outside production, a sandbox on another machine may be http where gateway.pageOrigins names its origin.',
      };
    }
    const other = otherEnvironmentIn(url, environment);
    if (other === undefined) return undefined;
    return {
      code: 'wrong_environment',
      what: `The gateway’s base URL is of ${other}, but the environment is ${JSON.stringify(environment)}.`,
      why: 'A key is never sent to another environment, which would refuse it.',
      fix: 'Let environment and base URL say the same.',
    };
  };

/** What an address says of another environment than the wanted one, where it says it plainly. */
function otherEnvironmentIn({ hostname, pathname }: URL, environment: Environment) {
  const words = `${hostname}${pathname}`.split(/[./-]/);
  if (environment === 'staging') return words.includes('production') ? 'production' : undefined;
  if (environment !== 'production') return undefined;
  if (isThisMachine(hostname)) return 'this machine, where only a sandbox runs';
  return words.find((word) => word === 'staging' || word === 'sandbox');
}

/** `[::ffff:7f…]` is 127… as IPv6 writes an IPv4 address. */
const LOCAL =
  /^(?:(?:.*\.)?localhost\.?|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]|\[::ffff:(?:7f[\da-f]{2}:[\da-f]{1,4}|0:0)\])$/;

/** Whether a host, as `URL` spells it, is this machine and so unreachable from another one. */
export const isThisMachine = (hostname: string): boolean => LOCAL.test(hostname);

/** Whether a list holds one exact origin or more, https in production. */
export function areExactOrigins(given: unknown, where?: Environment): given is readonly string[] {
  const isOrigin = (text: unknown): boolean => {
    const url = typeof text === 'string' ? URL.parse(text) : null;
    if (url === null || url.origin !== text || url.hostname.includes('*')) return false;
    return url.protocol === 'https:' || (url.protocol === 'http:' && where !== 'production');
  };
  return rules.isListOf(isOrigin, 1)(given);
}

/**
 * Why a shopper may not be sent to a hosted page, or `undefined` where they may. Without a list, the
 * page must be https and not on this machine; where the gateway itself is on this machine, which only
 * a sandbox is, the page may be there too.
 *
 * @param pageUrl - An http(s) address.
 * @param gatewayOrigin - The origin of the gateway's base URL.
 */
export function refusalOfPage(
  pageUrl: string,
  gatewayOrigin: string,
  pageOrigins: readonly string[] | null,
): string | undefined {
  const { origin, protocol, hostname } = new URL(pageUrl);
  const isHere = isThisMachine(hostname);
  const maySend =
    pageOrigins?.includes(origin) ??
    (isHere ? isThisMachine(new URL(gatewayOrigin).hostname) : protocol === 'https:');
  if (maySend) return undefined;
  const why =
    pageOrigins !== null
      ? 'at an origin that gateway.pageOrigins does not name'
      : isHere
        ? 'on the shopper’s own machine'
        : 'not https';
  return `the hosted page is ${why}, so no shopper is sent there and nothing was paid; if it is the gateway’s, name its origin in gateway.pageOrigins (http only outside production): ${origin}`;
}
