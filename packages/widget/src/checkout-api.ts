import { type Answer, readAnswer } from './answer.ts';
import { PayError } from './errors.ts';

/**
 * Asks the shop's own server for the address of the hosted page.
 *
 * @param credentials - whether cookies go to another origin
 * @param key - sent as `Idempotency-Key`
 * @param body - JSON text
 * @param signal - its reason, a `PayError`, is what an aborted request throws
 * @returns the `redirectUrl` of the answer, not yet checked
 * @throws PayError with `offline` (not sent), `network` or `invalid_response` (unknown), the code
 *   of a problem document (refused for 4xx, unknown for 5xx), or the signal's reason
 * @throws TypeError when the browser takes no such endpoint or credentials
 * @see RFC 9457 for problem documents
 */
export async function requestRedirect(
  endpoint: string,
  credentials: RequestCredentials,
  key: string,
  body: string,
  signal: AbortSignal,
): Promise<unknown> {
  // A browser without a network adapter says "offline" though loopback works, so the request is
  // tried in any case. Only its failure proves that nothing left the browser.
  const offline = !navigator.onLine;
  const request = new Request(endpoint, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    credentials,
    redirect: 'manual',
    body,
    signal,
  });
  let status: number;
  let answer: Answer;
  try {
    const response = await fetch(request);
    ({ status } = response);
    answer = await readAnswer(response);
  } catch (cause) {
    signal.throwIfAborted();
    throw offline
      ? new PayError('offline', 'not-sent', true, cause)
      : new PayError('network', 'unknown', true, cause);
  }
  const { redirectUrl, code } = answer.fields;
  if (status < 300 && redirectUrl) return redirectUrl;
  const isProblem = status >= 400;
  const isRefused = isProblem && status < 500;
  const known = isProblem && typeof code === 'string' && code;
  const missing = answer.instead || (isProblem ? 'without a code' : 'without redirectUrl');
  throw new PayError(
    known || 'invalid_response',
    isRefused ? 'refused' : 'unknown',
    known !== 'already_paid' && (!isRefused || status === 408 || status === 429),
    known
      ? undefined
      : new Error(
          `endpoint answered ${status || 'a redirect'} ${missing}. Mount payments.router() there.`,
        ),
  );
}
