import { languagesOf } from '../edges/problem.ts';
import type { Answer, EdgeRequest } from '../edges/http.ts';
import type { Language } from './texts/by-language.ts';

const COOKIE = 'pay_office_lang';
const YEAR_SECONDS = 31_536_000;

const isLanguage = (text: unknown): text is Language => text === 'en' || text === 'ar';

/** The language that the address asks for, if it asks for one. */
export function askedLanguage({ query }: EdgeRequest): Language | null {
  const asked = query.get('lang');
  return isLanguage(asked) ? asked : null;
}

/** The reader's language: by the address, by what they chose before, or by their browser. */
export function languageOf(request: EdgeRequest): Language {
  const cookies = (request.header('cookie') ?? '').split(';').map((one) => one.trim());
  const chosen = cookies.find((one) => one.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
  const [preferred = 'en'] = languagesOf(request.header('accept-language'));
  return askedLanguage(request) ?? (isLanguage(chosen) ? chosen : preferred);
}

/**
 * Remembers a language.
 *
 * @param path - Where, without a slash at its end; without a path the browser takes the folder of the
 * address that it asked for, which it knows better than we do where a proxy takes a part off. Both name
 * one path, so that the browser keeps one cookie.
 */
export const remembered = (language: Language, path?: string): Record<string, string> => ({
  'set-cookie': `${COOKIE}=${language}; Max-Age=${YEAR_SECONDS}; SameSite=Lax; HttpOnly${path === undefined ? '' : `; Path=${path}`}`,
});

/** A relative address of ours: it can lead to no other site. */
const OWN_ADDRESS = /^[\w.~%!$&'()*+,;=:@/?-]{0,1000}$/;

/**
 * Answers the language switch: it stands right below the mount, so that a cookie without a path holds
 * for all pages, and leads back to the page where the person was.
 */
export function switchLanguage(request: EdgeRequest): Answer {
  const back = request.query.get('to') ?? '';
  const location = `./${OWN_ADDRESS.test(back) ? back : ''}`;
  const language = askedLanguage(request);
  return {
    status: 303,
    headers: { location, ...(language === null ? {} : remembered(language)) },
  };
}
