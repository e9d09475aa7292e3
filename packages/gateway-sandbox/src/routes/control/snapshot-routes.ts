import type { Router } from 'express';
import { mostSnapshots } from '../../domain/tenant/tenant-commands.ts';
import type { Snapshot } from '../../domain/state.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { badRequest, controlRoute } from './control-call.ts';

const unknownSnapshot = {
  problem: {
    status: 404,
    code: 'unknown_snapshot',
    detail: 'This tenant has no snapshot of this id; GET snapshots lists those that it has.',
  },
} as const;

/** `snapshots`: a tenant's whole state, kept and put back. Faults and the requests list stay. */
export function addSnapshotRoutes(router: Router, { machine }: SandboxParts): void {
  router.get(
    '/snapshots',
    controlRoute(async ({ tenant }) => {
      const { snapshots } = machine.tenant(tenant);
      await machine.settled();
      return { answer: { snapshots: snapshots.map(describe) } };
    }),
  );
  router.post(
    '/snapshots',
    controlRoute(async ({ tenant, fields }) => {
      const { snapshots } = machine.tenant(tenant);
      const id = readId(fields['id'], snapshots);
      if (id === null) {
        return badRequest(
          'invalid_id',
          '"id" is 1 to 64 letters, digits, dots, dashes and underscores.',
        );
      }
      const { reply } = await machine.execute({ kind: 'create-snapshot', tenant, id });
      if (reply.kind === 'created') return { answer: { snapshot: describe(reply.snapshot) } };
      const detail = `A tenant keeps at most ${mostSnapshots} snapshots; delete one first.`;
      return { problem: { status: 409, code: 'too_many_snapshots', detail } };
    }),
  );
  router.post(
    '/snapshots/:id/restore',
    controlRoute(async ({ tenant, request }) => {
      const id = String(request.params['id']);
      const { reply } = await machine.execute({ kind: 'restore-snapshot', tenant, id });
      if (reply.kind === 'unknown') return unknownSnapshot;
      return { answer: { snapshot: describe(reply.snapshot) } };
    }),
  );
  router.delete(
    '/snapshots/:id',
    controlRoute(async ({ tenant, request }) => {
      const id = String(request.params['id']);
      const { reply } = await machine.execute({ kind: 'delete-snapshot', tenant, id });
      return reply.kind === 'unknown' ? unknownSnapshot : { answer: { deleted: id } };
    }),
  );
}

function describe({ id, at, tenant }: Snapshot): object {
  return { id, at: new Date(at).toISOString(), sessions: tenant.sessions.size };
}

/** The id that was asked for, or the next free one; null when it is none. */
function readId(value: unknown, known: readonly Snapshot[]): string | null {
  if (value === undefined) {
    let number = known.length + 1;
    while (known.some(({ id }) => id === `snapshot-${number}`)) number += 1;
    return `snapshot-${number}`;
  }
  return typeof value === 'string' && /^[\w.-]{1,64}$/.test(value) ? value : null;
}
