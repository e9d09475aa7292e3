import type { IncomingMessage } from 'node:http';
import { defaultTenant } from '../domain/tenant.ts';
import type { Environment } from '../domain/transaction.ts';
import type { SandboxParts } from '../sandbox-parts.ts';
import { errorB } from './replies.ts';
import type { WireReply } from './replies.ts';
import { looksLikeApiKey, looksLikePortalToken } from '../tenants.ts';

/** The caller, or the 401 (§7); a refused call belongs to the tenant whose credential it bore. */
export interface Authentication {
  readonly tenant: string;
  readonly refusal: WireReply | null;
}

/** A 401: its message on the wire, its rule and its remedy. */
interface Refusal {
  readonly message: string;
  readonly decidedBy: string;
  readonly hint: string;
}

const portalTokenForPayment: Refusal = {
  message: 'A portal token cannot be used for payment APIs; send the API key in x-api-key',
  decidedBy: 'wrong-credential-type',
  hint: 'Payment calls take the API key in x-api-key; the portal token opens /merchant/account only.',
};
const apiKeyForPortal: Refusal = {
  message: 'An API key cannot be used for portal APIs',
  decidedBy: 'wrong-credential-type',
  hint: 'Log in with POST /auth/login and send Authorization: Bearer <accessToken>.',
};
const merchantNotFound: Refusal = {
  message: 'Merchant not found',
  decidedBy: 'merchant-not-found',
  hint: 'The tenant was switched so; PATCH /_sandbox/v1/tenants/<id> {"merchant": "found"} ends it.',
};

/** Checks the credential that an operation asks for, before anything else of the call is read. */
export function authenticate(
  request: IncomingMessage,
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
      return { tenant: defaultTenant, refusal: null };
  }
}

/** Payment calls bear a merchant's API key (§5). */
function authenticateKey(
  request: IncomingMessage,
  parts: SandboxParts,
  environment: Environment,
): Authentication {
  const { headers } = request;
  const presented = textOfHeader(headers['x-api-key']);
  const hasAuthorization = (headers.authorization ?? '') !== '';
  if (looksLikePortalToken(presented) || (presented === '' && hasAuthorization)) {
    return refused(portalTokenForPayment);
  }
  if (presented === '') {
    const hint = 'Send the merchant API key in the header x-api-key.';
    return refused({ message: 'API key is missing', decidedBy: 'api-key-missing', hint });
  }
  const found = parts.tenants.findKey(presented);
  const message = 'Invalid API key';
  if (found === null) {
    const hint = 'No tenant of this sandbox has this key; GET /_sandbox/v1/info has the keys.';
    return refused({ message, decidedBy: 'api-key-invalid', hint });
  }
  if (found.key.status === 'REVOKED') {
    const hint = 'This key was revoked; use the one that replaced it.';
    return refused({ message, decidedBy: 'api-key-revoked', hint }, found.tenant);
  }
  return admitted(parts, found, environment, 'API key');
}

/** Portal calls bear a portal token (§5). */
function authenticatePortal(
  request: IncomingMessage,
  parts: SandboxParts,
  environment: Environment,
): Authentication {
  const header = request.headers.authorization ?? '';
  const presented = /^bearer +(\S+)$/i.exec(header)?.[1] ?? '';
  const hasKey = textOfHeader(request.headers['x-api-key']) !== '';
  if (looksLikeApiKey(presented) || (header === '' && hasKey)) return refused(apiKeyForPortal);
  if (header === '') {
    const { hint } = apiKeyForPortal;
    const message = 'Authorization header is missing';
    return refused({ message, decidedBy: 'bearer-token-missing', hint });
  }
  const found = parts.tenants.findPortalToken(presented);
  const message = 'Invalid or expired token';
  if (found === null) {
    const hint = 'This sandbox gave no such token, or it was revoked; log in again.';
    return refused({ message, decidedBy: 'bearer-token-invalid', hint });
  }
  const { tenant, token } = found;
  if (parts.machine.now(tenant) >= token.expiresAt) {
    const hint = 'The token has expired on the clock of the sandbox; log in again.';
    return refused({ message, decidedBy: 'bearer-token-expired', hint }, tenant);
  }
  const { environment: ownEnvironment } = token;
  return admitted(parts, { tenant, environment: ownEnvironment }, environment, 'Portal token');
}

/** A credential that is good opens its own environment only, for a merchant that is found. */
function admitted(
  { machine }: SandboxParts,
  own: { readonly tenant: string; readonly environment: Environment },
  environment: Environment,
  what: string,
): Authentication {
  const { tenant } = own;
  if (own.environment !== environment) {
    return refused(
      {
        message: `${what} does not belong to the ${environment} environment`,
        decidedBy: 'wrong-environment',
        hint: `It belongs to ${own.environment}, whose base address ends in /${own.environment}/v1.`,
      },
      tenant,
    );
  }
  const { isFound } = machine.tenant(tenant).account;
  return isFound ? { tenant, refusal: null } : refused(merchantNotFound, tenant);
}

function refused({ message, ...rest }: Refusal, tenant = defaultTenant): Authentication {
  return { tenant, refusal: errorB(401, message, { ...rest, tier: 'spec §7' }) };
}

/** Several of a header arrive as one text; only cookies that are set come as a list. */
function textOfHeader(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : '';
}
