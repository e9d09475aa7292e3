import type { Request, RequestHandler, Response, Router } from 'express';
import { isFields } from '../../domain/body-fields.ts';
import { defaultTenant } from '../../domain/tenant.ts';
import { readJson } from '../../http/json-body.ts';
import type { BodyFault } from '../../http/json-body.ts';
import { sendProblem } from '../../http/send.ts';
import type { Problem } from '../../http/send.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';

/** One call of the control API. */
export interface ControlCall {
  readonly tenant: string;
  /** The part of the path that the route leaves open, such as an id; empty where there is none. */
  readonly id: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly query: Request['query'];
  readonly response: Response;
}

type ControlHandler = (call: ControlCall) => ControlReply | Promise<ControlReply>;

/** Handlers by method and path, such as `POST /clock/freeze`. */
export type ControlRoutes = Readonly<
  Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`, ControlHandler>
>;

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

/** Adds routes to a router. Each takes a JSON object and answers a JSON object or a problem. */
export function addControlRoutes(router: Router, routes: ControlRoutes): void {
  for (const [route, handle] of Object.entries(routes)) {
    const [method = '', path = ''] = route.split(' ');
    const add = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;
    router[add[method as keyof typeof add]](path, (request, response) =>
      serve(handle, request, response),
    );
  }
}

async function serve(handle: ControlHandler, request: Request, response: Response): Promise<void> {
  const read = request.method === 'GET' ? { body: {} } : await readJson(request);
  const fields = 'fault' in read ? null : read.body;
  if (!isFields(fields)) {
    const detail = bodyDetails['fault' in read ? read.fault : 'no-object'];
    sendProblem(response, { status: 400, code: 'invalid_body', detail });
    return;
  }
  const [id = ''] = Object.values(request.params).map(String);
  const { query } = request;
  const reply = await handle({ tenant: namedTenant(request), id, fields, query, response });
  if (reply === 'cut') return;
  if ('problem' in reply) sendProblem(response, reply.problem);
  else response.set('cache-control', 'no-store').json(reply.answer);
}

/** Refuses a call. */
export function refuse(
  status: 404 | 409 | 422,
  code: string,
  detail: string,
): { readonly problem: Problem } {
  return { problem: { status, code, detail } };
}

/** A refusal of the caller's input. */
export function badRequest(code: string, detail: string): { problem: Problem } {
  return { problem: { status: 400, code, detail } };
}
