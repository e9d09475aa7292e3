import type { Request, RequestHandler, Response } from 'express';
import { withoutCardNumbers } from '../domain/cards.ts';
import type { Environment } from '../domain/session.ts';
import type { FaultPlace } from '../faults.ts';
import { keepable } from '../redaction.ts';
import type { SandboxParts } from '../sandbox-parts.ts';
import { authenticate } from './authenticate.ts';
import { readJson } from './json-body.ts';
import type { BodyFault } from './json-body.ts';
import type { Operation } from './operation.ts';
import { strike } from './strike-fault.ts';
import { errorB, sendReply } from './wire-reply.ts';
import type { WireReply } from './wire-reply.ts';

const bodyRefusals: Record<BodyFault, WireReply> = {
  malformed: errorB(400, 'Request body is not valid JSON', {
    decidedBy: 'body',
    tier: 'assumed N22',
  }),
  'not-json': errorB(415, 'Content-Type must be application/json', {
    decidedBy: 'body',
    tier: 'assumed N22',
  }),
  'too-large': errorB(413, 'Request body is too large', {
    decidedBy: 'body',
    tier: 'assumed N22',
  }),
};

/** What came of a call: a reply still to be sent, or a fault that took the answer's place. */
type Ending = { readonly reply: WireReply } | { readonly struck: number | null };

/** A route for one operation: key, body, validation, commit, reply, with faults between them. */
export function serveOperation<Input>(
  parts: SandboxParts,
  environment: Environment,
  operation: Operation<Input>,
): RequestHandler {
  return async (request, response) => {
    const requestId = parts.requestLog.nextId();
    const asked: { input: unknown } = { input: {} };
    const sender = authenticate(request, parts, environment, operation.credential);
    const ending = await run({
      parts,
      environment,
      operation,
      request,
      response,
      requestId,
      asked,
      ...sender,
    });
    if ('reply' in ending) sendReply(response, ending.reply, requestId);
    const tenant = ('reply' in ending ? ending.reply.tenant : undefined) ?? sender.tenant;
    const kept = keepable(asked.input);
    const merchantOrderId = kept['merchantOrderId'];
    parts.requestLog.add(tenant, {
      id: requestId,
      at: new Date(parts.machine.now(tenant)).toISOString(),
      operation: operation.name,
      environment,
      method: request.method,
      path: withoutCardNumbers(request.baseUrl + request.path),
      status: 'reply' in ending ? ending.reply.status : ending.struck,
      merchantOrderId: typeof merchantOrderId === 'string' ? merchantOrderId : null,
      sessionId: 'reply' in ending ? (ending.reply.sessionId ?? null) : null,
      decidedBy: 'reply' in ending ? ending.reply.decidedBy : 'fault',
      tier: 'reply' in ending ? ending.reply.tier : 'fault',
      request: kept,
    });
  };
}

interface Call<Input> {
  readonly parts: SandboxParts;
  readonly environment: Environment;
  readonly operation: Operation<Input>;
  readonly request: Request;
  readonly response: Response;
  readonly requestId: string;
  readonly tenant: string;
  /** The 401, where the credential is none. */
  readonly refusal: WireReply | null;
  /** Filled in on the way, so that a refused or struck call is remembered with what it asked. */
  readonly asked: { input: unknown };
}

async function run<Input>(call: Call<Input>): Promise<Ending> {
  const { environment, operation, request, response, asked, tenant, refusal } = call;
  if (refusal !== null) return { reply: refusal };

  const early = await strikeAt(call, 'before-validation');
  if (early !== 'continue') return { struck: early };
  const read = operation.method === 'get' ? { body: {} } : await readJson(request, response);
  if ('fault' in read) return { reply: bodyRefusals[read.fault] };
  asked.input = operation.input(request, read.body);
  const decoded = operation.decode(asked.input);
  if ('refusal' in decoded) return { reply: decoded.refusal };

  const middle = await strikeAt(call, 'before-commit');
  if (middle !== 'continue') return { struck: middle };
  const reply = await operation.perform(decoded.value, { tenant, environment });
  const late = await strikeAt(call, 'after-commit');
  return late === 'continue' ? { reply } : { struck: late };
}

async function strikeAt<Input>(
  { parts, operation, response, requestId, tenant }: Call<Input>,
  place: FaultPlace,
): Promise<number | null | 'continue'> {
  const fault = parts.faults.take(tenant, operation.name, place);
  return fault === null ? 'continue' : strike(fault, response, requestId);
}
