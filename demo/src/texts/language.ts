import type { Request, Response } from 'express';
import { decimal } from '../catalog/halalas.ts';
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

/**
 * An amount as shoppers of that language read it: `SAR 9,900.00`, `9,900.00 ر.س`. Both with Western
 * digits, as Saudi shops write prices.
 */
export function price(halalas: number, language: Language): string {
  const [riyals = '0', fraction] = decimal(halalas).split('.');
  const digits = `${riyals.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')}.${fraction}`;
  return inRiyals(digits, language);
}

/** The digits of an amount with their currency. */
export function inRiyals(digits: string, language: Language): string {
  return language === 'ar' ? `${digits}\u00a0ر.س` : `SAR\u00a0${digits}`;
}
