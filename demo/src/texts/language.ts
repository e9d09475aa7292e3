import type { Request, Response } from 'express';
import { readCookie, setCookie } from '../http/cookies.ts';
import { adminTexts } from './admin.ts';
import { byLanguage, type Language } from './by-language.ts';
import { qaTexts } from './qa.ts';
import { shopTexts } from './shop.ts';

/** Every sentence of the shop, by language. */
export const textsIn = byLanguage({ ...shopTexts, admin: adminTexts, qa: qaTexts });

/** Every sentence of the shop in one language. */
export type Texts = (typeof textsIn)[Language];

const COOKIE = 'shop_lang';
const COOKIE_DAYS = 365;

/**
 * The language of a page: `?lang=`, else what the shopper chose before, else the browser's
 * preference. A choice in the address is remembered.
 */
export function chooseLanguage(request: Request, response: Response): Language {
  const asked = request.query['lang'];
  if (asked === 'en' || asked === 'ar') {
    setCookie(response, COOKIE, asked, COOKIE_DAYS);
    // The back office remembers its own switch; the latest choice counts everywhere.
    response.clearCookie('pay_office_lang', { path: '/admin' });
    return asked;
  }
  return languageOf(request);
}

/** What the shopper chose before, else the browser's preference. */
export function languageOf(request: Request): Language {
  const remembered = readCookie(request, COOKIE);
  if (remembered === 'en' || remembered === 'ar') return remembered;
  return request.acceptsLanguages('en', 'ar') === 'ar' ? 'ar' : 'en';
}

/** Western digits and the Gregorian calendar, as Saudi shops print them. */
const locales: Readonly<Record<Language, string>> = {
  en: 'en-GB',
  ar: 'ar-SA-u-ca-gregory-nu-latn',
};

/** A moment on the clocks of Riyadh, where the shop is. */
export function moment(iso: string, language: Language): string {
  const format = { timeZone: 'Asia/Riyadh', dateStyle: 'long', timeStyle: 'short' } as const;
  return new Intl.DateTimeFormat(locales[language], format).format(new Date(iso));
}
