import type { Router } from 'express';
import { faultKinds, faultPlaces } from '../../faults.ts';
import type { Fault, FaultKind } from '../../faults.ts';
import { operationNames } from '../../operations.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { badRequest, controlRoute } from './control-call.ts';

const mostCalls = 1000;
const longestLatencyMs = 60_000;
const defaultStatuses: Record<FaultKind, number> = {
  status: 500,
  html: 503,
  latency: 200,
  reset: 200,
};

/** `faults`: the next calls go wrong, as often as asked. */
export function addFaultRoutes(router: Router, { faults }: SandboxParts): void {
  router.post(
    '/faults',
    controlRoute(({ tenant, fields }) => {
      const fault = readFault(fields);
      if (typeof fault === 'string') return badRequest('invalid_fault', fault);
      faults.add(tenant, fault);
      return { answer: { fault } };
    }),
  );
}

/** The fault, or what is wrong with it. */
function readFault(fields: Readonly<Record<string, unknown>>): Fault | string {
  const place = faultPlaces.find((known) => known === fields['place']);
  const kind = faultKinds.find((known) => known === fields['kind']);
  const operation = operationNames.find((known) => known === fields['operation']) ?? null;
  if (place === undefined) return `"place" is one of ${faultPlaces.join(', ')}.`;
  if (kind === undefined) return `"kind" is one of ${faultKinds.join(', ')}.`;
  if (operation === null && fields['operation'] !== undefined) {
    return `"operation" is one of ${operationNames.join(', ')}, or left out for all.`;
  }
  const count = wholeNumber(fields['count'], { fallback: 1, from: 1, to: mostCalls });
  if (count === null) return `"count" is a whole number from 1 to ${mostCalls}.`;
  const status = wholeNumber(fields['status'], {
    fallback: defaultStatuses[kind],
    from: 200,
    to: 599,
  });
  if (status === null) return '"status" is an HTTP status from 200 to 599.';
  const latencyMs = wholeNumber(fields['latencyMs'], {
    fallback: 2000,
    from: 0,
    to: longestLatencyMs,
  });
  if (latencyMs === null) return `"latencyMs" is a whole number from 0 to ${longestLatencyMs}.`;
  return { operation, place, kind, count, status, latencyMs };
}

function wholeNumber(
  value: unknown,
  { fallback, from, to }: { fallback: number; from: number; to: number },
): number | null {
  if (value === undefined) return fallback;
  const fits = typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to;
  return fits ? value : null;
}
