import { createHash } from 'node:crypto';
import type { Answer, EdgeRequest } from './http.ts';

/** A text in the languages of our pages. */
export type PageText = Readonly<Record<'en' | 'ar', string>>;

type Language = keyof PageText;

/** What a page says. */
export interface PageParts {
  readonly status: number;
  readonly headers?: Answer['headers'];
  readonly text: PageText;
  /** Of a form that sends a POST to the page's own address; absent for none. */
  readonly button?: PageText;
  /** Of the way back to the shop; absent for none. */
  readonly shopUrl?: string;
  /** Whether the browser goes to `shopUrl` by itself. */
  readonly goesOn?: boolean;
}

const directions: Readonly<Record<Language, string>> = { en: 'ltr', ar: 'rtl' };
const back: PageText = { en: 'Back to the shop', ar: 'العودة إلى المتجر' };

const style =
  ':root{color-scheme:light dark}body{font:1.125rem/1.6 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1.5rem;text-align:center}button{font:inherit;padding:.5em 1.5em}';

/** Only this one style may be used, nothing may be loaded, and no other page may show this one. */
const policy = `default-src 'none'; base-uri 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors 'none'`;

/** A page without scripts for a shopper, in the languages that the browser asks for. */
export function plainPage(
  request: EdgeRequest,
  { status, headers, text, button, shopUrl, goesOn = false }: PageParts,
): Answer {
  const languages = languagesOf(request.header('accept-language'));
  const [first = 'en'] = languages;
  const inEach = (one: PageText, markup: (words: string) => string): string =>
    languages.map((language) => part(language, markup(one[language]))).join('');
  const form =
    button &&
    `<form method="post">${inEach(button, (words) => `<button>${words}</button>`)}</form>`;
  // `URL` leaves no double quote and no bracket in an address.
  const href = shopUrl && new URL(shopUrl).href.replaceAll('&', '&amp;');
  const link = href && inEach(back, (words) => `<a href="${href}">${words}</a>`);
  const onward = goesOn ? `<meta http-equiv="refresh" content="0;url=${href}">` : '';
  return {
    status,
    headers: {
      ...headers,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
    },
    html: `<!doctype html><html lang="${first}" dir="${directions[first]}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">${onward}<title>${text[first]}</title><style>${style}</style><main>${inEach(text, (words) => words)}${form ?? ''}${link ?? ''}</main></html>`,
  };
}

const part = (language: Language, content: string): string =>
  `<p lang="${language}" dir="${directions[language]}">${content}</p>`;

const isLanguage = (text: string): text is Language => Object.hasOwn(directions, text);

/** The languages of ours that `Accept-Language` names, in its order; both where it names none. */
export function languagesOf(header = ''): readonly Language[] {
  const wanted = header
    .toLowerCase()
    .split(',', 20)
    .map((range) => {
      const [tag = '', weight = 'q=1'] = range.split(';').map((text) => text.trim());
      const [language = ''] = tag.split('-', 1);
      return { language, weight: Number(weight.replace('q=', '')) };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ language }) => language)
    .filter(isLanguage);
  return wanted.length === 0 ? ['en', 'ar'] : [...new Set(wanted)];
}
