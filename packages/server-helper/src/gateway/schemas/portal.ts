import { z } from 'zod';
import {
  filledText,
  fullSecret,
  mayInform,
  pathId,
  unlessNone,
  webAddressInput,
  wireId,
  wireIdOrNumber,
} from './fields.ts';
import type { SealedBody } from '../sealed-body.ts';

/** An API key's record (§4.13, assumption N17). */
export interface ApiCredential {
  /** What names it in the dashboard; empty where the gateway gives none. */
  readonly id: string;
  /** As the gateway gives it: usually masked where it is listed, always in full where it is new. */
  readonly apiKey: string;
  /** The environment that it opens. */
  readonly environment?: string | undefined;
  /** `ACTIVE`, `REVOKED`, or a word we do not know. */
  readonly status?: string | undefined;
  /** When it was made, in the gateway's spelling. */
  readonly createdAt?: string | undefined;
  /** When it ends, in the gateway's spelling. */
  readonly expiresAt?: string | undefined;
}

/** A credential's record (assumption N17). */
export const credentialAnswer = z.object({
  id: unlessNone(wireId),
  apiKey: unlessNone(z.string().min(1).max(512)),
  environment: mayInform,
  status: mayInform,
  createdAt: mayInform,
  expiresAt: mayInform,
});

/** Answer of rotate-api-key (assumption N18). */
export const newCredentialAnswer = credentialAnswer.extend({ apiKey: fullSecret.max(512) });

/** Answer of retrieve-credentials (assumption N17). */
export const credentialsAnswer = z.object({ credentials: z.array(credentialAnswer).max(1_000) });

/** A terminal's or mobile product's token, without its secret part (§4.15, assumption N19). */
export interface SdkToken {
  /** The id for switching the token on or off; empty where the gateway gives none. */
  readonly id: string;
  /** The name that the merchant gave. */
  readonly name?: string | undefined;
  /** The kind of product that it is for. */
  readonly type?: string | undefined;
  /** The terminal that it is for. */
  readonly terminalId?: string | undefined;
  /** `ACTIVE`, `DISABLED`, or a word we do not know. */
  readonly status?: string | undefined;
  /** When it was made, in the gateway's spelling. */
  readonly createdAt?: string | undefined;
  /** When it ends, in the gateway's spelling. */
  readonly expiresAt?: string | undefined;
}

/** A new token; the gateway gives the token itself only here. */
export interface CreatedSdkToken extends SdkToken {
  /** The token in full: a secret, given only here. */
  readonly token: string;
}

/** A new token (§4.16, assumption N19). */
export interface CreateSdkTokenInput {
  /** What you call it. */
  readonly name: string;
  /** The kind of product that it is for. */
  readonly type?: string | undefined;
  /** The terminal that it is for. */
  readonly terminalId?: string | undefined;
}

/** Switches a token on or off (§4.17, assumption N19). */
export interface UpdateSdkTokenInput {
  /** From the list of tokens. */
  readonly id: string;
  /** `ACTIVE` switches it on, `DISABLED` off. */
  readonly status: 'ACTIVE' | 'DISABLED';
}

/** @see CreateSdkTokenInput */
export const createSdkTokenInput: z.ZodType<CreateSdkTokenInput> = z.strictObject({
  name: filledText,
  type: filledText.optional(),
  terminalId: filledText.optional(),
});

/** @see UpdateSdkTokenInput */
export const updateSdkTokenInput: z.ZodType<UpdateSdkTokenInput> = z.strictObject({
  id: pathId,
  status: z.enum(['ACTIVE', 'DISABLED']),
});

/** A token's record (assumption N19). */
export const sdkTokenAnswer = z.object({
  id: unlessNone(wireId),
  name: mayInform,
  type: mayInform,
  terminalId: mayInform,
  status: mayInform,
  createdAt: mayInform,
  expiresAt: mayInform,
});

/** Answer of list-sdk-tokens (assumption N19). */
export const sdkTokensAnswer = z.object({ sdkTokens: z.array(sdkTokenAnswer).max(1_000) });

/** Answer of create-sdk-token (assumption N19). */
export const createdSdkTokenAnswer = sdkTokenAnswer.extend({ token: fullSecret });

/** Where the gateway reports what happens (§2.4). */
export interface Webhook {
  /** What names it when it is changed or deleted; empty where the gateway gives none. */
  readonly id: string;
  /** Where deliveries go; empty where the gateway's answer bears none. */
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
  /** Names of events, such as `Purchase` (assumption N13). @defaultValue all events */
  readonly events?: readonly string[] | undefined;
  /** Whether it gets deliveries from the start. @defaultValue `true` */
  readonly active?: boolean | undefined;
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
  events: eventNames.optional(),
  active: z.boolean().optional(),
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

/** A webhook's record in a list (§2.4). */
const listedWebhook = z.object({
  id: wireIdOrNumber,
  url: z.string().min(1),
  active: z.boolean().optional().catch(undefined),
  events: z.array(z.string()).optional().catch(undefined),
});

/** Answer of update-webhook (assumption N12). */
export const webhookAnswer = listedWebhook.extend({
  id: unlessNone(wireId),
  url: unlessNone(z.string().min(1)),
});

/** Answer of list-webhooks (§4.9). */
export const webhooksAnswer = z.object({ webhooks: z.array(listedWebhook).max(1_000) });

/** Answer of create-webhook (assumption N12). */
export const createdWebhookAnswer = webhookAnswer.extend({
  secret: fullSecret.nullish().catch(null),
});
