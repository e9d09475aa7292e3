import type { Request, RequestHandler, Response } from 'express';
import { defaultTenant } from '../../domain/state.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { readJson } from '../../http/json-body.ts';
import type { BodyFault } from '../../http/json-body.ts';
import { sendProblem } from '../../http/send.ts';
import type { Problem } from '../../http/send.ts';

/** What a control call is given: its tenant, its body's fields, its address. */
export interface ControlCall {
  readonly tenant: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly request: Request;
  readonly response: Response;
}

export type ControlReply =
  | { readonly answer: object }
  | { readonly problem: Problem }
  /** A magic amount has cut the connection. */
  | 'cut';

/** Lets only calls through that name a tenant of this sandbox, or none. */
export function requireTenant({ machine }: SandboxParts): RequestHandler {
  return (request, response, next) => {
    if (machine.hasTenant(namedTenant(request))) {
      next();
      return;
    }
    sendProblem(response, {
      status: 404,
      code: 'unknown_tenant',
      detail:
        'No tenant has this id. GET tenants lists them; a call that names none means the first.',
    });
  };
}

/** The header counts before the query; without both the first tenant is meant. */
export function namedTenant(request: Request): string {
  const { tenant } = request.query;
  const named = request.get('x-sandbox-tenant') ?? tenant ?? defaultTenant;
  return typeof named === 'string' ? named : '';
}

const bodyDetails: Readonly<Record<BodyFault | 'no-object', string>> = {
  malformed: 'The body is not valid JSON.',
  'not-json':
    'The body is JSON with content-type application/json, in UTF-8. With curl: --json \'{"by":"PT1H"}\'.',
  'too-large': 'The body has at most 64 KiB.',
  'no-object': 'The body is a JSON object, such as {"by":"PT1H"}.',
};

/** A route of the control API: a JSON object in, a JSON object or a problem out. */
export function controlRoute(
  handle: (call: ControlCall) => ControlReply | Promise<ControlReply>,
): RequestHandler {
  return async (request, response) => {
    const tenant = namedTenant(request);
    const read = request.method === 'GET' ? { body: {} } : await readJson(request);
    const fields = 'fault' in read ? read.fault : fieldsOf(read.body);
    if (typeof fields === 'string') {
      sendProblem(response, { status: 400, code: 'invalid_body', detail: bodyDetails[fields] });
      return;
    }
    const reply = await handle({ tenant, fields, request, response });
    if (reply === 'cut') return;
    if ('problem' in reply) sendProblem(response, reply.problem);
    else response.set('cache-control', 'no-store').json(reply.answer);
  };
}

/** A refusal of what the caller sent. */
export function badRequest(code: string, detail: string): { problem: Problem } {
  return { problem: { status: 400, code, detail } };
}

/** The problem of a session id that the tenant does not know. */
export const unknownSession = {
  problem: {
    status: 404,
    code: 'unknown_session',
    detail: 'No checkout session of this tenant has this id.',
  },
} as const;

function fieldsOf(body: unknown): Record<string, unknown> | 'no-object' {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'no-object';
  return Object.fromEntries(Object.entries(body));
}
