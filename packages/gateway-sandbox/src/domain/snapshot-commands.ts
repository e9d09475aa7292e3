import { movedTo, readClock } from './clock.ts';
import type { Handler } from './command.ts';
import type { Snapshot, Tenant } from './state.ts';

/** The most snapshots that a tenant keeps. */
export const mostSnapshots = 50;

/** Keeps the tenant as it stands; one of the same id is replaced. */
export const createSnapshot: Handler<'create-snapshot'> = (tenant, { id }, { now }) => {
  const others = without(tenant.snapshots, id);
  if (others.length >= mostSnapshots) return { tenant, reply: { kind: 'too-many' }, effects: [] };
  const snapshot: Snapshot = { id, at: now, tenant: { ...tenant, snapshots: [] } };
  return {
    tenant: { ...tenant, snapshots: [...others, snapshot] },
    reply: { kind: 'created', snapshot },
    effects: [],
  };
};

/** Puts the tenant back to what it was, its clock included: time goes on from that instant. */
export const restoreSnapshot: Handler<'restore-snapshot'> = (tenant, { id }, { realNow }) => {
  const snapshot = tenant.snapshots.find((known) => known.id === id);
  if (snapshot === undefined) return { tenant, reply: { kind: 'unknown' }, effects: [] };
  const clock = movedTo(snapshot.tenant.clock, snapshot.at, realNow);
  const restored: Tenant = { ...snapshot.tenant, clock, snapshots: tenant.snapshots };
  const at = readClock(clock, realNow);
  return {
    tenant: restored,
    reply: { kind: 'restored', snapshot },
    effects: [{ at, kind: 'snapshot-restored', id }],
  };
};

export const deleteSnapshot: Handler<'delete-snapshot'> = (tenant, { id }) => {
  const snapshots = without(tenant.snapshots, id);
  if (snapshots.length === tenant.snapshots.length) {
    return { tenant, reply: { kind: 'unknown' }, effects: [] };
  }
  return { tenant: { ...tenant, snapshots }, reply: { kind: 'deleted' }, effects: [] };
};

function without(snapshots: readonly Snapshot[], id: string): readonly Snapshot[] {
  return snapshots.filter((known) => known.id !== id);
}
