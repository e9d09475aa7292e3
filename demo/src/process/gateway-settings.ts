import type { Environment } from '@pay-button/server-helper';
import { SettingError } from './setting-error.ts';

/** A gateway outside this process. */
export interface GatewaySettings {
  readonly environment: Environment;
  readonly baseUrl: string;
  /** Several while keys are rotated; the first is tried first. */
  readonly apiKey: readonly string[];
  /** The merchant portal's login; absent: its resources cannot be used. */
  readonly portal?: { readonly username: string; readonly password: string };
}

/**
 * Reads `GATEWAY_BASE_URL`, `GATEWAY_ENVIRONMENT`, `GATEWAY_API_KEY` and the portal's login.
 *
 * @returns `undefined` when no gateway is named: the shop then starts the sandbox.
 * @throws {@link SettingError} when a gateway is named without what it takes to talk to it.
 */
export function readGateway(
  given: (name: string) => string | undefined,
): GatewaySettings | undefined {
  const baseUrl = given('GATEWAY_BASE_URL');
  if (baseUrl === undefined) return undefined;
  if (!URL.canParse(baseUrl)) {
    throw new SettingError(
      'GATEWAY_BASE_URL is not an address: it must be http(s) and end in /v1. Leave it out to use the sandbox.',
    );
  }
  const apiKey = (given('GATEWAY_API_KEY') ?? '').split(',').map((key) => key.trim());
  if (apiKey.includes('')) {
    throw new SettingError(
      'GATEWAY_API_KEY is missing: GATEWAY_BASE_URL names a gateway, and it answers only to a merchant’s key. Take the key from its dashboard under Settings, API Credentials.',
    );
  }
  return {
    environment: readEnvironment(given('GATEWAY_ENVIRONMENT') ?? 'staging'),
    baseUrl,
    apiKey,
    ...readPortal(given('GATEWAY_PORTAL_USERNAME'), given('GATEWAY_PORTAL_PASSWORD')),
  };
}

function readPortal(
  username: string | undefined,
  password: string | undefined,
): Pick<GatewaySettings, 'portal'> {
  if (username === undefined && password === undefined) return {};
  if (username !== undefined && password !== undefined) return { portal: { username, password } };
  throw new SettingError(
    'GATEWAY_PORTAL_USERNAME and GATEWAY_PORTAL_PASSWORD go together: the portal asks for both. Set the other one too, or neither.',
  );
}

function readEnvironment(text: string): Environment {
  if (text === 'staging' || text === 'production') return text;
  throw new SettingError(
    'GATEWAY_ENVIRONMENT is unknown: keys belong to one environment, so it must be "staging" or "production".',
  );
}
