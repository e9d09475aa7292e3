import type { Handler } from '../command.ts';
import type { Environment } from '../session/session.ts';
import type { Tenant } from '../state.ts';
import type { ApiKey } from '../tenant/account.ts';
import { mostSdkTokens, mostWebhooks } from './portal-commands.ts';
import type { PortalCommands, SdkToken, Webhook } from './portal-commands.ts';

/** How long a portal token is good; assumed, the specification tells no lifetime (§5). */
export const portalTokenLifeMs = 60 * 60 * 1000;

/** The most tokens that are kept; with one more login the oldest is no longer good. */
const mostTokens = 1000;

/** A login that the shell found right (N16). */
export const logIn: Handler<'log-in'> = (tenant, { environment }, { now, random }) => {
  const token = { id: random.uuid(), environment, expiresAt: now + portalTokenLifeMs };
  const portalTokens = [...tenant.account.portalTokens, token].slice(-mostTokens);
  return {
    tenant: { ...tenant, account: { ...tenant.account, portalTokens } },
    reply: { token, refreshId: random.uuid() },
    effects: [],
  };
};

/** Makes every token of the tenant bad at once, so that "revoked" can be met (§7). */
export const revokePortalTokens: Handler<'revoke-portal-tokens'> = (tenant) => ({
  tenant: { ...tenant, account: { ...tenant.account, portalTokens: [] } },
  reply: { revoked: tenant.account.portalTokens.length },
  effects: [],
});

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

export const createWebhook: Handler<'create-webhook'> = (tenant, given, { random }) => {
  if (tenant.webhooks.length >= mostWebhooks) {
    return { tenant, reply: { kind: 'too-many' }, effects: [] };
  }
  const { environment, url, active, events } = given;
  const webhook: Webhook = { id: random.uuid(), environment, url, active, events };
  return {
    tenant: { ...tenant, webhooks: [...tenant.webhooks, webhook] },
    reply: { kind: 'created', webhook },
    effects: [],
  };
};

/** What is not named in the changes stays. */
export const updateWebhook: Handler<'update-webhook'> = (tenant, { environment, id, changes }) => {
  const before = findWebhook(tenant, environment, id);
  if (before === undefined) return { tenant, reply: { kind: 'unknown-id' }, effects: [] };
  const webhook = { ...before, ...changes };
  return {
    tenant: {
      ...tenant,
      webhooks: tenant.webhooks.map((other) => (other === before ? webhook : other)),
    },
    reply: { kind: 'updated', webhook },
    effects: [],
  };
};

export const deleteWebhook: Handler<'delete-webhook'> = (tenant, { environment, id }) => {
  const webhook = findWebhook(tenant, environment, id);
  if (webhook === undefined) return { tenant, reply: { kind: 'unknown-id' }, effects: [] };
  return {
    tenant: { ...tenant, webhooks: tenant.webhooks.filter((other) => other !== webhook) },
    reply: { kind: 'deleted' },
    effects: [],
  };
};

function findWebhook(tenant: Tenant, environment: Environment, id: string): Webhook | undefined {
  return tenant.webhooks.find(
    (webhook) => webhook.environment === environment && webhook.id === id,
  );
}

/** How long an SDK token is good; assumed, the specification tells no lifetime. */
const sdkTokenLifeMs = 365 * 24 * 60 * 60 * 1000;

export const createSdkToken: Handler<'create-sdk-token'> = (tenant, given, { now, random }) => {
  if (tenant.sdkTokens.length >= mostSdkTokens) {
    return { tenant, reply: { kind: 'too-many' }, effects: [] };
  }
  const { environment, name, type, terminalId } = given;
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
  return {
    tenant: { ...tenant, sdkTokens: [...tenant.sdkTokens, sdkToken] },
    reply: { kind: 'created', sdkToken },
    effects: [],
  };
};

/** Switches a token on or off. */
export const updateSdkToken: Handler<'update-sdk-token'> = (tenant, command) => {
  const { environment, id, status } = command;
  const before = tenant.sdkTokens.find(
    (token) => token.environment === environment && token.id === id,
  );
  if (before === undefined) return { tenant, reply: { kind: 'unknown-id' }, effects: [] };
  const sdkToken = { ...before, status };
  return {
    tenant: {
      ...tenant,
      sdkTokens: tenant.sdkTokens.map((other) => (other === before ? sdkToken : other)),
    },
    reply: { kind: 'updated', sdkToken },
    effects: [],
  };
};

/** The portal's part of the core. */
export const portalHandlers: { readonly [Kind in keyof PortalCommands]: Handler<Kind> } = {
  'log-in': logIn,
  'revoke-portal-tokens': revokePortalTokens,
  'rotate-key': rotateKey,
  'revoke-key': revokeKey,
  'create-webhook': createWebhook,
  'update-webhook': updateWebhook,
  'delete-webhook': deleteWebhook,
  'create-sdk-token': createSdkToken,
  'update-sdk-token': updateSdkToken,
};
