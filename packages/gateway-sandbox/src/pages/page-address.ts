import type { Language } from './language.ts';

type Parameters = Readonly<Record<string, string>>;

/** The hosted page of a session. */
export function checkoutAddress(sessionId: string, lang: Language, extra: Parameters = {}): string {
  return withQuery('/checkout', { sessionId, lang, ...extra });
}

/** Where the drawer's "expire now" posts. */
export function expireAddress(sessionId: string, lang: Language): string {
  return withQuery('/checkout/expire', { sessionId, lang });
}

/** The 3-D Secure page of a challenge. */
export function challengeAddress(id: string, lang: Language, extra: Parameters = {}): string {
  return withQuery(challengePath(id), { lang, ...extra });
}

export function challengePath(id: string): string {
  return `/challenge/${encodeURIComponent(id)}`;
}

export function withQuery(path: string, parameters: Parameters): string {
  return `${path}?${new URLSearchParams(parameters).toString()}`;
}
