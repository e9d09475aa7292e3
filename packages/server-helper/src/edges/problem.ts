import {
  ConfigurationError,
  helpAddress,
  PaymentsError,
  type PaymentsErrorCode,
} from '../errors.ts';
import { GatewayError } from '../gateway/gateway-error.ts';
import type { Answer } from './http.ts';

/** Codes of the problems that our routes answer. Each has an entry in `docs/errors.md`. */
export type ProblemCode =
  | 'already_paid'
  | 'attempt_in_progress'
  | 'body_already_read'
  | 'body_timeout'
  | 'body_too_large'
  | 'cross_site'
  | 'gateway_rejected'
  | 'gateway_timeout'
  | 'gateway_unreachable'
  | 'hook_failed'
  | 'idempotency_key_reused'
  | 'in_review'
  | 'internal_error'
  | 'invalid_body'
  | 'invalid_idempotency_key'
  | 'invalid_order'
  | 'invalid_signature'
  | 'method_not_allowed'
  | 'mount_mismatch'
  | 'not_found'
  | 'order_cancelled'
  | 'order_not_found'
  | 'overloaded'
  | 'store_unavailable'
  | 'too_many_attempts'
  | 'too_many_requests'
  | 'unsupported_media_type';

const kinds: Readonly<Record<ProblemCode, readonly [status: number, title: string]>> = {
  already_paid: [409, 'The order is paid already'],
  attempt_in_progress: [409, 'A payment link is being made'],
  body_already_read: [500, 'The body was read before it came here'],
  body_timeout: [408, 'The body took too long'],
  body_too_large: [413, 'The body is too large'],
  cross_site: [403, 'The request came from another site'],
  gateway_rejected: [502, 'The payment gateway refused the payment link'],
  gateway_timeout: [504, 'The payment gateway takes too long'],
  gateway_unreachable: [502, 'The payment gateway did not answer'],
  hook_failed: [503, 'The payment could not be recorded yet'],
  idempotency_key_reused: [409, 'The idempotency key stands for another request'],
  in_review: [409, 'The payment is being reviewed'],
  internal_error: [500, 'Something went wrong on our side'],
  invalid_body: [422, 'The body is not as it must be'],
  invalid_idempotency_key: [400, 'The idempotency key is not as it must be'],
  invalid_order: [422, 'The order cannot be paid as it is'],
  invalid_signature: [401, 'The webhook’s signature does not match'],
  method_not_allowed: [405, 'This address does not take this method'],
  mount_mismatch: [500, 'The payments router is mounted elsewhere'],
  not_found: [404, 'There is nothing at this address'],
  order_cancelled: [409, 'The order was cancelled'],
  order_not_found: [404, 'There is no such order'],
  overloaded: [503, 'The shop is very busy'],
  store_unavailable: [503, 'Payments cannot be recorded right now'],
  too_many_attempts: [429, 'There were too many payment attempts'],
  too_many_requests: [429, 'There were too many requests'],
  unsupported_media_type: [415, 'The body has an unsupported type'],
};

/** An RFC 9457 problem document. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ProblemCode;
  readonly detail: string;
  readonly field?: string;
}

/** Whether an answer's JSON is one of our problems. */
export function isProblem(json: unknown): json is Problem {
  return typeof json === 'object' && json !== null && 'code' in json && 'detail' in json;
}

/** An RFC 9457 problem as an answer. */
export function problem(
  code: ProblemCode,
  detail: string,
  options: { readonly field?: string | undefined; readonly headers?: Answer['headers'] } = {},
): Answer {
  const [status, title] = kinds[code];
  const { field, headers } = options;
  return {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
    json: {
      type: helpAddress(code),
      title,
      status,
      code,
      detail,
      ...(field === undefined ? {} : { field }),
    } satisfies Problem,
  };
}

/** The one answer to every bad token, so that the answer does not reveal what was wrong with it. */
export const invalidAddress = (): Answer => problem('not_found', 'This address is not valid.');

/** The problem that a browser gets for an error, with nothing that is not for a shopper. */
export function problemOf(error: unknown): Answer {
  if (error instanceof Refusal) return error.answer;
  // To a shopper it is one thing whether the link or the answer about the former link is missing.
  if (error instanceof PaymentsError && error.code === 'not_confirmed') return unreachable();
  if (error instanceof PaymentsError && isProblemCode(error.code)) {
    const [status] = kinds[error.code];
    const seconds = status === 429 ? '300' : '5';
    const headers = status === 429 || status >= 503 ? { 'retry-after': seconds } : undefined;
    return problem(error.code, error.message, { field: error.field, headers });
  }
  if (error instanceof GatewayError) return gatewayProblem(error);
  if (error instanceof ConfigurationError) {
    if (error.code === 'closed') {
      return problem('store_unavailable', 'The shop is restarting. Try again in a moment.', {
        headers: { 'retry-after': '5' },
      });
    }
    const code = error.code === 'body_already_read' ? error.code : 'internal_error';
    return problem(code, 'The shop’s payments are not set up correctly.');
  }
  return problem('internal_error', 'Nothing was charged. Try again in a moment.');
}

/** The codes of money operations, which no route performs, are not problem codes. */
function isProblemCode(code: PaymentsErrorCode): code is PaymentsErrorCode & ProblemCode {
  return Object.hasOwn(kinds, code);
}

/** The gateway's own words may name the merchant's set-up, so they go to the log only. */
function gatewayProblem({ outcome }: GatewayError): Answer {
  return outcome === 'rejected'
    ? problem('gateway_rejected', 'Nothing was charged. The shop has to look into this.')
    : unreachable();
}

const unreachable = (): Answer =>
  problem('gateway_unreachable', 'Nothing was charged. Try again in a moment.', {
    headers: { 'retry-after': '5' },
  });

/** Ends a route from within a flow, with an answer that is decided already. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly answer: Answer;

  constructor(answer: Answer) {
    super('the request was refused');
    this.answer = answer;
  }
}
