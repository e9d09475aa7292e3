import type { z } from 'zod';
import type { Caller } from '../caller.ts';
import { optionsOf, type CallOptions } from '../call.ts';
import { maskedKey } from '../redaction.ts';
import type { ApiCredential, credentialAnswer } from '../schemas/api-credential.ts';

/** The merchant's API keys (§4.13, §4.14), opened by the portal credential. */
export interface ApiCredentialMethods {
  /**
   * Retrieves the API keys' records (§4.13; the fields are assumed: N17), keys masked.
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
   * // Deploy it beside the old key, apiKey: [old, new], and revoke the old one once it works.
   * console.log(id, apiKey.length);
   */
  rotateApiKey(options?: CallOptions): Promise<ApiCredential>;
}

/** Makes the API keys' methods. */
export function apiCredentialMethods(caller: Caller): ApiCredentialMethods {
  return {
    retrieveCredentials: async (...given) => {
      const operation = 'retrieveCredentials';
      const { credentials } = await caller.exchange({ operation }, optionsOf(given));
      return {
        credentials: credentials.map((record) => {
          const { apiKey } = record;
          // The gateway masks them (N17). Should it not, our own key must not show in a list.
          const shown = caller.isCredential(apiKey) ? maskedKey(apiKey) : apiKey;
          return decodeCredential({ ...record, apiKey: shown });
        }),
      };
    },
    rotateApiKey: async (...given) => {
      const operation = 'rotateApiKey';
      return decodeCredential(await caller.exchange({ operation }, optionsOf(given)));
    },
  };
}

function decodeCredential(record: z.output<typeof credentialAnswer>): ApiCredential {
  return {
    id: record.id,
    apiKey: record.apiKey,
    environment: record.environment ?? undefined,
    status: record.status ?? undefined,
    createdAt: record.createdAt ?? undefined,
    expiresAt: record.expiresAt ?? undefined,
  };
}
