import type { Response } from 'express';
import { assetUrl } from './assets.ts';
import type { AssetName } from './assets.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { byLanguage, directionOf } from './language.ts';
import type { Language } from './language.ts';
import { moneySigns } from './money.ts';
import { withQuery } from './page-address.ts';

export interface Page {
  readonly language: Language;
  readonly title: string;
  /** Says what the page is for, in a list of pages; by default, what the sandbox is. */
  readonly description?: string;
  readonly main: Html;
  /** The page's own address without its language, for the language switch. */
  readonly path: string;
  readonly parameters?: Readonly<Record<string, string>>;
  /** The pages of testers and merchants are wider and denser than a shopper's. */
  readonly isTool?: boolean;
  /** Addresses besides the sandbox that this page's forms may lead to: the merchant's. */
  readonly formTargets?: readonly string[];
  /** Addresses whose sites may show this page in a frame; without any, no site may. */
  readonly framedBy?: readonly string[];
  /** Whether the page's script calls the sandbox. */
  readonly isLive?: boolean;
  /** Small scripts that make the page more comfortable. The page works without them. */
  readonly scripts?: readonly AssetName[];
}

const texts = byLanguage({
  strip: [
    'Sandbox: test cards only, no real money',
    'بيئة تجريبية: بطاقات اختبار فقط، دون أي خصم حقيقي',
  ],
  languages: ['Language', 'اللغة'],
  description: [
    'A page of the sandbox, which stands in for the payment gateway in tests.',
    'صفحة من البيئة التجريبية التي تقوم مقام بوابة الدفع في الاختبارات.',
  ],
});

/**
 * Sends a page. The status is 200 in every state of the session, because a browser reports any other
 * status of a page as an error in its console.
 */
export function sendPage(response: Response, page: Page): void {
  response
    .status(200)
    .set({
      'cache-control': 'no-store',
      'content-security-policy': policyOf(page),
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      vary: 'accept-language',
    })
    .type('html')
    .send(documentOf(page).toString());
}

function documentOf(page: Page): Html {
  const { language, title, main, isTool = false, scripts = [] } = page;
  const { description = texts[language].description } = page;
  return html`<!doctype html>
    <html lang="${language}" dir="${directionOf(language)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <meta name="description" content="${description}" />
        <title>${title}</title>
        <link rel="icon" href="${assetUrl('favicon.svg')}" type="image/svg+xml" />
        <link rel="stylesheet" href="${assetUrl(isTool ? 'tools.css' : 'shopper.css')}" />
        ${scripts.map((script) => html`<script src="${assetUrl(script)}" defer></script>`)}
      </head>
      <body class="${isTool && 'tool-page'}">
        ${moneySigns} ${headerOf(page)} ${main}
      </body>
    </html> `;
}

/** The header of every page: the sandbox's strip, its name and the language switch. */
function headerOf({ language, path, parameters = {} }: Page): Html {
  const { strip, languages } = texts[language];
  const choice = (lang: Language, name: string) =>
    html`<a
      href="${withQuery(path, { ...parameters, lang })}"
      lang="${lang}"
      hreflang="${lang}"
      data-test="lang-${lang}"
      ${language === lang && html` aria-current="true"`}
      >${name}</a
    >`;
  return html`<header>
    <div class="strip" role="note"><span class="strip-dot" aria-hidden="true"></span>${strip}</div>
    <div class="bar">
      <span class="brand"
        ><svg viewBox="0 0 28 28" width="28" height="28" aria-hidden="true">
          <rect width="28" height="28" rx="8" class="brand-tile" />
          <path d="M8 9.5h12M8 14h12M8 18.5h7" class="brand-line" /></svg
        ><span dir="ltr">Pay Sandbox</span></span
      >
      <nav class="languages" aria-label="${languages}">
        ${choice('en', 'English')}${choice('ar', 'العربية')}
      </nav>
    </div>
  </header>`;
}

/**
 * Chromium applies `form-action` to redirects after a form post too. Without the merchant's origins
 * in it, a shopper who has paid could not return to the shop.
 */
function policyOf({ formTargets = [], framedBy = [], isLive = false }: Page): string {
  const targets = new Set(formTargets.map(policySource));
  const framers = ["'self'", ...new Set(framedBy.map(policySource))].join(' ');
  return [
    "default-src 'none'",
    "script-src 'self'",
    ...(isLive ? ["connect-src 'self'"] : []),
    "style-src 'self'",
    "img-src 'self'",
    `form-action ${["'self'", ...targets].join(' ')}`,
    `frame-ancestors ${framedBy.length === 0 ? "'none'" : framers}`,
    "base-uri 'none'",
  ].join('; ');
}

/** A policy cannot name an IPv6 address, so such a shop is admitted by its scheme. */
function policySource(address: string): string {
  const { origin, hostname, protocol } = new URL(address);
  return hostname.startsWith('[') ? protocol : origin;
}
