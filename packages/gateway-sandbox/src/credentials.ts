import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Environment } from './domain/session.ts';

/** What one tenant signs in with: keys for payment calls, a login for the portal (§5). */
export interface Credentials {
  readonly apiKeys: Readonly<Record<Environment, string>>;
  readonly portal: { readonly username: string; readonly password: string };
}

/** Who a payment call comes from, or why it is refused with 401 (§7). */
export type KeyCheck = 'valid' | 'other-environment' | 'invalid';

/** A tenant's credentials follow from the seed, so that they survive every restart and reset. */
export function credentialsOf(seed: string, tenant: string): Credentials {
  const derive = (purpose: string) =>
    createHmac('sha256', `pay-button sandbox ${seed}`).update(`${tenant} ${purpose}`).digest('hex');
  return {
    apiKeys: {
      staging: `sandbox_staging_${derive('staging key').slice(0, 32)}`,
      production: `sandbox_production_${derive('production key').slice(0, 32)}`,
    },
    portal: {
      username: `merchant-${tenant}@sandbox.example`,
      password: derive('portal password').slice(0, 20),
    },
  };
}

/** Compares a presented key with the tenant's, in constant time. */
export function checkKey(
  credentials: Credentials,
  environment: Environment,
  presented: string,
): KeyCheck {
  const other = environment === 'staging' ? 'production' : 'staging';
  if (isSame(credentials.apiKeys[environment], presented)) return 'valid';
  return isSame(credentials.apiKeys[other], presented) ? 'other-environment' : 'invalid';
}

function isSame(expected: string, presented: string): boolean {
  const left = Buffer.from(expected);
  const right = Buffer.from(presented);
  return left.length === right.length && timingSafeEqual(left, right);
}
