import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';

/** Whether a text is the admin's token. How long that takes tells nothing about it. */
export function isAdminToken(given: string, adminToken: string): boolean {
  return isSame(given, adminToken);
}

/** Whether a program sent the admin's token, as `Authorization: Bearer <token>`. */
export function bearsAdminToken(request: Request, adminToken: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  return given !== undefined && isSame(given, adminToken);
}

/** What a signed-in browser keeps instead of the token: it opens the pages, and nothing else. */
export function adminSession(adminToken: string): string {
  return createHmac('sha256', adminToken).update('shop_admin').digest('base64url');
}

/** Whether a browser's cookie is the one that signing in gave it. */
export function isAdminSession(cookie: string | undefined, adminToken: string): boolean {
  return cookie !== undefined && isSame(cookie, adminSession(adminToken));
}

function isSame(given: string, wanted: string): boolean {
  return timingSafeEqual(digest(given), digest(wanted));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
