import { messagesOf } from './envelope.ts';
import type { GatewayErrorCode, Outcome } from './gateway-error.ts';
import { parseJson } from './json.ts';
import { faultOfCredential } from './refused-credential.ts';
import { isPassing, readRetryAfter } from './retry.ts';
import type { TransportAnswer, TransportError, TransportFault } from './transport.ts';

/** What an answer, or the lack of one, means for the request that it was sent for. */
export interface Meaning {
  readonly code: GatewayErrorCode;
  readonly outcome: Outcome;
  readonly why: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number | undefined;
}

const byStatus: Readonly<Record<number, GatewayErrorCode>> = {
  400: 'invalid_request',
  404: 'not_found',
  429: 'rate_limited',
};

/** The meaning of an answer with a status other than 2xx. */
export function meaningOfStatus(answer: TransportAnswer, now: number): Meaning {
  const { status } = answer;
  const isServerFault = status >= 500;
  const isRedirect = status >= 300 && status < 400;
  const fallback = isServerFault ? 'gateway_fault' : isRedirect ? 'redirected' : 'rejected';
  const { code, why } = refusalOf(status, answer, fallback);
  return {
    code,
    outcome: isServerFault || isRedirect || status < 200 ? 'unknown' : 'rejected',
    why: `the gateway answered HTTP ${status}${why}`,
    retryable: isPassing(status) || isServerFault,
    retryAfterMs: readRetryAfter(answer.headers, now),
  };
}

/**
 * The meaning of a 2xx answer whose `errorCode` is set. A code that speaks of the gateway's own
 * fault leaves open what was done, as HTTP 5xx does, wherever something could have been done.
 */
export function meaningOfErrorCode(
  errorCode: string,
  answer: TransportAnswer,
  mayHaveActed: boolean,
): Meaning {
  const text = 'the gateway answered with an error code';
  if (/^5\d\d$/.test(errorCode) && mayHaveActed) {
    return { code: 'gateway_fault', outcome: 'unknown', why: text, retryable: true };
  }
  const { code, why } = refusalOf(Number(errorCode), answer, 'rejected');
  return { code, outcome: 'rejected', why: `${text}${why}`, retryable: false };
}

/** What a number of HTTP says, whether it came as the status or as `errorCode`. */
function refusalOf(status: number, { body }: TransportAnswer, fallback: GatewayErrorCode) {
  if (status === 401) return faultOfCredential(messagesOf(parseJson(body)));
  return { code: byStatus[status] ?? fallback, why: '' };
}

const faults: Readonly<Record<TransportFault, readonly [GatewayErrorCode, Outcome]>> = {
  not_connected: ['connection_failed', 'not-sent'],
  not_sent: ['connection_failed', 'not-sent'],
  closed: ['closed', 'not-sent'],
  lost: ['connection_lost', 'unknown'],
  too_large: ['answer_too_large', 'unknown'],
  encoded: ['unreadable_answer', 'unknown'],
};

/** The meaning of getting no whole answer. */
export function meaningOfFault({ fault, message }: TransportError): Meaning {
  const [code, outcome] = faults[fault];
  return { code, outcome, why: message, retryable: code !== 'closed' };
}

/** The meaning of a 2xx answer that is not what the specification says. */
export const unreadableBecause = (why: string): Meaning => ({
  code: 'unreadable_answer',
  outcome: 'unknown',
  why,
  retryable: true,
});
