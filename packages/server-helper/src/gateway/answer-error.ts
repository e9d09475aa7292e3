import { noteKeys, noteRefusedQuestion } from './beside-answer.ts';
import type { CallTrace } from './diagnostics.ts';
import type { DriftCounter } from './drift.ts';
import { messagesOf, parseJson } from './envelope.ts';
import { GatewayError, type Outcome } from './gateway-error.ts';
import { type Meaning, refusesQuestion } from './meaning.ts';
import { type Operation, type OperationName, operations } from './operations.ts';
import { quotable } from './quotable.ts';
import { sealedBodyOf } from './sealed-body.ts';
import type { TransportAnswer } from './transport.ts';

/** A call under way: the facts that its errors report, and the texts that they must not quote. */
export interface CallContext {
  readonly operation: OperationName;
  /** Texts that no error may show: keys, tokens and the call's own card, phone and e-mail. */
  readonly secrets: () => readonly string[];
  /** The outcome of the call's earlier sends; a later send that never left does not change it. */
  outcomeSoFar: Outcome;
  /** Whether a request of the call was handed over and not yet answered. */
  isInFlight: boolean;
  /** Reports the call's requests; absent while nothing subscribes. */
  readonly trace: CallTrace | undefined;
  /** Counts what an answer has that is not expected. */
  readonly drift: DriftCounter;
  /** Marks of the API keys that made what is asked about. */
  readonly madeBy: readonly string[];
  /** Marks of the API keys that were not refused. */
  answeredBy: readonly string[];
}

/** The error of a call that ran out of time or was aborted by its caller. */
export function errorOfAbort(context: CallContext, code: 'timeout' | 'aborted'): GatewayError {
  return errorOf(context, {
    code,
    outcome: context.isInFlight ? 'unknown' : 'not-sent',
    why: code === 'timeout' ? 'the gateway did not answer in time' : 'the caller gave up',
    retryable: code === 'timeout',
  });
}

/** The error of a call that the breaker held back. */
export function errorOfBreaker(context: CallContext): GatewayError {
  return errorOf(context, {
    code: 'breaker_open',
    outcome: 'not-sent',
    why: 'the gateway failed so often in a row that calls to it are held back for a moment',
    retryable: true,
  });
}

/** So many messages of an answer are quoted: enough to see what went wrong. */
const MAX_MESSAGES = 10;

/** How to get at a secret that is in another place than this kit reads. */
const hintOf = (operation: OperationName, field: string): string =>
  `; error.body.read() gives the answer once, with the secret that it may hold; the profile says where it is: operations.${operation}.answer.${field}`;

/**
 * Makes the error of a call, cleaned of the call's secrets. An answer that may hold a secret which the
 * gateway gives only once is not quoted but sealed.
 */
export function errorOf(
  { operation, secrets, outcomeSoFar, answeredBy }: CallContext,
  { code, outcome: lastOutcome, why, retryable, retryAfterMs }: Meaning,
  answer?: TransportAnswer,
): GatewayError {
  const outcome = lastOutcome === 'not-sent' ? outcomeSoFar : lastOutcome;
  const { givesSecret }: Operation = operations[operation];
  const body = givesSecret === undefined ? undefined : sealedBodyOf(answer);
  const hint = body && givesSecret ? hintOf(operation, givesSecret) : '';
  const read = parseJson(answer?.body ?? null);
  const messages = body === undefined ? messagesOf(read) : [];
  const quote = (text: string): string => quotable(text, secrets());
  const requestId = answer?.headers['x-request-id'];
  const error = new GatewayError({
    code,
    operation,
    outcome,
    message: `${operation}: ${why}${hint} (${code}, ${outcome})`,
    httpStatus: answer?.status,
    gatewayMessages: messages.slice(0, MAX_MESSAGES).map(quote),
    requestId: typeof requestId === 'string' ? quote(requestId) : undefined,
    retryable,
    retryAfterMs,
    body,
  });
  if (answer && refusesQuestion({ status: answer.status, body: read })) noteRefusedQuestion(error);
  noteKeys(error, answeredBy);
  return error;
}
