import { createHmac, timingSafeEqual } from 'node:crypto';

/** How long a page may stay open before its forms are refused. */
const LIFETIME_MS = 12 * 3_600_000;

const TOKEN = /^(\d{1,15})\.([A-Za-z0-9_-]{43})$/;

/** Makes and checks the tokens of forms: each names a person and an end, and nobody else can make one. */
export interface FormTokens {
  /** A token for the forms on a page that this person is shown. */
  issue(actor: string, now: number): string;
  /** Whether the token was made for this person, and is not too old. */
  isValid(token: string, actor: string, now: number): boolean;
}

/** @param secrets - The first signs, all verify, so that a secret can be replaced without an outage. */
export function createFormTokens(secrets: readonly string[]): FormTokens {
  const [signing = ''] = secrets;
  return {
    issue: (actor, now) => {
      const endsAt = now + LIFETIME_MS;
      return `${endsAt}.${signature(signing, actor, endsAt).toString('base64url')}`;
    },
    isValid: (token, actor, now) => {
      const [, end = '', given = ''] = TOKEN.exec(token) ?? [];
      const endsAt = Number(end);
      if (end === '' || now >= endsAt || endsAt > now + LIFETIME_MS) return false;
      const bytes = Buffer.from(given, 'base64url');
      return secrets.some((secret) => timingSafeEqual(bytes, signature(secret, actor, endsAt)));
    },
  };
}

const signature = (secret: string, actor: string, endsAt: number): Buffer =>
  createHmac('sha256', secret).update(`back-office form\0${endsAt}\0${actor}`).digest();
