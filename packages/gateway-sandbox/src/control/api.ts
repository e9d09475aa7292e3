import type { Request, Response, Router } from 'express';
import { z } from 'zod';
import { isFields } from '../domain/requests.ts';
import { defaultTenant } from '../domain/tenant.ts';
import { readJson, sendProblem, type BodyFault, type Problem } from '../http/messages.ts';
import type { SandboxParts } from '../sandbox-parts.ts';

interface ControlCall<Body, Query> {
  readonly parts: SandboxParts;
  readonly tenant: string;
  /** The part of the path that the route leaves open, such as an id; empty where there is none. */
  readonly id: string;
  readonly body: Body;
  readonly query: Query;
  readonly response: Response;
}

/** A JSON object, a refusal, or null where the connection was answered or cut. */
type ControlReply = object | Refusal | null;

interface OperationParts<Body, Query> {
  readonly summary: string;
  readonly body?: z.ZodType<Body>;
  /** The parameters of the query; the empty ones count as absent. */
  readonly query?: z.ZodObject & z.ZodType<Query>;
  /** The code of a body or a query at fault; of some fields there is another one. */
  readonly code?: string | Readonly<Record<string, string>>;
  /** What is right, where no single field is at fault. */
  readonly hint?: string;
  /** The JSON answer; left out: an object that says no more than that the call is done. */
  readonly reply?: z.ZodType;
  /** The media type of an answer that is not JSON. */
  readonly type?: string;
  /** The values of the path's parameter; left out: any text. */
  readonly parameter?: z.ZodType;
  /** The statuses of its own problems, beside 401, 404 and (all but GET) 400. */
  readonly refuses?: readonly number[];
  readonly perform: (call: ControlCall<Body, Query>) => ControlReply | Promise<ControlReply>;
}

/** One operation: its route answers it, and the document describes it. */
export interface ControlOperation extends OperationParts<unknown, unknown> {
  /** Method and path, such as `POST /clock/freeze`. */
  readonly route: string;
}

/** Operations by their ids in the document, which are the names of the client's methods. */
export type Operations = Readonly<Record<string, ControlOperation>>;

/** Lets the types of a body and a query follow from their schemas. */
export function operation<Body, Query>(
  route: string,
  parts: OperationParts<Body, Query>,
): ControlOperation {
  return { route, ...parts } as unknown as ControlOperation;
}

export const named = (name: string, shape: z.ZodType) => z.strictObject({ [name]: shape });
export const listOf = (name: string, shape: z.ZodType) => named(name, z.array(shape));

export class Refusal implements Problem {
  readonly status: 400 | 404 | 409 | 422;
  readonly code: string;
  readonly detail: string;

  constructor(status: 400 | 404 | 409 | 422, code: string, detail: string) {
    this.status = status;
    this.code = code;
    this.detail = detail;
  }
}

export const notFound = (code: string, detail: string): Refusal => new Refusal(404, code, detail);
export const conflict = (code: string, detail: string): Refusal => new Refusal(409, code, detail);

const unknownTenant = notFound(
  'unknown_tenant',
  'No tenant has this id. GET tenants lists them; a call that names none means the first.',
);

/** The header counts before the query; without both the first tenant is meant. */
function namedTenant(request: Request): string {
  const { tenant } = request.query;
  const given = request.get('x-sandbox-tenant') ?? tenant ?? defaultTenant;
  return typeof given === 'string' ? given : '';
}

export function addOperations(router: Router, operations: Operations, parts: SandboxParts): void {
  for (const one of Object.values(operations)) {
    const [method = '', path = ''] = one.route.split(' ');
    const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    router[verb](path, async (request, response) => {
      const reply = await answer(one, parts, request, response);
      if (reply === null) return;
      if (reply instanceof Refusal) sendProblem(response, reply);
      else response.set('cache-control', 'no-store').json(reply);
    });
  }
}

async function answer(
  one: ControlOperation,
  parts: SandboxParts,
  request: Request,
  response: Response,
): Promise<ControlReply> {
  const tenant = namedTenant(request);
  if (!parts.machine.hasTenant(tenant)) return unknownTenant;
  const read = request.method === 'GET' ? { body: {} } : await readJson(request);
  const body = 'fault' in read ? null : read.body;
  if (!isFields(body)) {
    const fault = 'fault' in read ? read.fault : 'no-object';
    return new Refusal(400, 'invalid_body', bodyDetails[fault]);
  }
  const asked = Object.entries(request.query).filter(
    ([, value]) => typeof value === 'string' && value !== '',
  );
  const [id = ''] = Object.values(request.params).map(String);
  const query = Object.fromEntries(asked);
  return carryOut(one, { parts, tenant, id, body, query, response });
}

/** Carries an operation out, once its body and its query are checked. */
export function carryOut(
  { body: shape, query: parameters, code, hint, perform }: ControlOperation,
  call: ControlCall<unknown, unknown>,
): ControlReply | Promise<ControlReply> {
  const body = (shape ?? z.unknown()).safeParse(call.body);
  const query = (parameters ?? z.unknown()).safeParse(call.query);
  const [issue] = (body.error ?? query.error)?.issues ?? [];
  if (issue !== undefined) return refusalOf(issue, code, hint);
  return perform({ ...call, body: body.data, query: query.data });
}

const bodyDetails: Readonly<Record<BodyFault | 'no-object', string>> = {
  malformed: 'The body is not valid JSON.',
  'not-json':
    'The body is JSON with content-type application/json, in UTF-8. With curl: --json \'{"by":"PT1H"}\'.',
  'too-large': 'The body has at most 64 KiB.',
  'no-object': 'The body is a JSON object, such as {"by":"PT1H"}.',
};

/** The schema says the rule of a field; an answer never repeats a value that the caller sent. */
function refusalOf(
  issue: z.core.$ZodIssue,
  code: ControlOperation['code'] = 'invalid_body',
  hint: string | undefined,
): Refusal {
  const field = String(issue.path[0] ?? '');
  const own = typeof code === 'string' ? code : (code[field] ?? code[''] ?? '');
  if (issue.code === 'custom' || issue.path.length > 0) return new Refusal(400, own, issue.message);
  return new Refusal(400, own, hint ?? unknownField);
}

const unknownField =
  'The body has a field that this call does not know; GET openapi.yaml names those that it does.';
