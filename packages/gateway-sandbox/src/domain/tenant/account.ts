import type { Environment } from '../session/session.ts';

/** An API key's record (N17). The key itself follows from the record's id; the core never sees it. */
export interface ApiKey {
  readonly id: string;
  readonly environment: Environment;
  readonly status: 'ACTIVE' | 'REVOKED';
  /** Epoch milliseconds of the tenant's clock. */
  readonly createdAt: number;
}

/** A portal login that was granted (N16). The bearer token follows from its id. */
export interface PortalToken {
  readonly id: string;
  readonly environment: Environment;
  /** Epoch milliseconds of the tenant's clock; at this instant the token is no longer good. */
  readonly expiresAt: number;
}

/** The merchant's account at the gateway, with its credentials (§5). */
export interface Account {
  /** The tenant's own seed; null: its ids follow from the sandbox's. */
  readonly seed: string | null;
  /** False: the gateway finds no record of the merchant, and every call gets its 401 (§7). */
  readonly isFound: boolean;
  /** Oldest first. */
  readonly apiKeys: readonly ApiKey[];
  /** The tokens that were not revoked, oldest first. */
  readonly portalTokens: readonly PortalToken[];
}

/** The record of the key that each environment begins with. */
export const firstKeyId = 'key-1';

/** A tenant's first keys are older than anything on its clock. */
const firstKeysCreatedAt = Date.UTC(2026, 0, 1);

export const newAccount: Account = {
  seed: null,
  isFound: true,
  apiKeys: [firstKey('staging'), firstKey('production')],
  portalTokens: [],
};

/**
 * The account after a reset: every key and login is valid again, and so are revoked first keys, so
 * that the first credentials always work.
 */
export function accountAfterReset(account: Account): Account {
  return {
    ...account,
    isFound: true,
    apiKeys: account.apiKeys.map((key) =>
      key.id === firstKeyId ? firstKey(key.environment) : key,
    ),
  };
}

function firstKey(environment: Environment): ApiKey {
  return { id: firstKeyId, environment, status: 'ACTIVE', createdAt: firstKeysCreatedAt };
}
