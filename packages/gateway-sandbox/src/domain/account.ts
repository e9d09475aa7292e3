import { movedTo, readClock } from './clock.ts';
import { firstKeyId, mostSdkTokens, mostWebhooks, newTenant } from './tenant.ts';
import type { ApiKey, Moment, SdkToken, Snapshot, Tenant, Webhook } from './tenant.ts';
import type { Environment } from './transaction.ts';

/** How long a portal token is good; assumed, the specification names no lifetime (§5). */
export const portalTokenLifeMs = 60 * 60 * 1000;

/** How long an SDK token is good; assumed, the specification names no lifetime. */
const sdkTokenLifeMs = 365 * 24 * 60 * 60 * 1000;

/** The most portal tokens that a tenant holds; one more login ends the oldest. */
const mostTokens = 1000;

export const mostSnapshots = 50;

type Named = Pick<ApiKey, 'id' | 'environment'>;
type OfEnvironment = Pick<ApiKey, 'environment'>;

const unknownId = { kind: 'unknown-id' } as const;

export const portalHandlers = {
  /** The caller has checked the name and the password (N16). */
  'log-in': (
    { account }: Tenant,
    { environment }: { readonly environment: Environment },
    { now, random }: Moment,
  ) => {
    const token = { id: random.uuid(), environment, expiresAt: now + portalTokenLifeMs };
    account.portalTokens = [...account.portalTokens, token].slice(-mostTokens);
    return { token, refreshId: random.uuid() };
  },
  /** Makes every token of the tenant bad at once, so that a test can get "revoked" (§7). */
  'revoke-portal-tokens': ({ account }: Tenant) => {
    const revoked = account.portalTokens.length;
    account.portalTokens = [];
    return { revoked };
  },
  /** A new key beside the old ones, which live until they are revoked (N18, §5). */
  'rotate-key': ({ account }: Tenant, { environment }: OfEnvironment, { now, random }: Moment) => {
    const key: ApiKey = { id: random.uuid(), environment, status: 'ACTIVE', createdAt: now };
    account.apiKeys = [...account.apiKeys, key];
    return { key };
  },
  /** The end of a key (N18). A key that was revoked before stays revoked. */
  'revoke-key': ({ account }: Tenant, named: Named) => {
    const key = recordIn(account.apiKeys, named);
    if (key === undefined) return unknownId;
    key.status = 'REVOKED';
    return { kind: 'revoked' } as const;
  },
  'create-webhook': (
    { webhooks }: Tenant,
    { environment, url, active, events }: Omit<Webhook, 'id'>,
    { random }: Moment,
  ) => {
    if (webhooks.length >= mostWebhooks) return { kind: 'too-many' } as const;
    const webhook: Webhook = { id: random.uuid(), environment, url, active, events };
    webhooks.push(webhook);
    return { kind: 'created', webhook } as const;
  },
  /** Fields that the changes do not name keep their values. */
  'update-webhook': (
    { webhooks }: Tenant,
    { changes, ...named }: Named & { readonly changes: WebhookChanges },
  ) => {
    const webhook = recordIn(webhooks, named);
    if (webhook === undefined) return unknownId;
    Object.assign(webhook, changes);
    return { kind: 'updated', webhook } as const;
  },
  'delete-webhook': (tenant: Tenant, named: Named) => {
    const webhook = recordIn(tenant.webhooks, named);
    if (webhook === undefined) return unknownId;
    tenant.webhooks = tenant.webhooks.filter((other) => other !== webhook);
    return { kind: 'deleted' } as const;
  },
  'create-sdk-token': (
    { sdkTokens }: Tenant,
    given: Pick<SdkToken, 'environment' | 'name' | 'type' | 'terminalId'>,
    { now, random }: Moment,
  ) => {
    if (sdkTokens.length >= mostSdkTokens) return { kind: 'too-many' } as const;
    const sdkToken: SdkToken = {
      id: random.uuid(),
      environment: given.environment,
      name: given.name,
      type: given.type,
      terminalId: given.terminalId,
      status: 'ACTIVE',
      createdAt: now,
      expiresAt: now + sdkTokenLifeMs,
    };
    sdkTokens.push(sdkToken);
    return { kind: 'created', sdkToken } as const;
  },
  'update-sdk-token': (
    { sdkTokens }: Tenant,
    { status, ...named }: Named & Pick<SdkToken, 'status'>,
  ) => {
    const sdkToken = recordIn(sdkTokens, named);
    if (sdkToken === undefined) return unknownId;
    sdkToken.status = status;
    return { kind: 'updated', sdkToken } as const;
  },
};

export type WebhookChanges = Partial<Pick<Webhook, 'url' | 'active' | 'events'>>;

function recordIn<Item extends Named>(records: readonly Item[], named: Named): Item | undefined {
  return records.find(
    ({ id, environment }) => id === named.id && environment === named.environment,
  );
}

/** The tenant as a whole: its beginning, its snapshots, its end. */
export const tenantHandlers = {
  /** Opens a tenant with its seed; the caller has checked that the id is free. */
  'open-tenant': ({ account }: Tenant, { seed }: { readonly seed: string | null }) => {
    account.seed = seed;
    return { kind: 'opened' } as const;
  },
  /**
   * Forgets everything but the credentials. Every key and login is valid again, and so are revoked
   * first keys, so that the first credentials always work.
   */
  reset: (tenant: Tenant) => {
    const { account } = tenant;
    takeBack(tenant, { ...newTenant(), account });
    account.isFound = true;
    for (const key of account.apiKeys) if (key.id === firstKeyId) key.status = 'ACTIVE';
    return { kind: 'reset' } as const;
  },
  /** Lets the gateway lose its record of the merchant, or find it again (§7). */
  'switch-merchant': ({ account }: Tenant, { isFound }: { readonly isFound: boolean }) => {
    account.isFound = isFound;
    return { isFound };
  },
  /** Stores the tenant as it is; a snapshot of the same id is replaced. */
  'create-snapshot': (tenant: Tenant, { id }: { readonly id: string }, { now }: Moment) => {
    const others = tenant.snapshots.filter((known) => known.id !== id);
    if (others.length >= mostSnapshots) return { kind: 'too-many' } as const;
    const copy = structuredClone({ ...tenant, snapshots: [] });
    const snapshot: Snapshot = { id, at: now, tenant: copy };
    tenant.snapshots = [...others, snapshot];
    return { kind: 'created', snapshot } as const;
  },
  /** Restores the tenant, its clock included: time goes on from the snapshot's instant. */
  'restore-snapshot': (
    tenant: Tenant,
    { id }: { readonly id: string },
    { realNow, effects }: Moment,
  ) => {
    const { snapshots } = tenant;
    const snapshot = snapshots.find((known) => known.id === id);
    if (snapshot === undefined) return { kind: 'unknown' } as const;
    const clock = movedTo(snapshot.tenant.clock, snapshot.at, realNow);
    takeBack(tenant, { ...structuredClone(snapshot.tenant), clock, snapshots });
    effects.push({ at: readClock(clock, realNow), kind: 'snapshot-restored', id });
    return { kind: 'restored', snapshot } as const;
  },
  'delete-snapshot': (tenant: Tenant, { id }: { readonly id: string }) => {
    const left = tenant.snapshots.filter((known) => known.id !== id);
    const isKnown = left.length < tenant.snapshots.length;
    tenant.snapshots = left;
    return { kind: isKnown ? 'deleted' : 'unknown' } as const;
  },
};

/** Both counts go on, whatever is taken back, so that no id is ever given twice. */
function takeBack(tenant: Tenant, past: Tenant): void {
  const { sequence, rewinds } = tenant;
  Object.assign(tenant, past, { sequence, rewinds: rewinds + 1 });
}
