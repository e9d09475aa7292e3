import type { Response, Router } from 'express';
import { iso } from '../../domain/clock.ts';
import { curlOf, harOf } from '../../log/request-export.ts';
import type { RequestQuery } from '../../log/request-log.ts';
import { findOperation, operationNames } from '../../operations.ts';
import type { OperationName } from '../../operations.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { badRequest, namedTenant, refuse } from './control-call.ts';
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

/** A comment keeps proxies and browsers from giving up on a quiet stream. */
const heartbeatMs = 15_000;

/**
 * `stream`: server-sent events of one tenant, live. `effect` is something that happened, in the
 * words of `advance`; `request` is an entry of the requests list.
 */
export function addStreamRoute(router: Router, parts: SandboxParts): void {
  const { machine, requestLog, closing } = parts;
  router.get('/stream', (request, response) => {
    const tenant = namedTenant(request);
    const send = openStream(response);
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    const stopEffects = machine.watch((of, effects) => {
      if (of !== tenant) return;
      for (const { at, kind, id } of effects) {
        send('effect', { at: iso(at), kind, id });
      }
    });
    const stopRequests = requestLog.watch((of, entry) => {
      if (of === tenant) send('request', entry);
    });
    const heartbeat = setInterval(() => response.write(':\n\n'), heartbeatMs).unref();
    const end = () => response.end();
    closing.addEventListener('abort', end, { once: true });
    response.once('close', () => {
      clearInterval(heartbeat);
      stopEffects();
      stopRequests();
      closing.removeEventListener('abort', end);
    });
  });
}

/** Begins the stream; the answer sends one event, numbered from 1. */
function openStream(response: Response): (event: string, data: object) => void {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  response.write('retry: 1000\n\n');
  let number = 0;
  return (event, data) => {
    number += 1;
    response.write(`id: ${number}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
}
