import type { Environment } from '../session.ts';

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
