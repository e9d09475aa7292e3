import type { Environment } from '../session/session.ts';
import type { ApiKey, PortalToken } from '../tenant/account.ts';

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

/** A record of one environment, by its id. */
interface Named {
  environment: Environment;
  id: string;
}

interface UnknownId {
  kind: 'unknown-id';
}

/** The changeable fields of a webhook. */
export interface WebhookChanges {
  url?: string;
  active?: boolean;
  events?: readonly WebhookType[];
}

/** The commands of the merchant portal (§4.9 to §4.17), with their inputs and replies. */
export interface PortalCommands {
  'log-in': {
    given: { environment: Environment };
    reply: { token: PortalToken; refreshId: string };
  };
  'revoke-portal-tokens': { given: object; reply: { revoked: number } };
  'rotate-key': { given: { environment: Environment }; reply: { key: ApiKey } };
  'revoke-key': { given: Named; reply: { kind: 'revoked' } | UnknownId };
  'create-webhook': {
    given: {
      environment: Environment;
      url: string;
      active: boolean;
      events: readonly WebhookType[];
    };
    reply: { kind: 'created'; webhook: Webhook } | { kind: 'too-many' };
  };
  'update-webhook': {
    given: Named & { changes: WebhookChanges };
    reply: { kind: 'updated'; webhook: Webhook } | UnknownId;
  };
  'delete-webhook': { given: Named; reply: { kind: 'deleted' } | UnknownId };
  'create-sdk-token': {
    given: {
      environment: Environment;
      name: string;
      type: SdkTokenType | null;
      terminalId: string | null;
    };
    reply: { kind: 'created'; sdkToken: SdkToken } | { kind: 'too-many' };
  };
  'update-sdk-token': {
    given: Named & { status: SdkTokenStatus };
    reply: { kind: 'updated'; sdkToken: SdkToken } | UnknownId;
  };
}
