import express from 'express';
import type { Router } from 'express';
import { iso } from '../../domain/clock.ts';
import { sendProblem } from '../../http/send.ts';
import { readFidelity } from '../../package-files.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { clockRoutes } from './clock-routes.ts';
import { addControlRoutes, requireTenant } from './control-call.ts';
import type { ControlRoutes } from './control-call.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { describeTenant, moneyRoutes, sessionRoutes } from './session-routes.ts';
import { faultRoutes } from './fault-routes.ts';
import { addStreamRoute, requestRoutes } from './request-routes.ts';
import { snapshotRoutes, tenantRoutes } from './tenant-routes.ts';

/** The control API, relative to `/_sandbox/v1`. */
export function controlRoutes(parts: SandboxParts): Router {
  const router = express.Router();
  router.use(requireTenant(parts));
  addControlRoutes(router, {
    ...sandboxRoutes(parts),
    ...clockRoutes(parts),
    ...sessionRoutes(parts),
    ...faultRoutes(parts),
    ...deliveryRoutes(parts),
    ...tenantRoutes(parts),
    ...moneyRoutes(parts),
    ...requestRoutes(parts),
    ...snapshotRoutes(parts),
  });
  addStreamRoute(router, parts);
  // JSON is YAML too.
  router.get('/openapi.yaml', async (_request, response) => {
    const { controlDocument } = await import('../../control/control-document.ts');
    const text = JSON.stringify(controlDocument(), null, 2);
    response.type('application/yaml').set('cache-control', 'no-store').send(text);
  });
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
  const { machine, policy, profile, version } = parts;
  const { clock, account } = machine.tenant(tenant);
  return {
    version,
    seed: account.seed ?? parts.seed,
    policy: policy.list(),
    ...(Object.keys(profile).length === 0 ? {} : { profile }),
    clock: {
      now: iso(machine.now(tenant)),
      state: clock.kind,
      ...(clock.kind === 'running' && clock.rate !== 1 ? { rate: clock.rate } : {}),
    },
    ...describeTenant(parts, tenant),
  };
}

function sandboxRoutes(parts: SandboxParts): ControlRoutes {
  const { machine, faults, requestLog, visits } = parts;
  return {
    'GET /ready': () => ({ answer: { ready: true } }),
    'GET /info': ({ tenant }) => ({ answer: describeSandbox(parts, tenant) }),
    'GET /fidelity': () => ({ answer: readFidelity() }),
    'POST /reset': ({ tenant }) => {
      machine.execute({ kind: 'reset', tenant });
      faults.clear(tenant);
      requestLog.clear(tenant);
      visits.clear(tenant);
      return { answer: { reset: true } };
    },
  };
}
