import type { Request, Router } from 'express';
import { curlOf } from '../../curl.ts';
import { harOf } from '../../har.ts';
import type { RequestQuery } from '../../request-log.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { badRequest, controlRoute } from './control-call.ts';

/** `requests`: what the gateway saw, as a list, as an HTTP archive, as curl; and `verify`. */
export function addRequestRoutes(router: Router, parts: SandboxParts): void {
  const { requestLog, publicUrl, version } = parts;
  router.get(
    '/requests',
    controlRoute(({ tenant, request }) => ({
      answer: { requests: requestLog.list(tenant, queryOf(request)) },
    })),
  );
  router.get(
    '/requests.har',
    controlRoute(({ tenant, request }) => ({
      answer: harOf(requestLog.withReplies(tenant, queryOf(request)), {
        url: publicUrl(),
        version,
      }),
    })),
  );
  router.get(
    '/requests/:id/curl',
    controlRoute(({ tenant, request }) => {
      const entry = requestLog.list(tenant).find(({ id }) => id === request.params['id']);
      if (entry === undefined) {
        const detail = 'No remembered request has this id; GET requests lists them.';
        return { problem: { status: 404, code: 'unknown_request', detail } };
      }
      const credential = entry.path.includes('/merchant/') ? 'portal' : 'apiKey';
      return { answer: { curl: curlOf(entry, { url: publicUrl(), credential }) } };
    }),
  );
  router.post(
    '/verify',
    controlRoute(({ tenant, fields }) => {
      const wanted = readVerification(fields);
      if (typeof wanted === 'string') return badRequest('invalid_verification', wanted);
      const count = requestLog.list(tenant, wanted.query).length;
      const ok = count >= wanted.atLeast && count <= wanted.atMost;
      return { answer: { ok, count, complete: requestLog.isComplete(tenant) } };
    }),
  );
}

/** `operation`, `merchantOrderId` and `status` narrow the list. */
function queryOf({ query }: Request): RequestQuery {
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const status = text(query['status']);
  return {
    operation: text(query['operation']),
    merchantOrderId: text(query['merchantOrderId']),
    status: status === undefined ? undefined : Number(status),
  };
}

interface Verification {
  readonly query: RequestQuery;
  readonly atLeast: number;
  readonly atMost: number;
}

/** What is to be verified, or what is wrong with it. */
function readVerification(fields: Readonly<Record<string, unknown>>): Verification | string {
  const { operation, merchantOrderId, status, count, atLeast, atMost } = fields;
  if (!isTextOrAbsent(operation) || !isTextOrAbsent(merchantOrderId)) {
    return '"operation" and "merchantOrderId" are strings, or left out.';
  }
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

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function isCountOrAbsent(value: unknown): value is number | undefined {
  return (
    value === undefined || (typeof value === 'number' && Number.isInteger(value) && value >= 0)
  );
}
