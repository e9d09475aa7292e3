import { movedTo, readClock } from '../clock/clock.ts';
import type { Handler } from '../command.ts';
import { emptyTenant } from '../state.ts';
import type { Snapshot, Tenant } from '../state.ts';
import { accountAfterReset } from './account.ts';

/** A tenant comes to be with its seed; the shell has made sure that its id is free. */
export const openTenant: Handler<'open-tenant'> = (tenant, { seed }) => ({
  tenant: { ...tenant, account: { ...tenant.account, seed } },
  reply: { kind: 'opened' },
  effects: [],
});

/** Forgets everything but the credentials. */
export const resetTenant: Handler<'reset'> = ({ account }) => ({
  tenant: { ...emptyTenant, account: accountAfterReset(account) },
  reply: { kind: 'reset' },
  effects: [],
});

/** Lets the gateway lose its record of the merchant, or find it again (§7). */
export const switchMerchant: Handler<'switch-merchant'> = (tenant, { isFound }) => ({
  tenant:
    tenant.account.isFound === isFound
      ? tenant
      : { ...tenant, account: { ...tenant.account, isFound } },
  reply: { isFound },
  effects: [],
});

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
