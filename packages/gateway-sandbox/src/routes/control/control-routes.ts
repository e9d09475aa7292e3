import { readFileSync } from 'node:fs';
import express from 'express';
import type { Router } from 'express';
import { orderNumber } from '../../domain/body-fields.ts';
import { readOutcome } from '../../domain/transaction/outcome.ts';
import { armableOperations } from '../../domain/state.ts';
import type { ArmableOperation } from '../../domain/state.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { readFidelity } from '../../package-files.ts';
import { sendProblem } from '../../http/send.ts';
import { addChallengeRoutes } from './challenge-routes.ts';
import { addClockRoutes } from './clock-routes.ts';
import { badRequest, controlRoute, requireTenant } from './control-call.ts';
import { addDeliveryRoutes, addEventRoutes } from './delivery-routes.ts';
import { addFaultRoutes } from './fault-routes.ts';
import { addMoneyRoutes, addTokenRoutes } from './money-routes.ts';
import {
  addPolicyRoutes,
  addPortalTokenRoute,
  addTenantRoutes,
  describeTenant,
} from './tenant-routes.ts';
import { addRequestRoutes } from './request-routes.ts';
import { addSessionRoutes } from './session-routes.ts';
import { addSnapshotRoutes } from './snapshot-routes.ts';
import { addStreamRoute } from './stream-route.ts';

/** The control API, relative to `/_sandbox/v1`. */
export function controlRoutes(parts: SandboxParts): Router {
  const router = express.Router();
  router.use(requireTenant(parts));
  router.get(
    '/ready',
    controlRoute(() => ({ answer: { ready: true } })),
  );
  router.get(
    '/info',
    controlRoute(({ tenant }) => ({ answer: describeSandbox(parts, tenant) })),
  );
  addResetRoute(router, parts);
  addNextRoute(router, parts);
  addClockRoutes(router, parts);
  addSessionRoutes(router, parts);
  addChallengeRoutes(router, parts);
  addFaultRoutes(router, parts);
  addEventRoutes(router, parts);
  addDeliveryRoutes(router, parts);
  addTenantRoutes(router, parts);
  addTokenRoutes(router, parts);
  addPortalTokenRoute(router, parts);
  addMoneyRoutes(router, parts);
  addRequestRoutes(router, parts);
  addSnapshotRoutes(router, parts);
  addPolicyRoutes(router, parts);
  addStreamRoute(router, parts);
  router.get('/openapi.yaml', (_request, response) => {
    response.type('application/yaml').set('cache-control', 'no-store').send(readDocument());
  });
  router.get(
    '/fidelity',
    controlRoute(() => ({ answer: readFidelity() })),
  );
  router.use((_request, response) => {
    sendProblem(response, {
      status: 404,
      code: 'unknown_route',
      detail: 'The control API has no such route; GET openapi.yaml lists them.',
    });
  });
  return router;
}

/** Everything a client needs to begin, secrets included: the API is bound to this machine. */
export function describeSandbox(parts: SandboxParts, tenant: string): object {
  const { machine, policy, version } = parts;
  const { clock, account } = machine.tenant(tenant);
  return {
    version,
    seed: account.seed ?? parts.seed,
    policy: policy.list(),
    clock: {
      now: new Date(machine.now(tenant)).toISOString(),
      state: clock.kind,
      ...(clock.kind === 'running' && clock.rate !== 1 ? { rate: clock.rate } : {}),
    },
    ...describeTenant(parts, tenant),
  };
}

function addResetRoute(
  router: Router,
  { machine, faults, requestLog, visits }: SandboxParts,
): void {
  router.post(
    '/reset',
    controlRoute(async ({ tenant }) => {
      await machine.execute({ kind: 'reset', tenant });
      faults.clear(tenant);
      requestLog.clear(tenant);
      visits.clear(tenant);
      return { answer: { reset: true } };
    }),
  );
}

function addNextRoute(router: Router, { machine }: SandboxParts): void {
  router.post(
    '/next',
    controlRoute(async ({ tenant, fields }) => {
      const outcome = readOutcome(fields['outcome']);
      const merchantOrderId = fields['merchantOrderId'] ?? null;
      const operation = readArmable(fields['operation']);
      if (outcome === null) {
        return badRequest(
          'invalid_outcome',
          '"outcome" is approve, decline, or decline:RR with a response code such as 51.',
        );
      }
      if (operation === 'invalid') {
        return badRequest(
          'invalid_operation',
          `"operation" is one of ${armableOperations.join(', ')}, or left out.`,
        );
      }
      if (merchantOrderId !== null && typeof merchantOrderId !== 'string') {
        return badRequest('invalid_order_id', '"merchantOrderId" is a string, or left out.');
      }
      if (merchantOrderId !== null && 'fault' in orderNumber(merchantOrderId)) {
        return badRequest(
          'invalid_order_id',
          '"merchantOrderId" must be one that an order can have: not empty, of at most 255 characters and not like a card number.',
        );
      }
      const command = { kind: 'arm-next', tenant, outcome, operation, merchantOrderId } as const;
      const { reply } = await machine.execute(command);
      return { answer: reply };
    }),
  );
}

function readArmable(value: unknown): ArmableOperation | null | 'invalid' {
  if (value === undefined || value === null) return null;
  return armableOperations.find((known) => known === value) ?? 'invalid';
}

/** The API's own document, which lies beside the compiled and the source folder alike. */
function readDocument(): string {
  return readFileSync(new URL('../../../control.openapi.yaml', import.meta.url), 'utf8');
}
