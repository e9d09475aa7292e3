import type { Request, Response } from 'express';

const DAY_MS = 24 * 60 * 60 * 1000;

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
