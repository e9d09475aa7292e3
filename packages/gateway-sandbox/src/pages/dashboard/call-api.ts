import { basePaths } from '../../sandbox-parts.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import type { SignedIn } from './sign-in.ts';
import { isFields } from '../../domain/requests.ts';

/** An answer of the gateway's API, which the dashboard shows as it is. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ApiCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative to the environment's base address. */
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls the sandbox as any merchant's program would: over HTTP. */
export async function callApi(
  { ownUrl }: SandboxParts,
  environment: SignedIn['environment'],
  { method, path, body, headers = {} }: ApiCall,
): Promise<ApiAnswer> {
  const response = await fetch(ownUrl() + basePaths[environment] + path, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: readObject(await response.text()) };
}

/** A call of a portal operation, with the token of the signed-in merchant. */
export function callPortal(
  parts: SandboxParts,
  { environment, token }: SignedIn,
  call: ApiCall,
): Promise<ApiAnswer> {
  const headers = { authorization: `Bearer ${token}` };
  return callApi(parts, environment, { ...call, headers });
}

/** The answer's complaint in one line, from any of the envelopes. */
export function complaintOf({ status, body }: ApiAnswer): string {
  const { message } = body;
  const text = Array.isArray(message) ? message.map(String).join('; ') : message;
  return `HTTP ${status}${typeof text === 'string' && text !== '' ? `: ${text}` : ''}`;
}

/** The records of a named list in the answer. */
export function recordsOf(
  { body }: ApiAnswer,
  name: string,
): readonly Readonly<Record<string, unknown>>[] {
  const list = body[name];
  return Array.isArray(list) ? list.filter(isFields) : [];
}

/** A field as text; a value of another type counts as empty. */
export function textOf(record: Readonly<Record<string, unknown>>, name: string): string {
  const value = record[name];
  return typeof value === 'string' ? value : '';
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}
