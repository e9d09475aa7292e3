import { inspect } from 'node:util';
import { z } from 'zod';
import { type Caller, type CallOptions, optionsOf } from './call.ts';
import * as fields from './fields.ts';
import type { SealedBody } from './gateway-error.ts';
import { change, may, operationsOf, portal } from './operation.ts';
import { maskedKey } from './quotable.ts';

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
  /** Names of events, such as `Purchase` (N13); a new webhook gets all unless it says so. */
  readonly events?: readonly string[] | undefined;
  /** Whether it gets deliveries; a new webhook does unless it says so. */
  readonly active?: boolean | undefined;
}

/** What changes of a webhook (§4.11, N12): one thing at least; what is not given stays. */
export interface UpdateWebhookInput extends Omit<CreateWebhookInput, 'url'> {
  /** From the list of webhooks. */
  readonly id: string;
  /** Where deliveries go from now on; http(s). */
  readonly url?: string | undefined;
}

/** Which webhook is deleted (§4.12). */
export interface DeleteWebhookInput {
  /** From the list of webhooks. */
  readonly id: string;
}

/** A record of the portal, times in the gateway's spelling. */
interface PortalRecord {
  /** What names it in the portal; empty where the gateway gives none. */
  readonly id: string;
  /** `ACTIVE`; of a key `REVOKED`, of a token `DISABLED`; or a word we do not know. */
  readonly status?: string | undefined;
  /** When it was made. */
  readonly createdAt?: string | undefined;
  /** When it ends. */
  readonly expiresAt?: string | undefined;
}

/** An API key's record (§4.13, assumption N17). */
export interface ApiCredential extends PortalRecord {
  /** As the gateway gives it: usually masked where it is listed, always in full where it is new. */
  readonly apiKey: string;
  /** The environment that it opens. */
  readonly environment?: string | undefined;
}

/** A terminal's or mobile product's token, without its secret part (§4.15, assumption N19). */
export interface SdkToken extends PortalRecord {
  /** The name that the merchant gave. */
  readonly name?: string | undefined;
  /** The kind of product that it is for. */
  readonly type?: string | undefined;
  /** The terminal that it is for. */
  readonly terminalId?: string | undefined;
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

/**
 * The merchant's webhooks (§4.9 to §4.12), API keys (§4.13, §4.14) and tokens of terminals and
 * mobile products (§4.15 to §4.17), opened by the portal credential.
 */
export interface PortalMethods {
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
   * @throws {@link GatewayError} As {@link PortalMethods.listWebhooks}; a lost answer is `unknown`:
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
   * {@link PortalMethods.createWebhook}.
   * @example
   * const webhook = await client.updateWebhook({ id: 'wh_1', active: false });
   * console.log(webhook.url);
   */
  updateWebhook(input: UpdateWebhookInput, options?: CallOptions): Promise<Webhook>;
  /**
   * Deletes a webhook (§4.12, assumed: N12).
   *
   * @throws {@link GatewayError} `not_found` for an unknown id; otherwise as
   * {@link PortalMethods.createWebhook}.
   * @example
   * await client.deleteWebhook({ id: 'wh_1' });
   */
  deleteWebhook(input: DeleteWebhookInput, options?: CallOptions): Promise<void>;
  /**
   * Retrieves the API keys' records (§4.13; the fields are assumed: N17), with the keys as the gateway
   * gives them: most mask them. A printed or serialized record shows its key by the end only.
   *
   * @throws {@link GatewayError} As {@link PortalMethods.listWebhooks}.
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
   * @throws {@link GatewayError} As {@link PortalMethods.createWebhook}. A lost key lives on.
   * @example
   * const { id, apiKey } = await client.rotateApiKey();
   * // Deploy it beside the old key, apiKey: [new, old], and revoke the old one once it works.
   * console.log(id, apiKey.length);
   */
  rotateApiKey(options?: CallOptions): Promise<ApiCredential>;
  /**
   * Lists the tokens' records (§4.15, assumed: N19), without the tokens themselves.
   *
   * @throws {@link GatewayError} As {@link PortalMethods.listWebhooks}.
   * @example
   * const { sdkTokens } = await client.listSdkTokens();
   * console.log(sdkTokens.map(({ name, status }) => `${name} ${status}`));
   */
  listSdkTokens(options?: CallOptions): Promise<{ readonly sdkTokens: readonly SdkToken[] }>;
  /**
   * Creates a token (§4.16, assumed: N19) and returns it in full, only here.
   *
   * @throws {@link GatewayError} As {@link PortalMethods.createWebhook}. A lost token lives on.
   * @example
   * const created = await client.createSdkToken({ name: 'Till 3', terminalId: 'T-0003' });
   * console.log(created.id); // Store created.token with your secrets; it is given only here.
   */
  createSdkToken(input: CreateSdkTokenInput, options?: CallOptions): Promise<CreatedSdkToken>;
  /**
   * Switches a token on or off (§4.17, assumed: N19). After a success without a body the result has the
   * `id` alone.
   *
   * @throws {@link GatewayError} As {@link PortalMethods.updateWebhook}.
   * @example
   * const { status } = await client.updateSdkToken({ id: 'sdk_1', status: 'DISABLED' });
   * console.log(status);
   */
  updateSdkToken(input: UpdateSdkTokenInput, options?: CallOptions): Promise<SdkToken>;
}

/** A list's records; more than a merchant has are another thing. */
const listOf = <Row extends z.ZodType>(record: Row) => z.array(record).max(1_000);

const listedWebhook = z.object({
  id: fields.wireIdOrNumber,
  url: z.string().min(1),
  active: z.boolean().optional().catch(undefined),
  events: z.array(z.string()).optional().catch(undefined),
});

const webhook = listedWebhook.extend({
  id: fields.unlessNone(fields.wireId),
  url: fields.unlessNone(z.string().min(1)),
});

const createdWebhook = webhook.extend({ secret: fields.fullSecret.nullable().catch(null) });

const credential = z.object({
  id: fields.unlessNone(fields.wireId),
  apiKey: fields.unlessNone(z.string().min(1).max(512)),
  environment: fields.mayInform,
  status: fields.oneOf('ACTIVE|REVOKED', fields.mayInform),
  createdAt: fields.mayInform,
  expiresAt: fields.mayInform,
});

const sdkToken = z.object({
  id: fields.unlessNone(fields.wireId),
  name: fields.mayInform,
  type: fields.mayInform,
  terminalId: fields.mayInform,
  status: fields.oneOf('ACTIVE|DISABLED', fields.mayInform),
  createdAt: fields.mayInform,
  expiresAt: fields.mayInform,
});

const createdSdkToken = sdkToken.extend({ token: fields.fullSecret });

const webhookInput = z.strictObject({
  url: fields.webAddressInput,
  events: z.array(fields.filledText).readonly().optional(),
  active: z.boolean().optional(),
});

const updateWebhookInput: z.ZodType<UpdateWebhookInput> = webhookInput
  .partial()
  .extend({ id: fields.pathId })
  .refine(
    ({ id: _id, ...changes }) => Object.values(changes).some((one) => one !== undefined),
    'holds nothing to change: give url, events or active',
  );

const createSdkTokenInput: z.ZodType<CreateSdkTokenInput> = z.strictObject({
  name: fields.filledText,
  type: fields.filledText.optional(),
  terminalId: fields.filledText.optional(),
});

const updateSdkTokenInput: z.ZodType<UpdateSdkTokenInput> = z.strictObject({
  id: fields.pathId,
  status: z.enum(['ACTIVE', 'DISABLED']),
});

const WEBHOOKS = '/merchant/account/webhooks';
const CREDENTIALS = '/merchant/account/credentials';
const SDK_TOKENS = '/merchant/account/sdk-tokens';

const lists = { ...portal, method: 'GET', input: fields.noInput } as const;
const creates = { ...portal, method: 'POST', httpStatus: 201 } as const;
const changes = { ...portal, method: 'PATCH', namesById: true } as const;

/** The portal's operations (assumptions N12, N17 to N19). */
export const portalOperations = operationsOf({
  listWebhooks: { ...lists, path: WEBHOOKS, answer: z.object({ webhooks: listOf(listedWebhook) }) },
  createWebhook: {
    ...creates,
    path: WEBHOOKS,
    input: webhookInput satisfies z.ZodType<CreateWebhookInput>,
    answer: createdWebhook,
    profile: may.change(['url', 'events', 'active'], createdWebhook),
    givesSecret: 'secret',
  },
  updateWebhook: {
    ...changes,
    path: `${WEBHOOKS}/{id}`,
    input: updateWebhookInput,
    answer: webhook,
    profile: may.changeById(['url', 'events', 'active'], webhook),
  },
  deleteWebhook: {
    ...portal,
    method: 'DELETE',
    path: `${WEBHOOKS}/{id}`,
    input: z.strictObject({ id: fields.pathId }) satisfies z.ZodType<DeleteWebhookInput>,
    envelope: 'empty',
    answer: null,
    namesById: true,
    profile: change(may.goElsewhereById),
  },
  retrieveCredentials: {
    ...lists,
    path: CREDENTIALS,
    answer: z.object({ credentials: listOf(credential) }),
    profile: change({ answer: may.listAt('credentials', credential) }),
    list: 'credentials',
  },
  rotateApiKey: {
    ...creates,
    path: `${CREDENTIALS}/rotate`,
    input: fields.noInput,
    answer: credential.extend({ apiKey: fields.fullSecret.max(512) }),
    profile: change({ ...may.goElsewhere, add: may.add, answer: may.answerAt(credential) }),
    givesSecret: 'apiKey',
  },
  listSdkTokens: {
    ...lists,
    path: SDK_TOKENS,
    answer: z.object({ sdkTokens: listOf(sdkToken) }),
    profile: change({ ...may.goElsewhere, answer: may.listAt('sdkTokens', sdkToken) }),
    list: 'sdkTokens',
  },
  createSdkToken: {
    ...creates,
    path: SDK_TOKENS,
    input: createSdkTokenInput,
    answer: createdSdkToken,
    profile: may.change(['name', 'type', 'terminalId'], createdSdkToken),
    givesSecret: 'token',
  },
  updateSdkToken: {
    ...changes,
    path: `${SDK_TOKENS}/{id}`,
    input: updateSdkTokenInput,
    answer: sdkToken,
    profile: may.changeById(['status'], sdkToken),
  },
});

export function portalMethods(caller: Caller): PortalMethods {
  const rows = portalOperations;
  return {
    listWebhooks: (...given) => caller.exchange({ operation: rows.listWebhooks }, optionsOf(given)),
    createWebhook: async (input, options) => {
      const operation = rows.createWebhook;
      const body = fields.readInput(operation, input);
      let value: SealedBody | undefined;
      const keepBody = (whole: typeof value): void => void (value = whole);
      const made = await caller.exchange({ operation, body }, options, { keepBody });
      return made.secret === null ? Object.defineProperty(made, 'body', { value }) : made;
    },
    updateWebhook: async (input, options) => {
      const operation = rows.updateWebhook;
      const { id, ...body } = fields.readInput(operation, input);
      return caller.exchange({ operation, id, body }, options, { ifEmpty: { id, url: '' } });
    },
    deleteWebhook: async (input, options) => {
      const operation = rows.deleteWebhook;
      const { id } = fields.readInput(operation, input);
      await caller.exchange({ operation, id }, options);
    },
    retrieveCredentials: async (...given) => {
      const call = { operation: rows.retrieveCredentials };
      const { credentials } = await caller.exchange(call, optionsOf(given));
      return { credentials: credentials.map(unprinted) };
    },
    rotateApiKey: (...given) => caller.exchange({ operation: rows.rotateApiKey }, optionsOf(given)),
    listSdkTokens: (...given) =>
      caller.exchange({ operation: rows.listSdkTokens }, optionsOf(given)),
    createSdkToken: async (input, options) => {
      const operation = rows.createSdkToken;
      return caller.exchange({ operation, body: fields.readInput(operation, input) }, options);
    },
    updateSdkToken: async (input, options) => {
      const operation = rows.updateSdkToken;
      const { id, status } = fields.readInput(operation, input);
      const ifEmpty = sdkToken.parse({ id });
      return caller.exchange({ operation, id, body: { status } }, options, { ifEmpty });
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
