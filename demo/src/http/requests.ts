import { createHash, randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';

/** A decoded JSON body or form, read field by field. */
export interface BodyFields {
  /** A text; empty when the field is absent or no text. */
  text(name: string): string;
  /** The value as it came. */
  value(name: string): unknown;
}

/** Reads a decoded JSON body or form. */
export function bodyFields(body: unknown): BodyFields {
  const fields = new Map<string, unknown>(
    typeof body === 'object' && body !== null ? Object.entries(body) : [],
  );
  const value = (name: string): unknown => fields.get(name);
  const text = (name: string): string => {
    const given = value(name);
    return typeof given === 'string' ? given : '';
  };
  return { value, text };
}

/** One field of a posted form; empty when the field is absent or sent twice. */
export function formField(request: Request, name: string): string {
  return bodyFields(request.body).text(name);
}

export const DAY_MS = 24 * 60 * 60 * 1000;

/** Reads one cookie of a request; `undefined` when it is absent or not readable. */
export function readCookie(request: Request, name: string): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at < 0 || pair.slice(0, at).trim() !== name) continue;
    try {
      return decodeURIComponent(pair.slice(at + 1).trim());
    } catch {
      return undefined;
    }
  }
  return undefined;
}

/** Sets a cookie that no script can read and no other site's form can use. */
export function setCookie(response: Response, name: string, value: string, days: number): void {
  response.cookie(name, value, {
    httpOnly: true,
    sameSite: 'lax',
    secure: response.app.get('secure cookies') === true,
    maxAge: days * DAY_MS,
    path: '/',
  });
}

const SESSION_COOKIE = 'shop_session';
const SESSION_DAYS = 180;

/**
 * Who is asking, as a fingerprint of the `shop_session` cookie. Orders keep the fingerprint, so
 * a reader of the database cannot become one of its shoppers.
 *
 * @returns `undefined` for someone without a session, who owns nothing.
 */
export function visitorOf(request: Request): string | undefined {
  const session = readCookie(request, SESSION_COOKIE);
  return session !== undefined && /^[\w-]{43}$/.test(session) ? fingerprint(session) : undefined;
}

/** Who is asking, with a new session for someone who has none yet. */
export function welcomeVisitor(request: Request, response: Response): string {
  const known = visitorOf(request);
  if (known !== undefined) return known;
  const session = randomBytes(32).toString('base64url');
  setCookie(response, SESSION_COOKIE, session, SESSION_DAYS);
  return fingerprint(session);
}

function fingerprint(session: string): string {
  return createHash('sha256').update(session).digest('base64url');
}
