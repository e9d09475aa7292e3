import { createHash, randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { readCookie, setCookie } from './cookies.ts';

const COOKIE = 'shop_session';
const COOKIE_DAYS = 180;

/**
 * Who is asking, as a fingerprint of the `shop_session` cookie. Orders keep the fingerprint, so
 * that nobody who reads the database can become one of its shoppers.
 *
 * @returns `undefined` for someone without a session, who owns nothing.
 */
export function visitorOf(request: Request): string | undefined {
  const session = readCookie(request, COOKIE);
  return session !== undefined && /^[\w-]{43}$/.test(session) ? fingerprint(session) : undefined;
}

/** Who is asking, with a new session for someone who has none yet. */
export function welcomeVisitor(request: Request, response: Response): string {
  const known = visitorOf(request);
  if (known !== undefined) return known;
  const session = randomBytes(32).toString('base64url');
  setCookie(response, COOKIE, session, COOKIE_DAYS);
  return fingerprint(session);
}

function fingerprint(session: string): string {
  return createHash('sha256').update(session).digest('base64url');
}
