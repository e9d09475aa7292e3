import type { Request } from 'express';

export type Language = 'en' | 'ar';

/** The page's language: `?lang=`, else the browser's wish, else English. */
export function languageOf(request: Request): Language {
  const { lang } = request.query;
  if (lang === 'ar' || lang === 'en') return lang;
  return request.acceptsLanguages(['en', 'ar']) === 'ar' ? 'ar' : 'en';
}

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr';
}

/** The page's own address in another language; nothing but the language changes. */
export function inLanguage(path: string, parameters: URLSearchParams, language: Language): string {
  const query = new URLSearchParams(parameters);
  query.set('lang', language);
  return `${path}?${query.toString()}`;
}
