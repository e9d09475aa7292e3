import { inspect } from 'node:util';
import { z } from 'zod';
import { type Caller, type CallOptions, optionsOf } from './call.ts';
import {
  filledText,
  fullSecret,
  mayInform,
  noInput,
  oneOf,
  pathId,
  readInput,
  unlessNone,
  wireId,
} from './fields.ts';
import { asks, change, may, operationsOf, patches, portal, posts } from './operation.ts';
import { maskedKey } from './quotable.ts';

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
const credentialAnswer = z.object({
  id: unlessNone(wireId),
  apiKey: unlessNone(z.string().min(1).max(512)),
  environment: mayInform,
  status: oneOf('ACTIVE|REVOKED', mayInform),
  createdAt: mayInform,
  expiresAt: mayInform,
});

/** Answer of rotate-api-key (assumption N18). */
const newCredentialAnswer = credentialAnswer.extend({ apiKey: fullSecret.max(512) });

/** Answer of retrieve-credentials (assumption N17). */
const credentialsAnswer = z.object({ credentials: z.array(credentialAnswer).max(1_000) });

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

const createSdkTokenInput: z.ZodType<CreateSdkTokenInput> = z.strictObject({
  name: filledText,
  type: filledText.optional(),
  terminalId: filledText.optional(),
});

const updateSdkTokenInput: z.ZodType<UpdateSdkTokenInput> = z.strictObject({
  id: pathId,
  status: z.enum(['ACTIVE', 'DISABLED']),
});

/** A token's record (assumption N19). */
const sdkTokenAnswer = z.object({
  id: unlessNone(wireId),
  name: mayInform,
  type: mayInform,
  terminalId: mayInform,
  status: oneOf('ACTIVE|DISABLED', mayInform),
  createdAt: mayInform,
  expiresAt: mayInform,
});

/** Answer of list-sdk-tokens (assumption N19). */
const sdkTokensAnswer = z.object({ sdkTokens: z.array(sdkTokenAnswer).max(1_000) });

/** Answer of create-sdk-token (assumption N19). */
const createdSdkTokenAnswer = sdkTokenAnswer.extend({ token: fullSecret });

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

const CREDENTIALS = '/merchant/account/credentials';
const SDK_TOKENS = '/merchant/account/sdk-tokens';
export const portalOperations = operationsOf({
  retrieveCredentials: {
    ...portal,
    ...asks,
    path: CREDENTIALS,
    input: noInput,
    answer: credentialsAnswer,
    profile: change({ answer: may.listAt('credentials', credentialAnswer) }),
    list: 'credentials',
  },
  rotateApiKey: {
    ...portal,
    ...posts,
    path: `${CREDENTIALS}/rotate`,
    input: noInput,
    answer: newCredentialAnswer,
    httpStatus: 201,
    profile: change({ ...may.goElsewhere, add: may.add, answer: may.answerAt(credentialAnswer) }),
    givesSecret: 'apiKey',
  },
  listSdkTokens: {
    ...portal,
    ...asks,
    path: SDK_TOKENS,
    input: noInput,
    answer: sdkTokensAnswer,
    profile: change({ ...may.goElsewhere, answer: may.listAt('sdkTokens', sdkTokenAnswer) }),
    list: 'sdkTokens',
  },
  createSdkToken: {
    ...portal,
    ...posts,
    path: SDK_TOKENS,
    input: createSdkTokenInput,
    answer: createdSdkTokenAnswer,
    httpStatus: 201,
    profile: change({
      ...may.goElsewhere,
      body: may.body(['name', 'type', 'terminalId']),
      add: may.add,
      answer: may.answerAt(createdSdkTokenAnswer),
    }),
    givesSecret: 'token',
  },
  updateSdkToken: {
    ...portal,
    ...patches,
    path: `${SDK_TOKENS}/{id}`,
    input: updateSdkTokenInput,
    answer: sdkTokenAnswer,
    namesById: true,
    profile: change({
      ...may.goElsewhereById,
      body: may.body(['status']),
      add: may.add,
      answer: may.answerAt(sdkTokenAnswer),
    }),
  },
});

export function portalMethods(caller: Caller): ApiCredentialMethods & SdkTokenMethods {
  return {
    retrieveCredentials: async (...given) => {
      const operation = portalOperations.retrieveCredentials;
      const { credentials } = await caller.exchange({ operation }, optionsOf(given));
      return { credentials: credentials.map(unprinted) };
    },
    rotateApiKey: (...given) =>
      caller.exchange({ operation: portalOperations.rotateApiKey }, optionsOf(given)),
    listSdkTokens: (...given) =>
      caller.exchange({ operation: portalOperations.listSdkTokens }, optionsOf(given)),
    createSdkToken: async (input, options) => {
      const operation = portalOperations.createSdkToken;
      return caller.exchange({ operation, body: readInput(operation, input) }, options);
    },
    updateSdkToken: async (input, options) => {
      const operation = portalOperations.updateSdkToken;
      const { id, status } = readInput(operation, input);
      const call = { operation, id, body: { status } };
      return caller.exchange(call, options, { ifEmpty: sdkTokenAnswer.parse({ id }) });
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
