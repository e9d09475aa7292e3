import type { Environment } from '../session/session.ts';

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
