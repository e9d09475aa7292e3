import { createHmac, randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Environment } from '../../domain/session.ts';
import { isSameSecret } from '../../credentials.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';

/** Who is signed in to the dashboard: the portal's own token, of one environment (§5). */
export interface SignedIn {
  readonly environment: Environment;
  readonly token: string;
}

/** Forms that were rendered before a restart are refused, as a signed-out session's are. */
const formSecret = randomBytes(32);

/** Cookies know no ports, so two sandboxes on one machine keep theirs apart by name. */
function cookieName({ ownUrl }: SandboxParts): string {
  return `sandbox_portal_${new URL(ownUrl()).port}`;
}

/** The sign-in that the browser brings; whether the token is still good, the API tells. */
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

/** What each form of this sign-in carries, so that no other site's form passes for one of ours. */
export function formToken({ token }: SignedIn): string {
  return createHmac('sha256', formSecret).update(token).digest('base64url');
}

export function isOwnForm(signedIn: SignedIn, presented: string): boolean {
  return isSameSecret(formToken(signedIn), presented);
}
