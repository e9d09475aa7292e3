import { throwEveryMistake } from '../errors.ts';
import { checkCertificates } from './certificates.ts';
import { readBreaker, type BreakerOptions, type BreakerRules } from './breaker.ts';
import type { PortalSettings } from './login-request.ts';
import { resolveOverrides, type GatewayOverrides, type ResolvedOverrides } from './overrides.ts';
import { readPageOrigins } from './page-origins.ts';
import {
  readApiKeys,
  readBaseAddress,
  readConnections,
  readPortal,
  readTimeout,
  type BaseAddress,
  type Environment,
} from './settings.ts';

/** A whole call's deadline unless the options say otherwise. */
const DEFAULT_TIMEOUT_MS = 30_000;
/** As many as a burst of 256 shoppers needs at once; an idle one is closed after seconds. */
export const DEFAULT_CONNECTIONS = 256;

/** The options that are checked, as they were given. */
export interface GivenSettings {
  readonly environment: Environment;
  readonly baseUrl: string;
  readonly apiKey: string | readonly string[];
  readonly portal?: PortalSettings | undefined;
  readonly timeoutMs?: number | undefined;
  readonly connections?: number | undefined;
  readonly breaker?: false | BreakerOptions | undefined;
  readonly overrides?: GatewayOverrides | undefined;
  readonly pageOrigins?: readonly string[] | undefined;
}

/** A client's options, checked and filled in. */
export interface ClientSettings extends ResolvedOverrides {
  readonly address: BaseAddress;
  readonly apiKeys: readonly string[];
  readonly portal: PortalSettings | null;
  readonly timeoutMs: number;
  readonly connections: number;
  readonly breaker: BreakerRules | null;
  /** Exact origins of hosted pages; `null` when none are named. */
  readonly pageOrigins: readonly string[] | null;
}

/**
 * Checks a client's options once, at start.
 *
 * @throws {@link ConfigurationError} with everything that is wrong with them.
 */
export function readClientSettings(options: GivenSettings | undefined): ClientSettings {
  // A caller in JavaScript may have given nothing at all.
  const given = (options ?? {}) as GivenSettings;
  const read = {
    address: () => readBaseAddress(given.environment, given.baseUrl, listOf(given.pageOrigins)),
    apiKeys: () => readApiKeys(given.apiKey),
    portal: () => readPortal(given.portal, keysOf(given)),
    timeoutMs: () => readTimeout(given.timeoutMs ?? DEFAULT_TIMEOUT_MS),
    connections: () => readConnections(given.connections ?? DEFAULT_CONNECTIONS),
    breaker: () => readBreaker(given.breaker),
    overrides: () => resolveOverrides(given.overrides),
    pageOrigins: () => readPageOrigins(given.pageOrigins, given.environment),
    certificates: () => checkCertificates(given.environment),
  };
  throwEveryMistake(Object.values(read));
  return {
    address: read.address(),
    apiKeys: read.apiKeys(),
    portal: read.portal(),
    timeoutMs: read.timeoutMs(),
    connections: read.connections(),
    breaker: read.breaker(),
    pageOrigins: read.pageOrigins(),
    ...read.overrides(),
  };
}

/** The keys as they were given, whether or not they can be used. */
const keysOf = ({ apiKey }: GivenSettings): readonly string[] =>
  typeof apiKey === 'string' ? [apiKey] : listOf(apiKey);

const listOf = (given: readonly string[] | undefined): readonly string[] =>
  Array.isArray(given) ? given : [];
