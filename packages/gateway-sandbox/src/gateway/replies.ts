import { STATUS_CODES, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import * as requests from '../domain/requests.ts';
import type { AnswerPlan } from '../domain/outcome.ts';
import type { IdTrap } from '../domain/tenant.ts';
import { jsonType, sendText } from '../http/messages.ts';
import type { RequestLog } from '../request-log.ts';

/** One answer: exactly the bytes on the wire, and the facts that only the sandbox knows. */
export interface WireReply {
  readonly status: number;
  /** Null: nothing, as with 204. */
  readonly body: object | null;
  /** The rule that decided, for `x-sandbox-decided-by`. */
  readonly decidedBy: string;
  /** How sure the specification is of this behaviour, for `x-sandbox-tier`. */
  readonly tier: string;
  readonly sessionId?: string;
  /** The probable intention of the caller, for `x-sandbox-hint`; plain ASCII. */
  readonly hint?: string;
  /** The fate of the answer itself; left out: it is sent at once. */
  readonly answer?: AnswerPlan;
  /** The tenant of the call, where only its body names it. */
  readonly tenant?: string;
}

type Knowledge = Pick<WireReply, 'decidedBy' | 'tier' | 'sessionId'>;

type Grounds = readonly [decidedBy: string, tier: string, hint?: string | undefined];

/** The request in a body, or envelope B with every fault in it. */
export function decoded<Request>(input: unknown, reader: requests.Reader<Request>, tier: string) {
  const read = requests.readBody(input, reader);
  return 'value' in read ? read : { refusal: invalid(read.messages, input, tier) };
}

export function invalid(messages: readonly string[], input: unknown, tier: string): WireReply {
  const isText = requests.isFields(input) && typeof input['amount'] === 'string';
  const hint = isText ? 'An amount is a JSON number, not a string (4)' : undefined;
  const less = Object.values(requests.unstated).find(([ending]) =>
    messages.some((one) => one.endsWith(ending)),
  );
  return errorB(400, messages, ['validation', less?.[1] ?? tier, hint]);
}

/** §4, envelope A: data of a payment operation. */
export function dataA(data: object | null, knowledge: Knowledge): WireReply {
  const body = { code: 200, message: 'Success', errorCode: null, data };
  return { status: 200, body, ...knowledge };
}

/** §4, envelope C: body of a recurring charge. */
export function dataC(responseBody: object, knowledge: Knowledge): WireReply {
  return { status: 200, body: { statusCode: 200, responseBody }, ...knowledge };
}

/** §4, envelope A with an error; the code repeats the HTTP status. */
export function errorA(status: number, message: string, grounds: Grounds): WireReply {
  const body = { code: status, message, errorCode: String(status), data: null };
  return refusal(status, body, grounds);
}

/** §4, envelope B; an array of messages is a validation's answer. */
export function errorB(status: number, message: string | readonly string[], grounds: Grounds) {
  const error = STATUS_CODES[status] ?? 'Error';
  return refusal(status, { statusCode: status, message, error }, grounds);
}

function refusal(status: number, body: object, [decidedBy, tier, hint]: Grounds): WireReply {
  return { status, body, decidedBy, tier, ...(hint === undefined ? {} : { hint }) };
}

const hints: Readonly<Record<IdTrap, string>> = {
  'session-id': 'This is a checkout session id; send the transactionId of its status row (2.3)',
  'payment-id':
    'This is a numeric payment id, for reconciliation only; send the transactionId (2.3)',
};

/** The 404 of an id without a transaction (N21), with the probable intention of the caller. */
export function unknownTransaction({ trap }: { readonly trap: IdTrap | null }): WireReply {
  const hint = trap === null ? undefined : hints[trap];
  return errorA(404, 'Transaction not found', [trap ?? 'unknown-id', 'assumed N21', hint]);
}

/** Facts that the specification does not name travel in `x-sandbox-*` headers only. */
export function sendReply(response: ServerResponse, reply: WireReply, requestId: string): void {
  const headers: OutgoingHttpHeaders = {
    'cache-control': 'no-store',
    'x-sandbox-request-id': requestId,
    'x-sandbox-decided-by': reply.decidedBy,
    // A header is ASCII; anything else arrives in one encoding or another.
    'x-sandbox-tier': reply.tier.replace('§', ''),
  };
  if (reply.hint !== undefined) headers['x-sandbox-hint'] = reply.hint;
  if (reply.body === null) response.writeHead(reply.status, headers).end();
  else sendText(response, reply.status, jsonType, JSON.stringify(reply.body), headers);
}

/** Answers a call that failed. The answer shows nothing of the request. */
export function sendFailure(
  response: ServerResponse,
  error: unknown,
  requestLog: RequestLog,
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const status = statusOf(error);
  const message = status === 500 ? 'Internal server error' : 'The request cannot be read';
  const reply = errorB(status, message, ['failure', 'assumed N22']);
  sendReply(response, reply, requestLog.nextId());
}

function statusOf(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'status' in error && error.status;
  return status === 400 || status === 413 || status === 415 ? status : 500;
}
