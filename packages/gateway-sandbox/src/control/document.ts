import express from 'express';
import type { Router } from 'express';
import { z } from 'zod';
import { sendProblem } from '../http/messages.ts';
import type { SandboxParts } from '../sandbox-parts.ts';
import { addOperations, operation, type ControlOperation, type Operations } from './api.ts';
import { faultOperations, recordOperations, webhookOperations } from './record-operations.ts';
import * as shapes from './shapes.ts';
import { shopperOperations } from './shopper-operations.ts';
import { clockOperations, sandboxOperations, snapshotOperations } from './tenant-operations.ts';

const documentOperations: Operations = {
  // JSON is YAML too.
  openapi: operation('GET /openapi.yaml', {
    summary: 'Answers this document.',
    type: 'application/yaml',
    perform: ({ response }) => {
      const text = JSON.stringify(controlDocument(), null, 2);
      response.type('application/yaml').set('cache-control', 'no-store').send(text);
      return null;
    },
  }),
};

/** The tags of the document, each with its description and its operations. */
const tags: Readonly<Record<string, readonly [description: string, operations: Operations]>> = {
  Sandbox: [
    'Readiness, addresses, keys, readings and tenants.',
    { ...sandboxOperations, ...documentOperations },
  ],
  Clock: ['One clock for everything; it only moves forward.', clockOperations],
  Shopper: ['Actions of a shopper or an issuer, without a browser.', shopperOperations],
  Faults: ['Calls and deliveries that go wrong.', faultOperations],
  Records: ['The requests to the gateway, and their effects.', recordOperations],
  Webhooks: ['Events and their deliveries.', webhookOperations],
  Snapshots: ['States that are stored and restored.', snapshotOperations],
};

/** The control API, relative to `/_sandbox/v1`. */
export function controlRoutes(parts: SandboxParts): Router {
  const router = express.Router();
  for (const [, operations] of Object.values(tags)) addOperations(router, operations, parts);
  router.use((_request, response) => {
    const detail = 'The control API has no such route; GET openapi.yaml lists them.';
    sendProblem(response, { status: 404, code: 'unknown_route', detail });
  });
  return router;
}

const description = `Steers a sandbox from tests and tools. Every call acts on the tenant that the header \`x-sandbox-tenant\` or the query \`tenant\` names, else on the first. Errors are problem documents (RFC 9457) with a stable \`code\`. A sandbox that is bound wider than loopback asks for its control token, and answers 401 without it. Beside the problems of each operation, any call can be refused with 403 (a page of another origin) and 421 (another host's name), and an unknown route with 404. This is no part of the gateway: the gateway's own contract is another document.`;

const problem = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string().regex(/^[a-z_]+$/),
  detail: z.string(),
});

const anyObject = z.looseObject({});

type Schema = { readonly $ref: string } | { readonly type: 'string' };
type Content = Readonly<Record<string, { readonly schema: Schema }>>;
type Answer =
  | { readonly $ref: string }
  | { readonly description: string; readonly content: Content };

export interface DocumentedOperation {
  readonly responses: Readonly<Record<string, Answer>>;
  readonly [field: string]: unknown;
}

/** The OpenAPI document of the control API, made from its operations and shapes. */
export function controlDocument() {
  const names = namedSchemas();
  const reference = (schema: z.ZodType) => ({ $ref: schemaAddress(names.get(schema)?.id ?? '') });
  const json = (schema: z.ZodType) => ({ 'application/json': { schema: reference(schema) } });
  const paths: Record<string, Record<string, DocumentedOperation>> = {};
  for (const [tag, [, operations]] of Object.entries(tags)) {
    for (const [id, one] of Object.entries(operations)) {
      const [method = '', path = ''] = one.route.split(' ');
      const { summary, reply = anyObject, type, body, refuses = [] } = one;
      // Every call names a tenant, which may be unknown, and all but GET read a body.
      const statuses = [...(method === 'GET' ? [] : [400]), 401, 404, ...refuses];
      const content =
        type === undefined ? json(reply) : { [type]: { schema: { type: 'string' } as const } };
      const refusal = { $ref: '#/components/responses/Problem' };
      (paths[path.replaceAll(/:(\w+)/g, '{$1}')] ??= {})[method.toLowerCase()] = {
        operationId: id,
        tags: [tag],
        summary,
        parameters: parametersOf(path, one),
        ...(body === undefined ? {} : { requestBody: { content: json(body) } }),
        responses: {
          200: { description: 'The call succeeded.', content },
          ...Object.fromEntries(statuses.map((status) => [status, refusal])),
        },
      };
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control API of the payment gateway sandbox',
      version: '1.0.0',
      description,
      contact: { name: 'pay-button', url: 'https://github.com/pay-button/pay-button' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'http://127.0.0.1:4010/_sandbox/v1', description: 'The default address.' }],
    security: [{}, { controlToken: [] }],
    tags: Object.entries(tags).map(([name, [about]]) => ({ name, description: about })),
    paths,
    components: {
      securitySchemes: {
        controlToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'Printed at the start of a sandbox that is bound wider.',
        },
      },
      responses: {
        Problem: {
          description: 'The mistake and its remedy.',
          content: { 'application/problem+json': { schema: reference(problem) } },
        },
      },
      schemas: schemasOf(names),
    },
  };
}

type Names = z.core.$ZodRegistry<{ id: string }>;

const schemaAddress = (name: string): string => `#/components/schemas/${name}`;

/** Every shape by its own name, and every other body and reply by its operation's. */
function namedSchemas(): Names {
  const names: Names = z.registry();
  const add = (name: string, schema: z.ZodType | undefined) => {
    // A filter is the parameters of a query.
    if (schema === undefined || names.has(schema) || /(?:Filter|Query)$/.test(name)) return;
    names.add(schema, { id: name.charAt(0).toUpperCase() + name.slice(1) });
  };
  for (const [name, schema] of Object.entries({ problem, anyObject, ...shapes })) add(name, schema);
  for (const [, operations] of Object.values(tags)) {
    for (const [id, { body, reply }] of Object.entries(operations)) {
      add(`${id}Request`, body);
      add(`${id}Reply`, reply);
    }
  }
  return names;
}

/** The schemas by name, without the parts that zod adds for a document of its own. */
function schemasOf(names: Names): Readonly<Record<string, object>> {
  const { schemas } = z.toJSONSchema(names, { uri: schemaAddress });
  for (const schema of Object.values(schemas)) {
    delete schema.$schema;
    delete schema.$id;
    delete schema.id;
  }
  return schemas;
}

function parametersOf(path: string, { query, parameter }: ControlOperation): object[] {
  const text = { type: 'string' };
  const [, name] = /:(\w+)/.exec(path) ?? [];
  const schema = parameter === undefined ? text : z.toJSONSchema(parameter);
  return [
    ...(name === undefined ? [] : [{ name, in: 'path', required: true, schema }]),
    ...Object.keys(query?.shape ?? {}).map((one) => ({ name: one, in: 'query', schema: text })),
  ];
}
