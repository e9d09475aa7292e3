import type { Router } from 'express';
import { sendProblem } from '../../http/send.ts';
import { policyNames } from '../../options.ts';
import { basePaths } from '../../sandbox-parts.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { badRequest, controlRoute } from './control-call.ts';
import type { ControlReply } from './control-call.ts';

const longestSeed = 200;

/** `tenants`: merchants that share nothing, so that tests side by side do not meet. */
export function addTenantRoutes(router: Router, parts: SandboxParts): void {
  const { machine } = parts;
  router.get(
    '/tenants',
    controlRoute(() => ({
      answer: { tenants: machine.tenantIds().map((id) => describeTenant(parts, id)) },
    })),
  );
  router.post(
    '/tenants',
    controlRoute(({ fields }) => openTenant(parts, fields)),
  );
  router.use('/tenants/:id', (request, response, next) => {
    if (machine.hasTenant(request.params.id)) {
      next();
      return;
    }
    sendProblem(response, {
      status: 404,
      code: 'unknown_tenant',
      detail: 'No tenant has this id. GET tenants lists them.',
    });
  });
  router.get(
    '/tenants/:id',
    controlRoute(({ request }) => ({
      answer: describeTenant(parts, String(request.params['id'])),
    })),
  );
  router.patch(
    '/tenants/:id',
    controlRoute(async ({ request, fields }) => {
      const { merchant } = fields;
      const tenant = String(request.params['id']);
      if (merchant !== 'found' && merchant !== 'not-found') {
        return badRequest('invalid_merchant', '"merchant" is found or not-found.');
      }
      await machine.execute({ kind: 'switch-merchant', tenant, isFound: merchant === 'found' });
      return { answer: describeTenant(parts, tenant) };
    }),
  );
}

/** `portal-tokens/revoke`: every bearer token of the tenant is bad from now on (§7). */
export function addPortalTokenRoute(router: Router, { machine }: SandboxParts): void {
  router.post(
    '/portal-tokens/revoke',
    controlRoute(async ({ tenant }) => {
      const { reply } = await machine.execute({ kind: 'revoke-portal-tokens', tenant });
      return { answer: reply };
    }),
  );
}

/** A tenant's addresses and credentials, secrets included: the API is bound to this machine. */
export function describeTenant({ machine, tenants, publicUrl }: SandboxParts, id: string): object {
  const { apiKeys, portal, salePassword } = tenants.credentials(id);
  return {
    id,
    url: publicUrl(),
    baseUrl: publicUrl() + basePaths.staging,
    productionBaseUrl: publicUrl() + basePaths.production,
    apiKey: apiKeys.staging,
    productionApiKey: apiKeys.production,
    portal,
    salePassword,
    merchant: machine.tenant(id).account.isFound ? 'found' : 'not-found',
  };
}

async function openTenant(
  parts: SandboxParts,
  { id = null, seed = null }: Readonly<Record<string, unknown>>,
): Promise<ControlReply> {
  if (id !== null && (typeof id !== 'string' || !/^[a-z0-9][a-z0-9-]{0,39}$/.test(id))) {
    return badRequest(
      'invalid_tenant',
      '"id" has 1 to 40 small letters, digits and dashes and begins with no dash; left out, the sandbox picks one.',
    );
  }
  if (seed !== null && (typeof seed !== 'string' || seed === '' || seed.length > longestSeed)) {
    return badRequest('invalid_seed', `"seed" has 1 to ${longestSeed} characters, or is left out.`);
  }
  const opened = await parts.tenants.open({ id, seed });
  if ('fault' in opened) {
    return {
      problem: {
        status: 409,
        code: opened.fault === 'id-taken' ? 'tenant_exists' : 'too_many_tenants',
        detail:
          opened.fault === 'id-taken'
            ? 'A tenant of this sandbox has this id. Choose another, or go on with that one.'
            : 'This sandbox holds all the tenants it can. Start another one.',
      },
    };
  }
  return { answer: describeTenant(parts, opened.id) };
}

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
