import { mostSnapshots } from '../../domain/account.ts';
import { iso } from '../../domain/clock.ts';
import type { Snapshot } from '../../domain/tenant.ts';
import { findPolicy, policyNames } from '../../readings/policies.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { badRequest, refuse } from './control-call.ts';
import type { ControlCall, ControlReply, ControlRoutes } from './control-call.ts';
import { describeTenant } from './session-routes.ts';

const longestSeed = 200;

const unknownTenant = refuse(
  404,
  'unknown_tenant',
  'No tenant has this id. GET tenants lists them.',
);

/** Tenants share nothing, so that tests can run side by side; the policy is for all of them. */
export function tenantRoutes(parts: SandboxParts): ControlRoutes {
  const { machine, policy } = parts;
  const describePolicy = () => ({ answer: { policy: policy.list(), known: policyNames } });
  return {
    'GET /tenants': () => ({
      answer: { tenants: machine.tenantIds().map((id) => describeTenant(parts, id)) },
    }),
    'POST /tenants': ({ fields }) => openTenant(parts, fields),
    'GET /tenants/:id': ({ id }) =>
      machine.hasTenant(id) ? { answer: describeTenant(parts, id) } : unknownTenant,
    'PATCH /tenants/:id': ({ id: tenant, fields: { merchant } }) => {
      if (!machine.hasTenant(tenant)) return unknownTenant;
      if (merchant !== 'found' && merchant !== 'not-found') {
        return badRequest('invalid_merchant', '"merchant" is found or not-found.');
      }
      machine.execute({ kind: 'switch-merchant', tenant, isFound: merchant === 'found' });
      return { answer: describeTenant(parts, tenant) };
    },
    'POST /portal-tokens/revoke': ({ tenant }) => {
      const { reply } = machine.execute({ kind: 'revoke-portal-tokens', tenant });
      return { answer: reply };
    },
    'GET /policy': describePolicy,
    'PUT /policy': ({ fields: { policy: wanted } }) => {
      const names = Array.isArray(wanted) ? wanted.map(findPolicy) : [undefined];
      if (names.includes(undefined)) {
        return badRequest('unknown_policy', `"policy" is a list of ${policyNames.join(', ')}.`);
      }
      policy.replace(names.filter((name) => name !== undefined));
      return describePolicy();
    },
  };
}

async function openTenant(
  parts: SandboxParts,
  { id = null, seed = null }: ControlCall['fields'],
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
  const opened = parts.tenants.open({ id, seed });
  if (!('fault' in opened)) return { answer: describeTenant(parts, opened.id) };
  if (opened.fault === 'id-taken') {
    const detail = 'A tenant of this sandbox has this id. Choose another, or go on with that one.';
    return refuse(409, 'tenant_exists', detail);
  }
  const detail = 'This sandbox holds all the tenants it can. Start another one.';
  return refuse(409, 'too_many_tenants', detail);
}

const unknownSnapshot = refuse(
  404,
  'unknown_snapshot',
  'This tenant has no snapshot of this id; GET snapshots lists those that it has.',
);

/** A tenant's whole state, stored and restored. Faults and the requests list stay. */
export function snapshotRoutes({ machine }: SandboxParts): ControlRoutes {
  return {
    'GET /snapshots': ({ tenant }) => {
      const { snapshots } = machine.tenant(tenant);
      return { answer: { snapshots: snapshots.map(describe) } };
    },
    'POST /snapshots': ({ tenant, fields }) => {
      const id = readId(fields['id'], machine.tenant(tenant).snapshots);
      if (id === null) {
        return badRequest(
          'invalid_id',
          '"id" is 1 to 64 letters, digits, dots, dashes and underscores.',
        );
      }
      const { reply } = machine.execute({ kind: 'create-snapshot', tenant, id });
      if (reply.kind === 'created') return { answer: { snapshot: describe(reply.snapshot) } };
      const detail = `A tenant keeps at most ${mostSnapshots} snapshots; delete one first.`;
      return refuse(409, 'too_many_snapshots', detail);
    },
    'POST /snapshots/:id/restore': ({ tenant, id }) => {
      const { reply } = machine.execute({ kind: 'restore-snapshot', tenant, id });
      if (reply.kind === 'unknown') return unknownSnapshot;
      return { answer: { snapshot: describe(reply.snapshot) } };
    },
    'DELETE /snapshots/:id': ({ tenant, id }) => {
      const { reply } = machine.execute({ kind: 'delete-snapshot', tenant, id });
      return reply.kind === 'unknown' ? unknownSnapshot : { answer: { deleted: id } };
    },
  };
}

function describe({ id, at, tenant }: Snapshot): object {
  return { id, at: iso(at), sessions: tenant.sessions.size };
}

/** The requested id, or the next free one; null for an invalid id. */
function readId(value: unknown, known: readonly Snapshot[]): string | null {
  if (value === undefined) {
    let number = known.length + 1;
    while (known.some(({ id }) => id === `snapshot-${number}`)) number += 1;
    return `snapshot-${number}`;
  }
  return typeof value === 'string' && /^[\w.-]{1,64}$/.test(value) ? value : null;
}
