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

/** The products that sign in with an SDK token (§5). */
export const sdkTokenTypes = ['SOFTPOS', 'SMARTPOS', 'MOBILE'] as const;

export type SdkTokenType = (typeof sdkTokenTypes)[number];
export const sdkTokenStatuses = ['ACTIVE', 'DISABLED'] as const;
export type SdkTokenStatus = (typeof sdkTokenStatuses)[number];

/** An SDK token's record (N19). The token itself follows from its id. */
export interface SdkToken {
  readonly id: string;
  readonly environment: Environment;
  readonly name: string;
  readonly type: SdkTokenType | null;
  readonly terminalId: string | null;
  readonly status: SdkTokenStatus;
  /** Epoch milliseconds of the tenant's clock. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** The most SDK tokens of one tenant. */
export const mostSdkTokens = 1000;

/** The kinds of event that a webhook can ask for (N13). */
export const webhookTypes = ['Purchase', 'Authorization', 'Capture', 'Refund', 'Void'] as const;

export type WebhookType = (typeof webhookTypes)[number];

/** Where the gateway reports what happens (§2.4). Its signing secret follows from its id. */
export interface Webhook {
  readonly id: string;
  readonly environment: Environment;
  readonly url: string;
  readonly active: boolean;
  /** Empty: all. */
  readonly events: readonly WebhookType[];
}

/** The most webhooks of one tenant. */
export const mostWebhooks = 50;

/** The changeable fields of a webhook. */
export type WebhookChanges = Partial<Pick<Webhook, 'url' | 'active' | 'events'>>;

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
