import type { ApiKey } from '../account.ts';
import type { Handler } from '../command.ts';
import type { Tenant } from '../state.ts';

/** A new key beside the old ones, which live until they are revoked (N18, §5). */
export const rotateKey: Handler<'rotate-key'> = (tenant, { environment }, { now, random }) => {
  const key: ApiKey = { id: random.uuid(), environment, status: 'ACTIVE', createdAt: now };
  return {
    tenant: withKeys(tenant, [...tenant.account.apiKeys, key]),
    reply: { key },
    effects: [],
  };
};

/** The end of a key (N18). One that was revoked before stays so. */
export const revokeKey: Handler<'revoke-key'> = (tenant, { environment, id }) => {
  const key = tenant.account.apiKeys.find(
    (candidate) => candidate.environment === environment && candidate.id === id,
  );
  if (key === undefined) return { tenant, reply: { kind: 'unknown-id' }, effects: [] };
  if (key.status === 'REVOKED') return { tenant, reply: { kind: 'revoked' }, effects: [] };
  const apiKeys = tenant.account.apiKeys.map((other) =>
    other === key ? { ...key, status: 'REVOKED' as const } : other,
  );
  return { tenant: withKeys(tenant, apiKeys), reply: { kind: 'revoked' }, effects: [] };
};

function withKeys(tenant: Tenant, apiKeys: readonly ApiKey[]): Tenant {
  return { ...tenant, account: { ...tenant.account, apiKeys } };
}
