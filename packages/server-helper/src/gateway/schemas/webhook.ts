import { z } from 'zod';
import type { SealedBody } from '../sealed-body.ts';
import { fullSecret, wireId } from './answer-fields.ts';
import { filledText, pathId, webAddressInput } from './input-fields.ts';

/** Where the gateway reports what happens (§2.4). */
export interface Webhook {
  /** What names it when it is changed or deleted. */
  readonly id: string;
  /** Where deliveries go. */
  readonly url: string;
  /** Whether it gets deliveries; `undefined` where the answer does not say so by yes or no. */
  readonly active?: boolean | undefined;
  /** Which events it gets, where the answer bears them (assumption N12). */
  readonly events?: readonly string[] | undefined;
}

/** A webhook as it is created; the gateway gives the secret only here. */
export interface CreatedWebhook extends Webhook {
  /** Signs the deliveries (assumption N14); `null` where the answer has none in full. */
  readonly secret: string | null;
  /**
   * The whole answer, where `secret` is null: it may hold the secret under another name. Not
   * enumerable.
   */
  readonly body?: SealedBody | undefined;
}

/** A new webhook (§4.10, assumption N12). */
export interface CreateWebhookInput {
  /** Where deliveries go; http(s). */
  readonly url: string;
  /** Names of events, such as `Purchase` (assumption N13). */
  readonly events: readonly string[];
  /** Whether it gets deliveries from the start. */
  readonly active: boolean;
}

/** What changes of a webhook (§4.11, assumption N12): one thing at least. */
export interface UpdateWebhookInput {
  /** From the list of webhooks. */
  readonly id: string;
  /** Where deliveries go from now on; http(s). */
  readonly url?: string | undefined;
  /** The events that it gets from now on. */
  readonly events?: readonly string[] | undefined;
  /** Whether it gets deliveries from now on. */
  readonly active?: boolean | undefined;
}

/** Which webhook is deleted (§4.12). */
export interface DeleteWebhookInput {
  /** From the list of webhooks. */
  readonly id: string;
}

const eventNames = z.array(filledText).readonly();

/** @see CreateWebhookInput */
export const createWebhookInput: z.ZodType<CreateWebhookInput> = z.strictObject({
  url: webAddressInput,
  events: eventNames,
  active: z.boolean(),
});

/** @see UpdateWebhookInput */
export const updateWebhookInput: z.ZodType<UpdateWebhookInput> = z
  .strictObject({
    id: pathId,
    url: webAddressInput.optional(),
    events: eventNames.optional(),
    active: z.boolean().optional(),
  })
  .refine(
    ({ url, events, active }) => url !== undefined || events !== undefined || active !== undefined,
    'holds nothing to change: give url, events or active',
  );

/** @see DeleteWebhookInput */
export const deleteWebhookInput: z.ZodType<DeleteWebhookInput> = z.strictObject({ id: pathId });

/** A webhook's record (§2.4). */
export const webhookAnswer = z.object({
  id: wireId,
  url: z.string().min(1),
  active: z.boolean().optional().catch(undefined),
  events: z.array(z.string()).optional().catch(undefined),
});

/** Answer of list-webhooks (§4.9). */
export const webhooksAnswer = z.object({ webhooks: z.array(webhookAnswer).max(1_000) });

/** Answer of create-webhook (assumption N12). */
export const createdWebhookAnswer = webhookAnswer.extend({
  secret: fullSecret.nullish().catch(null),
});
