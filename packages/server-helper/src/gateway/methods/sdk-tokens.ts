import type { z } from 'zod';
import type { Caller } from '../caller.ts';
import { optionsOf, type CallOptions } from '../call.ts';
import { readInput } from '../input.ts';
import type {
  CreatedSdkToken,
  CreateSdkTokenInput,
  SdkToken,
  sdkTokenAnswer,
  UpdateSdkTokenInput,
} from '../schemas/sdk-token.ts';

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
   * Switches a token on or off (§4.17, assumed: N19).
   *
   * @throws {@link GatewayError} `not_found` for an unknown id; otherwise as
   * {@link SdkTokenMethods.listSdkTokens}. A lost answer is `unknown`.
   * @example
   * const { status } = await client.updateSdkToken({ id: 'sdk_1', status: 'DISABLED' });
   * console.log(status);
   */
  updateSdkToken(input: UpdateSdkTokenInput, options?: CallOptions): Promise<SdkToken>;
}

/** Makes the SDK tokens' methods. */
export function sdkTokenMethods(caller: Caller): SdkTokenMethods {
  return {
    listSdkTokens: async (...given) => {
      const operation = 'listSdkTokens';
      const { sdkTokens } = await caller.exchange({ operation }, optionsOf(given));
      return { sdkTokens: sdkTokens.map(decodeSdkToken) };
    },
    createSdkToken: async (input, options) => {
      const operation = 'createSdkToken';
      const body = readInput(operation, input);
      const created = await caller.exchange({ operation, body }, options);
      return { ...decodeSdkToken(created), token: created.token };
    },
    updateSdkToken: async (input, options) => {
      const operation = 'updateSdkToken';
      const { id, status } = readInput(operation, input);
      const call = { operation, id, body: { status } } as const;
      return decodeSdkToken(await caller.exchange(call, options));
    },
  };
}

function decodeSdkToken(record: z.output<typeof sdkTokenAnswer>): SdkToken {
  return {
    id: record.id,
    name: record.name ?? undefined,
    type: record.type ?? undefined,
    terminalId: record.terminalId ?? undefined,
    status: record.status ?? undefined,
    createdAt: record.createdAt ?? undefined,
    expiresAt: record.expiresAt ?? undefined,
  };
}
