import { helpAddress } from '../errors.ts';
import type { TransportAnswer } from './transport.ts';

/** The client's method names. */
export type OperationName =
  | 'createPaymentLink'
  | 'retrieveStatus'
  | 'refund'
  | 'sale'
  | 'capture'
  | 'void'
  | 'chargeRecurring'
  | 'pollStatus'
  | 'listWebhooks'
  | 'createWebhook'
  | 'updateWebhook'
  | 'deleteWebhook'
  | 'retrieveCredentials'
  | 'rotateApiKey'
  | 'listSdkTokens'
  | 'createSdkToken'
  | 'updateSdkToken';

/** An operation, or the portal's login that calls share. */
export type AskedOperation = OperationName | 'logIn';

/**
 * What happened to the request, and so to the money: `not-sent` no byte of it can have been
 * processed · `rejected` the gateway said no, and nothing moved · `unknown` it may have been
 * processed; ask again before you act.
 */
export type Outcome = 'not-sent' | 'rejected' | 'unknown';

/** Codes of {@link GatewayError}. Each has an entry in `docs/errors.md`. */
export type GatewayErrorCode =
  | 'aborted'
  | 'answer_too_large'
  | 'breaker_open'
  | 'closed'
  | 'connection_failed'
  | 'connection_lost'
  | 'gateway_fault'
  | 'invalid_input'
  | 'invalid_request'
  | 'not_found'
  | 'order_name_taken'
  | 'portal_not_configured'
  | 'rate_limited'
  | 'redirected'
  | 'rejected'
  | 'timeout'
  | 'unauthorized'
  | 'unreadable_answer'
  | 'wrong_credential_type'
  | 'wrong_environment';

/** What a {@link GatewayError} is made of. */
export type GatewayFailure = Pick<GatewayError, 'code' | 'operation' | 'outcome' | 'message'> &
  Partial<GatewayError>;

/**
 * A call to the gateway did not give a usable answer. Holds no credential, phone or card number,
 * even where the gateway echoed one.
 */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  /** Stable code, explained in `docs/errors.md`. */
  readonly code: GatewayErrorCode;
  /** The documentation's address of this code. */
  readonly help: string;
  /** The client's method that failed. */
  readonly operation: OperationName;
  /** What happened to the request, and so to the money. */
  readonly outcome: Outcome;
  /** The answer's HTTP status, if there was an answer. */
  readonly httpStatus: number | undefined;
  /**
   * The gateway's messages, without the client's credentials and the call's secrets. A message that
   * holds one, or an escape, a tag or an unusual sign, is only named: "a message of 45 characters".
   */
  readonly gatewayMessages: readonly string[];
  /** The gateway's id of the request, if the answer has one. */
  readonly requestId: string | undefined;
  /** Whether the same call may succeed later without any change. */
  readonly retryable: boolean;
  /** How long the gateway asked to wait (Retry-After), in milliseconds, if it asked. */
  readonly retryAfterMs: number | undefined;
  /**
   * The gateway's answer to `rotateApiKey`, `createSdkToken` or `createWebhook`, where it has another
   * form than this kit reads: it may hold the new secret, which the gateway gives only once.
   */
  readonly body: SealedBody | undefined;

  constructor(failure: GatewayFailure) {
    super(failure.message, failure.cause === undefined ? {} : { cause: failure.cause });
    this.code = failure.code;
    this.help = helpAddress(failure.code);
    this.operation = failure.operation;
    this.outcome = failure.outcome;
    this.httpStatus = failure.httpStatus;
    this.gatewayMessages = failure.gatewayMessages ?? [];
    this.requestId = failure.requestId;
    this.retryable = failure.retryable ?? false;
    this.retryAfterMs = failure.retryAfterMs;
    this.body = failure.body;
  }
}

const SEALED = '[sealed: read() gives it once]';

/**
 * The body of an answer that may hold a secret which the gateway gives only once. It shows in no log,
 * no JSON and no inspection: {@link SealedBody.read} gives the text, once.
 */
export class SealedBody {
  #text: string | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Gives the body as it came, and forgets it: `undefined` from the second time on. */
  read(): string | undefined {
    const text = this.#text;
    this.#text = undefined;
    return text;
  }

  toString(): string {
    return SEALED;
  }

  toJSON(): string {
    return SEALED;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return SEALED;
  }
}

/** Seals the body of a success; `undefined` where the gateway refused, or wrote nothing. */
export function sealedBodyOf(answer: TransportAnswer | undefined): SealedBody | undefined {
  const { status = 0, body = null } = answer ?? {};
  const isSuccess = status >= 200 && status <= 299;
  return isSuccess && body?.trim() ? new SealedBody(body) : undefined;
}
