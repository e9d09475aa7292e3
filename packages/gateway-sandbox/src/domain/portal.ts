import { respond } from './command.ts';
import type { Moment } from './command.ts';
import type { Environment } from './session/session.ts';
import type { Tenant } from './state.ts';
import { mostSdkTokens, mostWebhooks } from './tenant/account.ts';
import type { Account, ApiKey, SdkToken, Webhook, WebhookChanges } from './tenant/account.ts';

/** How long a portal token is good; assumed, the specification names no lifetime (§5). */
export const portalTokenLifeMs = 60 * 60 * 1000;

/** How long an SDK token is good; assumed, the specification names no lifetime. */
const sdkTokenLifeMs = 365 * 24 * 60 * 60 * 1000;

/** The most portal tokens that a tenant holds; one more login ends the oldest. */
const mostTokens = 1000;

/** The portal's part of the core. */
export const portalHandlers = {
  /** The caller has checked the name and the password (N16). */
  'log-in': (
    tenant: Tenant,
    { environment }: { readonly environment: Environment },
    { now, random }: Moment,
  ) => {
    const token = { id: random.uuid(), environment, expiresAt: now + portalTokenLifeMs };
    const portalTokens = [...tenant.account.portalTokens, token].slice(-mostTokens);
    return respond(withAccount(tenant, { portalTokens }), { token, refreshId: random.uuid() });
  },
  /** Makes every token of the tenant bad at once, so that a test can get "revoked" (§7). */
  'revoke-portal-tokens': (tenant: Tenant) =>
    respond(withAccount(tenant, { portalTokens: [] }), {
      revoked: tenant.account.portalTokens.length,
    }),
  /** A new key beside the old ones, which live until they are revoked (N18, §5). */
  'rotate-key': (
    tenant: Tenant,
    { environment }: { readonly environment: Environment },
    { now, random }: Moment,
  ) => {
    const key: ApiKey = { id: random.uuid(), environment, status: 'ACTIVE', createdAt: now };
    return respond(withAccount(tenant, { apiKeys: [...tenant.account.apiKeys, key] }), { key });
  },
  /** The end of a key (N18). A key that was revoked before stays revoked. */
  'revoke-key': (tenant: Tenant, named: Named) => {
    const key = recordIn(tenant.account.apiKeys, named);
    if (key === undefined) return respond(tenant, { kind: 'unknown-id' });
    if (key.status === 'REVOKED') return respond(tenant, { kind: 'revoked' });
    const revoked: ApiKey = { ...key, status: 'REVOKED' };
    const apiKeys = replaced(tenant.account.apiKeys, key, revoked);
    return respond(withAccount(tenant, { apiKeys }), { kind: 'revoked' });
  },
  'create-webhook': (
    tenant: Tenant,
    { environment, url, active, events }: Omit<Webhook, 'id'>,
    { random }: Moment,
  ) => {
    if (tenant.webhooks.length >= mostWebhooks) return respond(tenant, { kind: 'too-many' });
    const webhook: Webhook = { id: random.uuid(), environment, url, active, events };
    const webhooks = [...tenant.webhooks, webhook];
    return respond({ ...tenant, webhooks }, { kind: 'created', webhook });
  },
  /** Fields that the changes do not name keep their values. */
  'update-webhook': (
    tenant: Tenant,
    { changes, ...named }: Named & { readonly changes: WebhookChanges },
  ) => {
    const before = recordIn(tenant.webhooks, named);
    if (before === undefined) return respond(tenant, { kind: 'unknown-id' });
    const webhook = { ...before, ...changes };
    const webhooks = replaced(tenant.webhooks, before, webhook);
    return respond({ ...tenant, webhooks }, { kind: 'updated', webhook });
  },
  'delete-webhook': (tenant: Tenant, named: Named) => {
    const webhook = recordIn(tenant.webhooks, named);
    if (webhook === undefined) return respond(tenant, { kind: 'unknown-id' });
    const webhooks = tenant.webhooks.filter((other) => other !== webhook);
    return respond({ ...tenant, webhooks }, { kind: 'deleted' });
  },
  'create-sdk-token': (
    tenant: Tenant,
    {
      environment,
      name,
      type,
      terminalId,
    }: Pick<SdkToken, 'environment' | 'name' | 'type' | 'terminalId'>,
    { now, random }: Moment,
  ) => {
    if (tenant.sdkTokens.length >= mostSdkTokens) return respond(tenant, { kind: 'too-many' });
    const sdkToken: SdkToken = {
      id: random.uuid(),
      environment,
      name,
      type,
      terminalId,
      status: 'ACTIVE',
      createdAt: now,
      expiresAt: now + sdkTokenLifeMs,
    };
    const sdkTokens = [...tenant.sdkTokens, sdkToken];
    return respond({ ...tenant, sdkTokens }, { kind: 'created', sdkToken });
  },
  /** Switches a token on or off. */
  'update-sdk-token': (
    tenant: Tenant,
    { status, ...named }: Pick<SdkToken, 'environment' | 'id' | 'status'>,
  ) => {
    const before = recordIn(tenant.sdkTokens, named);
    if (before === undefined) return respond(tenant, { kind: 'unknown-id' });
    const sdkToken = { ...before, status };
    const sdkTokens = replaced(tenant.sdkTokens, before, sdkToken);
    return respond({ ...tenant, sdkTokens }, { kind: 'updated', sdkToken });
  },
};

type Named = Pick<ApiKey, 'id' | 'environment'>;

/** The record of this id in this environment. */
function recordIn<Item extends Named>(records: readonly Item[], named: Named): Item | undefined {
  return records.find(
    ({ id, environment }) => id === named.id && environment === named.environment,
  );
}

function replaced<Item>(records: readonly Item[], before: Item, after: Item): readonly Item[] {
  return records.map((one) => (one === before ? after : one));
}

function withAccount(tenant: Tenant, changes: Partial<Account>): Tenant {
  return { ...tenant, account: { ...tenant.account, ...changes } };
}
