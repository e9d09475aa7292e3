import type { IncomingMessage } from 'node:http';
import { iso } from '../domain/clock.ts';
import type { Environment } from '../domain/transaction.ts';
import { isFields } from '../domain/body-fields.ts';
import { readJson } from '../http/json-body.ts';
import type { BodyFault, ReadBody } from '../http/json-body.ts';
import { pauseFor } from '../http/send.ts';
import type { LoggedRequest } from '../log/request-log.ts';
import { findOperation } from '../operations.ts';
import { answerOnWire } from '../readings/answer-on-wire.ts';
import { recordIdOf } from '../readings/numbers.ts';
import { inTheirNames, requestFromWire } from '../readings/request-from-wire.ts';
import { redactRequest, withoutCardNumbers } from '../redaction.ts';
import type { SandboxParts } from '../sandbox-parts.ts';
import { authenticate } from './authenticate.ts';
import { injectFaults, nothingInjected } from './inject-faults.ts';
import type { CallInProgress, Injected } from './inject-faults.ts';
import { orderOfCall } from './operation.ts';
import type { CallAddress, Operation } from './operation.ts';
import type { Serve } from './route-table.ts';
import { errorB, invalid, sendReply } from './wire-reply.ts';
import type { WireReply } from './wire-reply.ts';

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
