import type { Handler } from '../command.ts';

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
