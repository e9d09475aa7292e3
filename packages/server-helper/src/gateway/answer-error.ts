import { messagesOf } from './envelope.ts';
import { GatewayError, type GatewayErrorCode, type Outcome } from './gateway-error.ts';
import { parseJson } from './json.ts';
import { operations, type OperationName } from './operations.ts';
import { cleanMessages } from './redaction.ts';
import { isPassing } from './retry.ts';
import type { TransportAnswer, TransportError, TransportFault } from './transport.ts';

/** What an error may tell of the call it happened to, and what it must not. */
export interface CallContext {
  readonly operation: OperationName;
  /** What must show nowhere: keys, tokens and what the call was given; grows as tokens are learnt. */
  readonly secrets: string[];
  /** What the call's earlier sends may have done; a later send that never left does not undo it. */
  outcomeSoFar: Outcome;
  /** Whether a request of the call was handed over and not yet answered. */
  isInFlight: boolean;
}

const byStatus: Readonly<Record<number, GatewayErrorCode>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  404: 'not_found',
  429: 'rate_limited',
};

/** The error that an answer with a status other than 2xx means. */
export function errorOfStatus(context: CallContext, answer: TransportAnswer): GatewayError {
  const { status } = answer;
  const isServerFault = status >= 500;
  const isRedirect = status >= 300 && status < 400;
  const outcome: Outcome = isServerFault || isRedirect || status < 200 ? 'unknown' : 'rejected';
  const fallback = isServerFault ? 'gateway_fault' : isRedirect ? 'redirected' : 'rejected';
  const code = byStatus[status] ?? fallback;
  return failure(context, code, outcome, `the gateway answered HTTP ${status}`, {
    answer,
    retryable: isPassing(status) || isServerFault,
  });
}

/**
 * The error of a 2xx answer whose `errorCode` is set. A code that speaks of the gateway's own fault
 * leaves open what was done, as HTTP 5xx does, wherever something could have been done.
 */
export function errorInAnswer(
  context: CallContext,
  answer: TransportAnswer,
  errorCode: string,
): GatewayError {
  const why = 'the gateway answered with an error code';
  if (/^5\d\d$/.test(errorCode) && operations[context.operation].method !== 'GET') {
    return failure(context, 'gateway_fault', 'unknown', why, { answer, retryable: true });
  }
  const code = byStatus[Number(errorCode)] ?? 'rejected';
  return failure(context, code, 'rejected', why, { answer });
}

/** The error of a 2xx answer that is not what the specification says. */
export function unreadable(
  context: CallContext,
  answer: TransportAnswer,
  why: string,
): GatewayError {
  return failure(context, 'unreadable_answer', 'unknown', why, { answer, retryable: true });
}

const faults: Readonly<Record<TransportFault, readonly [GatewayErrorCode, Outcome]>> = {
  not_connected: ['connection_failed', 'not-sent'],
  lost: ['connection_lost', 'unknown'],
  too_large: ['answer_too_large', 'unknown'],
  encoded: ['unreadable_answer', 'unknown'],
};

/** The error of a call that got no whole answer. */
export function errorOfTransport(context: CallContext, error: TransportError): GatewayError {
  const [code, outcome] = faults[error.fault];
  return failure(context, code, outcome, error.message, { retryable: true });
}

/** The error of a call that ran out of time or was aborted by its caller. */
export function errorOfAbort(context: CallContext, kind: 'timeout' | 'aborted'): GatewayError {
  const why = kind === 'timeout' ? 'the gateway did not answer in time' : 'the caller gave up';
  return failure(context, kind, context.isInFlight ? 'unknown' : 'not-sent', why, {
    retryable: kind === 'timeout',
  });
}

/** Makes the error of a call, cleaned of everything that must show nowhere. */
export function failure(
  { operation, secrets, outcomeSoFar }: CallContext,
  code: GatewayErrorCode,
  lastOutcome: Outcome,
  why: string,
  options: {
    readonly answer?: TransportAnswer | undefined;
    readonly retryable?: boolean | undefined;
  } = {},
): GatewayError {
  const { answer, retryable } = options;
  const outcome = lastOutcome === 'not-sent' ? outcomeSoFar : lastOutcome;
  const requestId = answer?.headers['x-request-id'];
  return new GatewayError({
    code,
    operation,
    outcome,
    message: `${operation}: ${why} (${code}, ${outcome})`,
    httpStatus: answer?.status,
    gatewayMessages: cleanMessages(messagesOf(parseJson(answer?.body ?? '')), secrets),
    requestId: typeof requestId === 'string' ? cleanMessages([requestId], secrets)[0] : undefined,
    retryable,
  });
}
