import { createHmac, randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import type { ShopDatabase } from '../database/shop-database.ts';
import { DAY_MS, readCookie, setCookie } from '../http/cookies.ts';

const COOKIE = 'shop_admin';
const COOKIE_DAYS = 1;

export interface AdminSessionParts {
  readonly database: Pick<
    ShopDatabase<never>,
    'saveAdminSession' | 'hasAdminSession' | 'endAdminSession'
  >;
  readonly adminToken: string;
}

/** Whether a browser has signed in as the admin. */
export async function isSignedIn(parts: AdminSessionParts, request: Request): Promise<boolean> {
  const id = sessionOf(parts, request);
  return id !== undefined && (await parts.database.hasAdminSession(id));
}

/** Begins a session of a browser that sent the admin's token. */
export async function beginSession(parts: AdminSessionParts, response: Response): Promise<void> {
  const secret = randomBytes(32).toString('base64url');
  const endsAt = new Date(Date.now() + COOKIE_DAYS * DAY_MS);
  await parts.database.saveAdminSession(idOf(parts, secret), endsAt);
  setCookie(response, COOKIE, secret, COOKIE_DAYS);
}

/** Ends the session, so that a copy of its cookie opens nothing any more. */
export async function endSession(
  parts: AdminSessionParts,
  request: Request,
  response: Response,
): Promise<void> {
  const id = sessionOf(parts, request);
  if (id !== undefined) await parts.database.endAdminSession(id);
  response.clearCookie(COOKIE, { path: '/' });
}

function sessionOf(parts: AdminSessionParts, request: Request): string | undefined {
  const secret = readCookie(request, COOKIE);
  return secret === undefined ? undefined : idOf(parts, secret);
}

/** The stored id: no reader of the database has the cookie, and a new token ends all sessions. */
function idOf({ adminToken }: AdminSessionParts, secret: string): string {
  return createHmac('sha256', adminToken).update(secret).digest('base64url');
}
