import { curlOf, harOf } from '../../log/request-export.ts';
import type { RequestQuery } from '../../log/request-log.ts';
import { findOperation, operationNames } from '../../operations.ts';
import type { OperationName } from '../../operations.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { badRequest, refuse } from './control-call.ts';
import type { ControlCall, ControlRoutes } from './control-call.ts';

/** The requests that the gateway saw, as a list, as an HTTP archive, as curl; and `verify`. */
export function requestRoutes(parts: SandboxParts): ControlRoutes {
  const { requestLog, publicUrl, version } = parts;
  return {
    'GET /requests': ({ tenant, query }) => {
      const wanted = readQuery(query);
      if (typeof wanted === 'string') return badRequest('invalid_query', wanted);
      return { answer: { requests: requestLog.list(tenant, wanted) } };
    },
    'GET /requests.har': ({ tenant, query }) => {
      const wanted = readQuery(query);
      if (typeof wanted === 'string') return badRequest('invalid_query', wanted);
      const requests = requestLog.withReplies(tenant, wanted);
      return { answer: harOf(requests, { url: publicUrl(), version }) };
    },
    'GET /requests/:id/curl': ({ tenant, id }) => {
      const entry = requestLog.list(tenant).find((known) => known.id === id);
      if (entry === undefined) {
        const detail = 'No remembered request has this id; GET requests lists them.';
        return refuse(404, 'unknown_request', detail);
      }
      const credential = entry.path.includes('/merchant/') ? 'portal' : 'apiKey';
      return { answer: { curl: curlOf(entry, { url: publicUrl(), credential }) } };
    },
    'POST /verify': ({ tenant, fields }) => {
      const wanted = readVerification(fields);
      if (typeof wanted === 'string') return badRequest('invalid_verification', wanted);
      const count = requestLog.list(tenant, wanted.query).length;
      const ok = count >= wanted.atLeast && count <= wanted.atMost;
      return { answer: { ok, count, complete: requestLog.isComplete(tenant) } };
    },
  };
}

/** A misspelled name would match no call, and a test that expects no call would pass. */
const unknownOperation = `"operation" is one of ${operationNames.join(', ')}, or left out.`;

/** `operation`, `merchantOrderId` and `status` narrow the list; a text says what is wrong with them. */
function readQuery(query: ControlCall['query']): RequestQuery | string {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  const status = text(query['status']);
  const operation = readOperation(text(query['operation']));
  if (operation === null) return unknownOperation;
  if (status !== undefined && !/^\d{3}$/.test(status))
    return '"status" is an HTTP status, or left out.';
  return {
    operation,
    merchantOrderId: text(query['merchantOrderId']),
    status: status === undefined ? undefined : Number(status),
  };
}

interface Verification {
  readonly query: RequestQuery;
  readonly atLeast: number;
  readonly atMost: number;
}

/** The expectation to verify, or its fault. */
function readVerification(fields: Readonly<Record<string, unknown>>): Verification | string {
  const { merchantOrderId, status, count, atLeast, atMost } = fields;
  const operation = readOperation(fields['operation']);
  if (operation === null) return unknownOperation;
  if (!isTextOrAbsent(merchantOrderId)) return '"merchantOrderId" is a string, or left out.';
  if (!isCountOrAbsent(status)) return '"status" is an HTTP status, or left out.';
  const bounds = [count, atLeast, atMost];
  if (!bounds.every(isCountOrAbsent)) {
    return '"count", "atLeast" and "atMost" are whole numbers from 0, or left out.';
  }
  if (bounds.every((bound) => bound === undefined)) {
    return 'Say how many calls are right: "count", or "atLeast", "atMost" or both.';
  }
  return {
    query: { operation, merchantOrderId, status },
    atLeast: Number(count ?? atLeast ?? 0),
    atMost: Number(count ?? atMost ?? Number.POSITIVE_INFINITY),
  };
}

function readOperation(name: unknown): OperationName | undefined | null {
  return name === undefined ? undefined : findOperation(name);
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function isCountOrAbsent(value: unknown): value is number | undefined {
  return (
    value === undefined || (typeof value === 'number' && Number.isInteger(value) && value >= 0)
  );
}
