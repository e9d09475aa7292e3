import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ParsedUrlQuery } from 'node:querystring';
import { isFields } from '../domain/body-fields.ts';
import { iso } from '../domain/clock.ts';
import type { Tenant } from '../domain/tenant.ts';
import type { Environment } from '../domain/transaction.ts';
import { errorB, invalid, sendReply } from './replies.ts';
import type { WireReply } from './replies.ts';
import { pauseFor, readJson } from '../http/messages.ts';
import type { BodyFault, ReadBody } from '../http/messages.ts';
import { answerOnWire, inTheirNames, recordIdOf, requestFromWire } from '../readings/on-wire.ts';
import type { LoggedRequest } from '../request-log.ts';
import { findOperation } from '../operations.ts';
import type { OperationName } from '../operations.ts';
import { redactRequest, withoutCardNumbers } from '../redaction.ts';
import type { SandboxParts } from '../sandbox-parts.ts';
import { authenticate } from './authenticate.ts';
import { injectFaults, nothingInjected } from './inject-faults.ts';
import type { CallInProgress, Injected } from './inject-faults.ts';

/** One operation of the gateway: reading and carrying out are apart, so faults fit in between. */
export interface Operation<Input> {
  /** The client's method name. */
  readonly name: OperationName;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the base address; `:id` is the segment of a record's id. */
  readonly path: string;
  /** Which credential opens it (§5); a login needs none. */
  readonly credential: 'apiKey' | 'portal' | 'none';
  /** The storable part of the call, and its subject. */
  readonly input: (address: CallAddress, body: unknown) => unknown;
  readonly decode: (
    input: unknown,
    caller: Pick<Caller, 'tenant'>,
  ) => { value: Input } | { refusal: WireReply };
  readonly perform: (value: Input, caller: Caller) => WireReply | Promise<WireReply>;
}

/**
 * The common part of the payment operations: the API key opens them, and they read only the body.
 */
export const paymentOperation = {
  method: 'POST',
  credential: 'apiKey',
  input: (_address: unknown, body: unknown) => body,
} as const;

/** The caller, known once the credential is checked. */
export interface Caller {
  readonly tenant: string;
  readonly environment: Environment;
  /** How far behind the answer to a question has to be, in milliseconds; 0 but for a fault. */
  readonly lagMs: number;
  /** With the policy `sameId` a link's transaction has its session's id (X2). */
  readonly sameId: boolean;
}

/** The part of a call outside its body. */
export interface CallAddress {
  readonly query: ParsedUrlQuery;
  /** The value of a path's `:id`; empty where the path has none. */
  readonly recordId: string;
}

/** Answers one call of a known route. */
export type Serve = (
  request: IncomingMessage,
  response: ServerResponse,
  address: CallAddress & { readonly path: string },
) => Promise<void>;

const ofBody = { decidedBy: 'body', tier: 'assumed N22' };

const bodyRefusals: Record<BodyFault, WireReply> = {
  malformed: errorB(400, 'Request body is not valid JSON', ofBody),
  'not-json': errorB(415, 'Content-Type must be application/json', ofBody),
  'too-large': errorB(413, 'Request body is too large', ofBody),
};

/** A route for one operation: key, body, validation, commit, reply, with faults between them. */
export function serveOperation<Input>(
  parts: SandboxParts,
  environment: Environment,
  operation: Operation<Input>,
): Serve {
  return async (request, response, address) => {
    const begun = performance.now();
    const requestId = parts.requestLog.nextId();
    const { tenant, refusal } = authenticate(request, parts, environment, operation.credential);
    const read = refusal === null ? await readBody(request) : { body: {} };
    const { input, faults } = readInput(parts, tenant, operation, address, read);
    const merchantOrderId = orderOfCall(parts.machine.tenant(tenant), input);
    const call: Call<Input> = {
      parts,
      tenant,
      target: { operation: findOperation(operation.name), merchantOrderId },
      response,
      requestId,
      operation,
      environment,
    };
    const body = faults === null ? { input } : { refusal: faults };
    const { reply, injected } = await answer(call, refusal, body);
    const sent = injected.ended !== null && injected.faults.length > 0 ? null : reply;
    const entry: LoggedRequest = {
      id: requestId,
      at: iso(parts.machine.now(tenant)),
      operation: operation.name,
      environment,
      method: operation.method,
      path: withoutCardNumbers(address.path),
      status: injected.ended === null ? (reply?.status ?? null) : injected.ended.status,
      merchantOrderId: merchantOrderId === null ? null : withoutCardNumbers(merchantOrderId),
      sessionId: reply?.sessionId ?? null,
      decidedBy: sent?.decidedBy ?? 'fault',
      tier: sent?.tier ?? 'fault',
      request: redactRequest(input),
      faults: injected.faults,
      durationMs: Math.round(performance.now() - begun),
    };
    parts.requestLog.add(
      reply?.tenant ?? tenant,
      entry,
      injected.ended === null ? reply?.body : null,
    );
  };
}

interface Call<Input> extends CallInProgress {
  readonly operation: Operation<Input>;
  readonly environment: Environment;
}

/**
 * The result of a call: the answer of the operation, if there is one, and the effects of faults.
 */
interface Ending {
  readonly reply: WireReply | null;
  readonly injected: Injected;
}

/**
 * Validation, commit, and the one answer, with faults between them. A call that is refused meets
 * only the faults injected before its validation, and one without a credential meets none.
 */
async function answer<Input>(
  call: Call<Input>,
  refusal: WireReply | null,
  body: { readonly refusal: WireReply } | { readonly input: unknown },
): Promise<Ending> {
  const { operation, environment, tenant, response, requestId } = call;
  const finish = async (reply: WireReply, injected: Injected): Promise<Ending> => {
    if (await isCut(call, reply))
      return { reply, injected: { ...injected, ended: { status: null } } };
    sendReply(response, reply, requestId);
    return { reply, injected };
  };
  const onWire = (reply: WireReply) => answerOnWire(call.parts, operation.name, reply);
  if (refusal !== null) return finish(refusal, nothingInjected);
  const early = await injectFaults(call, 'before-validation', nothingInjected);
  if (early.ended !== null) return { reply: null, injected: early };
  const decoded = 'refusal' in body ? body : operation.decode(body.input, { tenant });
  if ('refusal' in decoded) return finish(onWire(withTheirNames(call, decoded.refusal)), early);

  const middle = await injectFaults(call, 'before-commit', early);
  if (middle.ended !== null) return { reply: null, injected: middle };
  const sameId = call.parts.policy.has('sameId');
  const caller = { tenant, environment, lagMs: middle.lagMs, sameId };
  const reply = onWire(await operation.perform(decoded.value, caller));
  const late = await injectFaults(call, 'after-commit', middle, reply);
  if (late.ended !== null) return { reply, injected: late };
  const spoilt = await injectFaults(call, 'body', late, reply);
  return spoilt.ended === null ? finish(reply, spoilt) : { reply, injected: spoilt };
}

/** The refusal of a validation in the names that the profile gives to fields. */
function withTheirNames<Input>({ parts, operation }: Call<Input>, refusal: WireReply): WireReply {
  const { body } = refusal;
  if (!isFields(body) || !Array.isArray(body['message'])) return refusal;
  const message = inTheirNames(parts.profile, operation.name, body['message'] as string[]);
  return { ...refusal, body: { ...body, message } };
}

/** Holds an answer back, or cuts the connection in its place, where the operation's outcome says so. */
async function isCut({ parts, response }: CallInProgress, { answer: plan }: WireReply) {
  if (plan === undefined) return false;
  if (plan.delayMs > 0) await pauseFor(response, parts.closing, plan.delayMs);
  if (plan.cut) response.socket?.destroy();
  return plan.cut;
}

/** The call in the sandbox's own reading, and the refusal of a call that is not the gateway's. */
function readInput<Input>(
  { machine, policy, profile }: SandboxParts,
  tenant: string,
  operation: Operation<Input>,
  address: CallAddress,
  read: ReadBody,
): { input: unknown; faults: WireReply | null } {
  if ('fault' in read) return { input: {}, faults: bodyRefusals[read.fault] };
  const isQuery = operation.method === 'GET';
  const given = { body: isQuery ? { ...address.query } : read.body, isQuery };
  const { body, messages } = requestFromWire(profile, operation.name, given);
  const recordId = policy.has('numericIds')
    ? recordIdOf(machine.tenant(tenant), address.recordId)
    : address.recordId;
  const input = operation.input({ query: address.query, recordId }, body);
  const faults = messages.length === 0 ? null : invalid(messages, input, 'sandbox');
  return { input, faults };
}

/** The body of a call; a question has none. */
async function readBody(request: IncomingMessage): Promise<ReadBody> {
  return request.method === 'GET' ? { body: {} } : readJson(request);
}

/**
 * The merchant's order that a call is about, or null: the one that it names, or that of the
 * session or transaction that it names.
 */
export function orderOfCall(tenant: Tenant, input: unknown): string | null {
  const named = textOf(input, 'merchantOrderId') ?? textOf(input, 'orderId');
  if (named !== null) return named;
  const id = textOf(input, 'transactionId') ?? textOf(input, 'id') ?? textOf(input, 'sessionId');
  if (id === null) return null;
  const sessionId = tenant.transactions.get(id)?.sessionId ?? id;
  return tenant.sessions.get(sessionId)?.merchantOrderId ?? null;
}

function textOf(input: unknown, name: string): string | null {
  const value = isFields(input) && Object.hasOwn(input, name) ? input[name] : null;
  return typeof value === 'string' ? value : null;
}
