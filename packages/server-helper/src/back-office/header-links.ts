import { invalidOption } from '../errors.ts';
import { isSafeAddress } from './safe-address.ts';

/** A link beside the person's name, such as to the merchant's own admin, or to sign out. */
export interface OfficeLink {
  /** Its words, in each language of the pages. */
  readonly text: Readonly<Record<'en' | 'ar', string>>;
  /** An http(s) address, or a path that starts with a slash. */
  readonly url: string;
}

/** @throws {@link ConfigurationError} unless it is a list of links that a page may show. */
export function checkLinks(links: unknown): void {
  if (Array.isArray(links) && links.every(isLink)) return;
  throw invalidOption({
    setting: 'backOffice.links',
    what: 'The option links of backOffice must be a list of { text: { en, ar }, url }.',
    why: 'Each page shows the links in its language, and leads to http(s) addresses and paths only.',
    fix: 'Write for example links: [{ text: { en: "Sign out", ar: "خروج" }, url: "/sign-out" }].',
  });
}

function isLink(link: unknown): boolean {
  if (typeof link !== 'object' || link === null) return false;
  const { text, url } = link as Readonly<Record<string, unknown>>;
  if (typeof text !== 'object' || text === null || !isSafeAddress(url)) return false;
  const { en, ar } = text as Readonly<Record<string, unknown>>;
  return [en, ar].every((words) => typeof words === 'string' && words.trim() !== '');
}
