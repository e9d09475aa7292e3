import type { Router } from 'express';
import type { Outcome } from '../../domain/transaction/outcome.ts';
import { profileNames, profileOutcomes } from '../../faults/profiles.ts';
import { readFault } from '../../faults/read-fault.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { badRequest, controlRoute } from './control-call.ts';

/** `faults`: the next calls go wrong, as often as asked, one by one or as a named profile. */
export function addFaultRoutes(router: Router, { faults, machine }: SandboxParts): void {
  const describe = (tenant: string) => ({
    answer: { profile: faults.profile(tenant), faults: faults.list(tenant) },
  });
  const decide = (tenant: string, outcome: Outcome | null) =>
    machine.execute({ kind: 'set-profile-outcome', tenant, outcome });
  router.get(
    '/faults',
    controlRoute(({ tenant }) => describe(tenant)),
  );
  router.post(
    '/faults',
    controlRoute(({ tenant, fields }) => {
      const sketch = readFault(fields);
      if (typeof sketch === 'string') return badRequest('invalid_fault', sketch);
      return { answer: { fault: faults.add(tenant, sketch) } };
    }),
  );
  router.post(
    '/faults/profile/:name',
    controlRoute(async ({ tenant, request }) => {
      const name = profileNames.find((known) => known === request.params['name']);
      if (name === undefined) {
        return badRequest('unknown_profile', `The profiles are ${profileNames.join(', ')}.`);
      }
      faults.setProfile(tenant, name);
      await decide(tenant, profileOutcomes[name] ?? null);
      return describe(tenant);
    }),
  );
  router.delete(
    '/faults',
    controlRoute(async ({ tenant }) => {
      faults.clear(tenant);
      await decide(tenant, null);
      return describe(tenant);
    }),
  );
  router.delete(
    '/faults/:id',
    controlRoute(({ tenant, request }) => {
      if (faults.lift(tenant, String(request.params['id']))) return describe(tenant);
      const detail = 'No fault with this id is waiting; GET faults lists those that are.';
      return { problem: { status: 404, code: 'unknown_fault', detail } };
    }),
  );
}
