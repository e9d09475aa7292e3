import { inspect } from 'node:util';
import type { z } from 'zod';
import { type Caller, type CallOptions, optionsOf } from '../caller.ts';
import { maskedKey } from '../quotable.ts';
import {
  type ApiCredential,
  type CreatedSdkToken,
  type CreatedWebhook,
  type createdWebhookAnswer,
  type CreateSdkTokenInput,
  type CreateWebhookInput,
  type DeleteWebhookInput,
  type SdkToken,
  sdkTokenAnswer,
  type UpdateSdkTokenInput,
  type UpdateWebhookInput,
  type Webhook,
  type webhookAnswer,
} from '../schemas/portal.ts';
import { readInput } from '../input.ts';
import { bodyOf } from '../sealed-body.ts';

/** The merchant's API keys (§4.13, §4.14), opened by the portal credential. */
export interface ApiCredentialMethods {
  /**
   * Retrieves the API keys' records (§4.13; the fields are assumed: N17), with the keys as the gateway
   * gives them: most mask them. A printed or serialized record shows its key by the end only.
   *
   * @throws {@link GatewayError} `unauthorized` when the portal refuses the credential,
   * `portal_not_configured` when the client has none.
   * @example
   * const { credentials } = await client.retrieveCredentials();
   * console.log(credentials.filter(({ status }) => status === 'ACTIVE').map(({ apiKey }) => apiKey));
   */
  retrieveCredentials(
    options?: CallOptions,
  ): Promise<{ readonly credentials: readonly ApiCredential[] }>;
  /**
   * Makes a new API key (§4.14, assumed: N18) and returns it in full, only here. The old key lives
   * until it is revoked; this client goes on with the keys it was given.
   *
   * @throws {@link GatewayError} As {@link ApiCredentialMethods.retrieveCredentials}; a lost answer
   * is `unknown`: a key may exist that is not known here. After an answer in another form
   * `error.body.read()` gives it, once, and with it the key.
   * @example
   * const { id, apiKey } = await client.rotateApiKey();
   * // Deploy it beside the old key, apiKey: [new, old], and revoke the old one once it works.
   * console.log(id, apiKey.length);
   */
  rotateApiKey(options?: CallOptions): Promise<ApiCredential>;
}

/** Tokens of terminals and mobile products (§4.15 to §4.17), opened by the portal credential. */
export interface SdkTokenMethods {
  /**
   * Lists the tokens' records (§4.15, assumed: N19), without the tokens themselves.
   *
   * @throws {@link GatewayError} `unauthorized` when the portal refuses the credential,
   * `portal_not_configured` when the client has none.
   * @example
   * const { sdkTokens } = await client.listSdkTokens();
   * console.log(sdkTokens.map(({ name, status }) => `${name} ${status}`));
   */
  listSdkTokens(options?: CallOptions): Promise<{ readonly sdkTokens: readonly SdkToken[] }>;
  /**
   * Creates a token (§4.16, assumed: N19) and returns it in full, only here.
   *
   * @throws {@link GatewayError} As {@link SdkTokenMethods.listSdkTokens}; a lost answer is
   * `unknown`: a token may exist that is not known here. After an answer in another form
   * `error.body.read()` gives it, once, and with it the token.
   * @example
   * const created = await client.createSdkToken({ name: 'Till 3', terminalId: 'T-0003' });
   * console.log(created.id); // Store created.token with your secrets; it is given only here.
   */
  createSdkToken(input: CreateSdkTokenInput, options?: CallOptions): Promise<CreatedSdkToken>;
  /**
   * Switches a token on or off (§4.17, assumed: N19). After a success without a body the result has the
   * `id` alone.
   *
   * @throws {@link GatewayError} `not_found` for an unknown id; otherwise as
   * {@link SdkTokenMethods.listSdkTokens}. A lost answer is `unknown`.
   * @example
   * const { status } = await client.updateSdkToken({ id: 'sdk_1', status: 'DISABLED' });
   * console.log(status);
   */
  updateSdkToken(input: UpdateSdkTokenInput, options?: CallOptions): Promise<SdkToken>;
}

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

/** Makes the methods that the portal credential opens. */
export function portalMethods(
  caller: Caller,
): ApiCredentialMethods & SdkTokenMethods & WebhookMethods {
  return {
    retrieveCredentials: async (...given) => {
      const operation = 'retrieveCredentials';
      const { credentials } = await caller.exchange({ operation }, optionsOf(given));
      return { credentials: credentials.map(unprinted) };
    },
    rotateApiKey: (...given) => caller.exchange({ operation: 'rotateApiKey' }, optionsOf(given)),
    listSdkTokens: (...given) => caller.exchange({ operation: 'listSdkTokens' }, optionsOf(given)),
    createSdkToken: async (input, options) => {
      const operation = 'createSdkToken';
      return caller.exchange({ operation, body: readInput(operation, input) }, options);
    },
    updateSdkToken: async (input, options) => {
      const operation = 'updateSdkToken';
      const { id, status } = readInput(operation, input);
      const call = { operation, id, body: { status } } as const;
      return caller.exchange(call, options, { ifEmpty: sdkTokenAnswer.parse({ id }) });
    },
    listWebhooks: async (...given) => {
      const { webhooks } = await caller.exchange({ operation: 'listWebhooks' }, optionsOf(given));
      return { webhooks: webhooks.map(decodeWebhook) };
    },
    createWebhook: async (input, options) => {
      const operation = 'createWebhook';
      const created = await caller.exchange(
        { operation, body: readInput(operation, input) },
        options,
      );
      return decodeCreated(created);
    },
    updateWebhook: async (input, options) => {
      const operation = 'updateWebhook';
      const { id, ...body } = readInput(operation, input);
      const ifEmpty = { id, url: '' };
      return decodeWebhook(await caller.exchange({ operation, id, body }, options, { ifEmpty }));
    },
    deleteWebhook: async (input, options) => {
      const operation = 'deleteWebhook';
      const { id } = readInput(operation, input);
      await caller.exchange({ operation, id }, options);
    },
  };
}

/**
 * A record whose key is there to be read (§5), and shows by its end where the record is printed: the
 * list may hold the very key that this client uses.
 */
function unprinted(record: ApiCredential): ApiCredential {
  const value = () => ({ ...record, apiKey: maskedKey(record.apiKey) });
  return Object.defineProperties({ ...record }, { toJSON: { value }, [inspect.custom]: { value } });
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
