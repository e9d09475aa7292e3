import { createHmac, randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { defaultTenant } from '../../domain/tenant.ts';
import type { Tenant } from '../../domain/tenant.ts';
import type { Environment } from '../../domain/transaction.ts';
import { isSameSecret } from '../../tenants.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';

/** A sign-in to the dashboard: the portal's own token, of one environment (§5). */
export interface SignedIn {
  readonly environment: Environment;
  readonly token: string;
}

/** Forms that were rendered before a restart are refused, as a signed-out session's are. */
const formSecret = randomBytes(32);

/** Cookies ignore ports, so the name separates two sandboxes on one machine. */
function cookieName({ ownUrl }: SandboxParts): string {
  return `sandbox_portal_${new URL(ownUrl()).port}`;
}

/** The sign-in in the browser's cookie. Only the API knows whether its token is still valid. */
export function signInOf(parts: SandboxParts, request: Request): SignedIn | null {
  const name = cookieName(parts);
  const value = (request.headers.cookie ?? '')
    .split(/;\s*/)
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
  const [, environment, token] = /^(staging|production)\.([\w.~-]{1,512})$/.exec(value ?? '') ?? [];
  if (token === undefined) return null;
  return { environment: environment === 'production' ? 'production' : 'staging', token };
}

export function keepSignIn(
  parts: SandboxParts,
  response: Response,
  { environment, token }: SignedIn,
): void {
  setCookie(parts, response, `${environment}.${token}`, '');
}

export function forgetSignIn(parts: SandboxParts, response: Response): void {
  setCookie(parts, response, '', '; Max-Age=0');
}

function setCookie(parts: SandboxParts, response: Response, value: string, more: string): void {
  response.append(
    'set-cookie',
    `${cookieName(parts)}=${value}; Path=/dashboard; HttpOnly; SameSite=Lax${more}`,
  );
}

/** The secret of this sign-in's forms, which a form of another site does not have. */
export function formToken({ token }: SignedIn): string {
  return createHmac('sha256', formSecret).update(token).digest('base64url');
}

export function isOwnForm(signedIn: SignedIn, presented: string): boolean {
  return isSameSecret(formToken(signedIn), presented);
}

interface Merchant {
  readonly tenantId: string;
  readonly tenant: Tenant;
  readonly environment: Environment;
  /** The newest active key, for payment calls; null when all are revoked. */
  readonly apiKey: string | null;
}

/** The merchant of the dashboard. The API has accepted the token before. */
export function merchantOf({
  parts: { machine, tenants },
  signedIn: { token, environment },
}: {
  readonly parts: SandboxParts;
  readonly signedIn: SignedIn;
}): Merchant {
  const tenantId = tenants.findPortalToken(token)?.tenant ?? defaultTenant;
  const tenant = machine.tenant(tenantId);
  const key = tenant.account.apiKeys.findLast(
    (one) => one.environment === environment && one.status === 'ACTIVE',
  );
  const apiKey = key === undefined ? null : tenants.secrets(tenantId).apiKey(environment, key.id);
  return { tenantId, tenant, environment, apiKey };
}
