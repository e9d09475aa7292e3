import { contentOf } from './console-advice.ts';
import { PayError } from './errors.ts';
import { ownFields } from './own-fields.ts';

/**
 * Asks the shop's own server for the address of the hosted page.
 *
 * @param key - sent as `Idempotency-Key`
 * @param body - JSON text
 * @param signal - its reason, a `PayError`, is what an aborted request throws
 * @returns the `redirectUrl` of the answer, not yet checked
 * @throws PayError with `offline` (not sent), `network` or `invalid_response` (unknown), the code
 *   of a problem document (refused for 4xx, unknown for 5xx), or the signal's reason
 * @see RFC 9457 for problem documents
 */
export async function requestRedirect(
  endpoint: string,
  key: string,
  body: string,
  signal: AbortSignal,
): Promise<unknown> {
  // Browsers without a network adapter say "offline" though loopback works, so the request is
  // tried all the same; only its failure proves that nothing left.
  const offline = !navigator.onLine;
  let status = 0;
  let text = '';
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      redirect: 'manual',
      body,
      signal,
    });
    status = response.status;
    text = await response.text();
  } catch (cause) {
    signal.throwIfAborted();
    throw offline
      ? new PayError('offline', 'not-sent', true, cause)
      : new PayError('network', 'unknown', true, cause);
  }
  let answer: unknown;
  let lack = status < 400 ? 'without redirectUrl' : 'without a code';
  try {
    answer = JSON.parse(text);
  } catch {
    lack = contentOf(text);
  }
  const { redirectUrl, code } = ownFields(answer);
  if (status < 300 && redirectUrl) return redirectUrl;
  const given = status >= 400 && typeof code === 'string' && code;
  const refused = status >= 400 && status < 500;
  throw new PayError(
    given || 'invalid_response',
    refused ? 'refused' : 'unknown',
    given !== 'already_paid' && (!refused || status === 408 || status === 429),
    given
      ? undefined
      : new Error(
          `endpoint answered ${status || 'a redirect'} ${lack}. Mount payments.router() there, or answer as it does.`,
        ),
  );
}
