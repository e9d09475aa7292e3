import type { Request } from 'express';
import { looksLikeApiKey, looksLikePortalToken } from '../credentials.ts';
import type { Environment } from '../domain/session.ts';
import { defaultTenant } from '../domain/state.ts';
import type { SandboxParts } from '../sandbox-parts.ts';
import { errorB } from './wire-reply.ts';
import type { WireReply } from './wire-reply.ts';

/** Who calls, or the 401 (§7); a refused call belongs to the tenant whose credential it bore. */
export type Authentication = { readonly tenant: string; readonly refusal: WireReply | null };

/** Checks the credential that an operation asks for, before anything else of the call is read. */
export function authenticate(
  request: Request,
  parts: SandboxParts,
  environment: Environment,
  credential: 'apiKey' | 'portal' | 'none',
): Authentication {
  switch (credential) {
    case 'apiKey':
      return authenticateKey(request, parts, environment);
    case 'portal':
      return authenticatePortal(request, parts, environment);
    case 'none':
      return accepted(defaultTenant);
  }
}

/** Payment calls bear a merchant's API key (§5). */
function authenticateKey(
  request: Request,
  { machine, tenants }: SandboxParts,
  environment: Environment,
): Authentication {
  const presented = request.get('x-api-key') ?? '';
  if (looksLikePortalToken(presented) || (presented === '' && hasAuthorization(request))) {
    return refused(
      'A portal token cannot be used for payment APIs; send the API key in x-api-key',
      'wrong-credential-type',
    );
  }
  if (presented === '') return refused('API key is missing', 'api-key-missing');
  const found = tenants.findKey(presented);
  if (found === null) return refused('Invalid API key', 'api-key-invalid');
  const { tenant } = found;
  if (found.key.status === 'REVOKED') return refused('Invalid API key', 'api-key-revoked', tenant);
  if (found.environment !== environment) {
    return refused(
      `API key does not belong to the ${environment} environment`,
      'wrong-environment',
      tenant,
    );
  }
  return machine.tenant(tenant).account.isFound ? accepted(tenant) : merchantNotFound(tenant);
}

/** Portal calls bear a portal token (§5). */
function authenticatePortal(
  request: Request,
  { machine, tenants }: SandboxParts,
  environment: Environment,
): Authentication {
  const header = request.get('authorization') ?? '';
  const presented = /^bearer +(\S+)$/i.exec(header)?.[1] ?? '';
  const hasKey = (request.get('x-api-key') ?? '') !== '';
  if (looksLikeApiKey(presented) || (header === '' && hasKey)) {
    return refused('An API key cannot be used for portal APIs', 'wrong-credential-type');
  }
  if (header === '') return refused('Authorization header is missing', 'bearer-token-missing');
  const found = tenants.findPortalToken(presented);
  if (found === null) return refused('Invalid or expired token', 'bearer-token-invalid');
  const { tenant, token } = found;
  if (machine.now(tenant) >= token.expiresAt) {
    return refused('Invalid or expired token', 'bearer-token-expired', tenant);
  }
  if (token.environment !== environment) {
    return refused(
      `Portal token does not belong to the ${environment} environment`,
      'wrong-environment',
      tenant,
    );
  }
  return machine.tenant(tenant).account.isFound ? accepted(tenant) : merchantNotFound(tenant);
}

function merchantNotFound(tenant: string): Authentication {
  return refused('Merchant not found', 'merchant-not-found', tenant);
}

function accepted(tenant: string): Authentication {
  return { tenant, refusal: null };
}

function refused(message: string, decidedBy: string, tenant = defaultTenant): Authentication {
  return { tenant, refusal: errorB(401, message, { decidedBy, tier: 'spec §7' }) };
}

function hasAuthorization(request: Request): boolean {
  return (request.get('authorization') ?? '') !== '';
}
