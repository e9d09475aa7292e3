import { z } from 'zod';
import { type Caller, type CallOptions, optionsOf } from './call.ts';
import {
  filledText,
  fullSecret,
  noInput,
  pathId,
  readInput,
  unlessNone,
  webAddressInput,
  wireId,
  wireIdOrNumber,
} from './fields.ts';
import { bodyOf, type SealedBody } from './gateway-error.ts';
import { asks, change, may, operationsOf, patches, portal, posts } from './operation.ts';

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

const createWebhookInput: z.ZodType<CreateWebhookInput> = z.strictObject({
  url: webAddressInput,
  events: eventNames.optional(),
  active: z.boolean().optional(),
});

const updateWebhookInput: z.ZodType<UpdateWebhookInput> = z
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

const deleteWebhookInput: z.ZodType<DeleteWebhookInput> = z.strictObject({ id: pathId });

/** A webhook's record in a list (§2.4). */
const listedWebhook = z.object({
  id: wireIdOrNumber,
  url: z.string().min(1),
  active: z.boolean().optional().catch(undefined),
  events: z.array(z.string()).optional().catch(undefined),
});

/** Answer of update-webhook (assumption N12). */
const webhookAnswer = listedWebhook.extend({
  id: unlessNone(wireId),
  url: unlessNone(z.string().min(1)),
});

/** Answer of list-webhooks (§4.9). */
const webhooksAnswer = z.object({ webhooks: z.array(listedWebhook).max(1_000) });

/** Answer of create-webhook (assumption N12). */
const createdWebhookAnswer = webhookAnswer.extend({
  secret: fullSecret.nullish().catch(null),
});

/** The merchant's webhooks (§4.9 to §4.12), opened by the portal credential. */
export interface WebhookMethods {
  /**
   * Lists the webhooks (spec §4.9).
   *
   * @throws {@link GatewayError} `unauthorized` when the portal refuses the credential,
   * `portal_not_configured` when the client has none.
   * @example
   * const { webhooks } = await client.listWebhooks();
   * console.log(webhooks.map(({ id, url, active }) => `${id} ${url} ${active}`));
   */
  listWebhooks(options?: CallOptions): Promise<{ readonly webhooks: readonly Webhook[] }>;
  /**
   * Creates a webhook (§4.10, assumed: N12). The gateway gives its secret only here. Where the
   * answer has no field `secret`, the webhook's is null and its `body.read()` gives the answer, once.
   *
   * @throws {@link GatewayError} As {@link WebhookMethods.listWebhooks}; a lost answer is `unknown`:
   * list the webhooks before you create another. After an answer in another form `error.body.read()`
   * gives it, once.
   * @example
   * const webhook = await client.createWebhook({
   *   url: 'https://shop.example/pay/webhook',
   *   events: ['Purchase', 'Refund'],
   *   active: true,
   * });
   * console.log(webhook.id); // Store webhook.secret with your secrets; it is given only here.
   */
  createWebhook(input: CreateWebhookInput, options?: CallOptions): Promise<CreatedWebhook>;
  /**
   * Changes a webhook's address, events or whether it is active (§4.11, assumed: N12). What is not
   * given stays. After a success without a body the result has the `id` alone.
   *
   * @throws {@link GatewayError} `not_found` for an unknown id; otherwise as
   * {@link WebhookMethods.createWebhook}.
   * @example
   * const webhook = await client.updateWebhook({ id: 'wh_1', active: false });
   * console.log(webhook.url);
   */
  updateWebhook(input: UpdateWebhookInput, options?: CallOptions): Promise<Webhook>;
  /**
   * Deletes a webhook (§4.12, assumed: N12).
   *
   * @throws {@link GatewayError} `not_found` for an unknown id; otherwise as
   * {@link WebhookMethods.createWebhook}.
   * @example
   * await client.deleteWebhook({ id: 'wh_1' });
   */
  deleteWebhook(input: DeleteWebhookInput, options?: CallOptions): Promise<void>;
}

const WEBHOOKS = '/merchant/account/webhooks';

export const webhookOperations = operationsOf({
  listWebhooks: {
    ...portal,
    ...asks,
    path: WEBHOOKS,
    input: noInput,
    answer: webhooksAnswer,
  },
  createWebhook: {
    ...portal,
    ...posts,
    path: WEBHOOKS,
    input: createWebhookInput,
    answer: createdWebhookAnswer,
    httpStatus: 201,
    profile: change({
      ...may.goElsewhere,
      body: may.body(['url', 'events', 'active']),
      add: may.add,
      answer: may.answerAt(createdWebhookAnswer),
    }),
    givesSecret: 'secret',
  },
  updateWebhook: {
    ...portal,
    ...patches,
    path: `${WEBHOOKS}/{id}`,
    input: updateWebhookInput,
    answer: webhookAnswer,
    namesById: true,
    profile: change({
      ...may.goElsewhereById,
      body: may.body(['url', 'events', 'active']),
      add: may.add,
      answer: may.answerAt(webhookAnswer),
    }),
  },
  deleteWebhook: {
    ...portal,
    method: 'DELETE',
    path: `${WEBHOOKS}/{id}`,
    input: deleteWebhookInput,
    envelope: 'empty',
    answer: null,
    httpStatus: 204,
    namesById: true,
    profile: change(may.goElsewhereById),
  },
});

export function webhookMethods(caller: Caller): WebhookMethods {
  return {
    listWebhooks: async (...given) => {
      const { webhooks } = await caller.exchange(
        { operation: webhookOperations.listWebhooks },
        optionsOf(given),
      );
      return { webhooks: webhooks.map(decodeWebhook) };
    },
    createWebhook: async (input, options) => {
      const operation = webhookOperations.createWebhook;
      const created = await caller.exchange(
        { operation, body: readInput(operation, input) },
        options,
      );
      return decodeCreated(created);
    },
    updateWebhook: async (input, options) => {
      const operation = webhookOperations.updateWebhook;
      const { id, ...body } = readInput(operation, input);
      const ifEmpty = { id, url: '' };
      return decodeWebhook(await caller.exchange({ operation, id, body }, options, { ifEmpty }));
    },
    deleteWebhook: async (input, options) => {
      const operation = webhookOperations.deleteWebhook;
      const { id } = readInput(operation, input);
      await caller.exchange({ operation, id }, options);
    },
  };
}

function decodeCreated(created: z.output<typeof createdWebhookAnswer>): CreatedWebhook {
  const webhook = { ...decodeWebhook(created), secret: created.secret ?? null };
  if (webhook.secret !== null) return webhook;
  return Object.defineProperty(webhook, 'body', { value: bodyOf(created) });
}

function decodeWebhook(record: z.output<typeof webhookAnswer>): Webhook {
  const { id, url, active, events } = record;
  return { id, url, ...(active !== undefined && { active }), ...(events && { events }) };
}
