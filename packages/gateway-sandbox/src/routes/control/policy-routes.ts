import type { Router } from 'express';
import { policyNames } from '../../options.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { badRequest, controlRoute } from './control-call.ts';

/** `policy`: the readings of the specification that differ from the default, for all tenants. */
export function addPolicyRoutes(router: Router, { policy }: SandboxParts): void {
  const describe = () => ({ answer: { policy: policy.list(), known: policyNames } });
  router.get('/policy', controlRoute(describe));
  router.put(
    '/policy',
    controlRoute(({ fields }) => {
      const wanted: unknown = fields['policy'];
      const names = Array.isArray(wanted)
        ? wanted.map((name: unknown) => policyNames.find((known) => known === name))
        : [undefined];
      if (names.includes(undefined)) {
        return badRequest('unknown_policy', `"policy" is a list of ${policyNames.join(', ')}.`);
      }
      policy.replace(names.filter((name) => name !== undefined));
      return describe();
    }),
  );
}
