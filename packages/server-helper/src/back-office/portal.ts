import { createHash } from 'node:crypto';
import { GatewayError } from '../gateway/gateway-error.ts';
import type { CallOptions } from '../gateway/call.ts';
import type { ApiCredential, SdkToken } from '../gateway/portal.ts';
import type { Webhook } from '../gateway/webhooks.ts';
import type { Visit } from './office.ts';

/** What the gateway's portal holds for the merchant: each list, or why it could not be read. */
export interface Portal {
  readonly webhooks: readonly Webhook[] | GatewayError;
  readonly credentials: readonly ApiCredential[] | GatewayError;
  readonly sdkTokens: readonly SdkToken[] | GatewayError;
}

/** How long a page waits for the gateway: a person waits for the page. */
export const TIME_LIMIT_MS = 4_000;

/** Reads the portal; `null` where the shop has no login for it. */
export async function readPortal({ office }: Visit): Promise<Portal | null> {
  const { gateway } = office.payments;
  if (!office.parts.gateway.hasPortal) return null;
  const options: CallOptions = { timeoutMs: TIME_LIMIT_MS };
  const [webhooks, credentials, sdkTokens] = await Promise.all([
    orError(gateway.listWebhooks(options).then((answer) => answer.webhooks)),
    orError(gateway.retrieveCredentials(options).then((answer) => answer.credentials)),
    orError(gateway.listSdkTokens(options).then((answer) => answer.sdkTokens)),
  ]);
  return { webhooks, credentials, sdkTokens };
}

async function orError<T>(call: Promise<T>): Promise<T | GatewayError> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}

/** A list of the portal that could be read. */
export const isRead = <T>(list: readonly T[] | GatewayError): list is readonly T[] =>
  !(list instanceof GatewayError);

/** Names the records of a list, so that a question can tell that the list has changed since. */
export function markOf(records: readonly (Webhook | ApiCredential | SdkToken)[]): string {
  const names = records.map((one) => `${one.id} ${'apiKey' in one ? one.apiKey : ''}`);
  const sorted = names.toSorted((one, other) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('base64url');
}
