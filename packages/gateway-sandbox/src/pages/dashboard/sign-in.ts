import { createHmac, randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { isFields } from '../../domain/requests.ts';
import type { Environment } from '../../domain/transaction.ts';
import { basePaths } from '../../sandbox-parts.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { isSameSecret } from '../../tenants.ts';

/** A sign-in to the dashboard: the portal's own token, of one environment (§5). */
export interface SignIn {
  readonly environment: Environment;
  readonly token: string;
}

/** A merchant whose sign-in is good. */
export interface Merchant extends SignIn {
  readonly tenant: string;
}

/** Cookies ignore ports, so the name separates two sandboxes on one machine. */
function cookieName({ ownUrl }: SandboxParts): string {
  return `sandbox_portal_${new URL(ownUrl()).port}`;
}

/** The sign-in in the browser's cookie, be it good or not. */
export function signInOf(parts: SandboxParts, request: Request): SignIn | null {
  const name = cookieName(parts);
  const value = (request.headers.cookie ?? '')
    .split(/;\s*/)
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
  const [, environment, token] = /^(staging|production)\.([\w.~-]{1,512})$/.exec(value ?? '') ?? [];
  if (token === undefined) return null;
  return { environment: environment === 'production' ? 'production' : 'staging', token };
}

/** Puts the sign-in into the browser's cookie; null takes it out. */
export function keepSignIn(parts: SandboxParts, response: Response, signIn: SignIn | null): void {
  const value = signIn === null ? '' : `${signIn.environment}.${signIn.token}`;
  const end = signIn === null ? '; Max-Age=0' : '';
  const cookie = `${cookieName(parts)}=${value}; Path=/dashboard; HttpOnly; SameSite=Lax${end}`;
  response.append('set-cookie', cookie);
}

/** The merchant of a sign-in; null once the portal's token is no longer good (§5.4). */
export function merchantOf({ machine, tenants }: SandboxParts, signIn: SignIn): Merchant | null {
  const found = tenants.findPortalToken(signIn.token);
  if (found === null || found.token.environment !== signIn.environment) return null;
  const isExpired = machine.now(found.tenant) >= found.token.expiresAt;
  const { isFound } = machine.tenant(found.tenant).account;
  return isExpired || !isFound ? null : { ...signIn, tenant: found.tenant };
}

/** Forms that were rendered before a restart are refused, as a signed-out session's are. */
const formSecret = randomBytes(32);

/** The secret of this sign-in's forms, which a form of another site does not have. */
export function formToken({ token }: SignIn): string {
  return createHmac('sha256', formSecret).update(token).digest('base64url');
}

export function isOwnForm(signIn: SignIn, presented: string): boolean {
  return isSameSecret(formToken(signIn), presented);
}

export type ApiRecord = Readonly<Record<string, unknown>>;

/** An answer of the gateway's API, which the dashboard shows as it is. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: ApiRecord;
}

export interface ApiCall {
  readonly method: string;
  /** Relative to the environment's base address. */
  readonly path: string;
  readonly body?: object | undefined;
}

/** Calls the sandbox as any merchant's program would: over HTTP. */
export async function callApi(
  { ownUrl }: SandboxParts,
  environment: Environment,
  { method, path, body }: ApiCall,
  headers: Readonly<Record<string, string>> = {},
): Promise<ApiAnswer> {
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(ownUrl() + basePaths[environment] + path, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...json },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: readObject(await response.text()) };
}

/** A call of a merchant: a payment call takes the newest API key, any other the portal's token (§5). */
export async function callAs(
  parts: SandboxParts,
  { tenant, environment, token }: Merchant,
  call: ApiCall,
): Promise<ApiAnswer> {
  if (!call.path.startsWith('/payment/')) {
    return callApi(parts, environment, call, { authorization: `Bearer ${token}` });
  }
  const key = parts.machine
    .tenant(tenant)
    .account.apiKeys.findLast((one) => one.environment === environment && one.status === 'ACTIVE');
  if (key === undefined) return { status: 409, body: { message: noKey } };
  const apiKey = parts.tenants.secrets(tenant).apiKey(environment, key.id);
  return callApi(parts, environment, call, { 'x-api-key': apiKey });
}

/** In English, as the API's own messages are. */
const noKey = 'Every API key of this environment is revoked. Make a new one under API credentials.';

/** The answer's complaint in one line, from any of the envelopes. */
export function complaintOf({ status, body: { message } }: ApiAnswer): string {
  const text = Array.isArray(message) ? message.map(String).join('; ') : message;
  return `HTTP ${status}${typeof text === 'string' && text !== '' ? `: ${text}` : ''}`;
}

/** The records of a named list in the answer. */
export function recordsOf({ body }: ApiAnswer, name: string): readonly ApiRecord[] {
  const list = body[name];
  return Array.isArray(list) ? list.filter(isFields) : [];
}

/** A field as text; a value of another type counts as empty. */
export function textOf(record: ApiRecord, name: string): string {
  const value = record[name];
  return typeof value === 'string' ? value : '';
}

function readObject(text: string): ApiRecord {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}
