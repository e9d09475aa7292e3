import { movedTo, readClock } from '../clock/clock.ts';
import { respond } from '../command.ts';
import type { Moment } from '../command.ts';
import { newTenant } from '../state.ts';
import type { Snapshot, Tenant } from '../state.ts';
import { accountAfterReset } from './account.ts';

/** The most snapshots of one tenant. */
export const mostSnapshots = 50;

interface Named {
  readonly id: string;
}

/** Opens a tenant with its seed; the caller has checked that the id is free. */
export const openTenant = (tenant: Tenant, { seed }: { readonly seed: string | null }) =>
  respond({ ...tenant, account: { ...tenant.account, seed } }, { kind: 'opened' });

/** Forgets everything but the credentials. */
export const resetTenant = ({ account }: Tenant) =>
  respond({ ...newTenant(), account: accountAfterReset(account) }, { kind: 'reset' });

/** Lets the gateway lose its record of the merchant, or find it again (§7). */
export const switchMerchant = (tenant: Tenant, { isFound }: { readonly isFound: boolean }) =>
  tenant.account.isFound === isFound
    ? respond(tenant, { isFound })
    : respond({ ...tenant, account: { ...tenant.account, isFound } }, { isFound });

/** Stores the tenant as it is; a snapshot of the same id is replaced. */
export function createSnapshot(tenant: Tenant, { id }: Named, { now }: Moment) {
  const others = without(tenant.snapshots, id);
  if (others.length >= mostSnapshots) return respond(tenant, { kind: 'too-many' });
  const snapshot: Snapshot = { id, at: now, tenant: structuredClone({ ...tenant, snapshots: [] }) };
  return respond({ ...tenant, snapshots: [...others, snapshot] }, { kind: 'created', snapshot });
}

/** Restores the tenant, its clock included: time goes on from the snapshot's instant. */
export function restoreSnapshot(tenant: Tenant, { id }: Named, { realNow }: Moment) {
  const snapshot = tenant.snapshots.find((known) => known.id === id);
  if (snapshot === undefined) return respond(tenant, { kind: 'unknown' });
  const clock = movedTo(snapshot.tenant.clock, snapshot.at, realNow);
  const restored: Tenant = {
    ...structuredClone(snapshot.tenant),
    clock,
    snapshots: tenant.snapshots,
  };
  const at = readClock(clock, realNow);
  return respond(restored, { kind: 'restored', snapshot }, [{ at, kind: 'snapshot-restored', id }]);
}

export function deleteSnapshot(tenant: Tenant, { id }: Named) {
  const snapshots = without(tenant.snapshots, id);
  return snapshots.length === tenant.snapshots.length
    ? respond(tenant, { kind: 'unknown' })
    : respond({ ...tenant, snapshots }, { kind: 'deleted' });
}

function without(snapshots: readonly Snapshot[], id: string): readonly Snapshot[] {
  return snapshots.filter((known) => known.id !== id);
}
