import type { z } from 'zod';
import type { Caller } from '../caller.ts';
import { optionsOf, type CallOptions } from '../call.ts';
import { readInput } from '../input.ts';
import { bodyOf } from '../sealed-body.ts';
import type {
  CreatedWebhook,
  createdWebhookAnswer,
  CreateWebhookInput,
  DeleteWebhookInput,
  UpdateWebhookInput,
  Webhook,
  webhookAnswer,
} from '../schemas/webhook.ts';

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
   * given stays.
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

/** Makes the webhooks' methods. */
export function webhookMethods(caller: Caller): WebhookMethods {
  return {
    listWebhooks: async (...given) => {
      const operation = 'listWebhooks';
      const { webhooks } = await caller.exchange({ operation }, optionsOf(given));
      return { webhooks: webhooks.map(decodeWebhook) };
    },
    createWebhook: async (input, options) => {
      const operation = 'createWebhook';
      const { url, events, active } = readInput(operation, input);
      const body = { url, events, active };
      const created = await caller.exchange({ operation, body }, options);
      return decodeCreated(created);
    },
    updateWebhook: async (input, options) => {
      const operation = 'updateWebhook';
      const { id, ...body } = readInput(operation, input);
      return decodeWebhook(await caller.exchange({ operation, id, body }, options));
    },
    deleteWebhook: async (input, options) => {
      const operation = 'deleteWebhook';
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
