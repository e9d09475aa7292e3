import { iso } from '../../domain/clock/clock.ts';
import type { Snapshot } from '../../domain/state.ts';
import { mostSnapshots } from '../../domain/tenant/tenant-commands.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { badRequest, refuse } from './control-call.ts';
import type { ControlRoutes } from './control-call.ts';

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
