import { parse, type ParsedUrlQuery } from 'node:querystring';
import { fileURLToPath } from 'node:url';
import express from 'express';
import type { NextFunction, Request, Response, Router } from 'express';
import { readBytes } from '../http/messages.ts';
import { byLanguage, html, languageOf, riyalSymbol } from './html.ts';
import type { Html, Language } from './html.ts';

export interface Page {
  readonly title: string;
  /** Says what the page is for, in a list of pages; by default, what the sandbox is. */
  readonly description?: string;
  readonly main: Html;
  /** The pages of testers and merchants are wider and denser than a shopper's. */
  readonly isTool?: boolean;
  /** Addresses besides the sandbox that this page's forms may lead to: the merchant's. */
  readonly formTargets?: readonly string[];
  /** Addresses whose sites may show this page in a frame; without any, no site may. */
  readonly framedBy?: readonly string[];
  /** Whether the page's script calls the sandbox. */
  readonly isLive?: boolean;
  /** Small scripts that make the page more comfortable. The page works without them. */
  readonly scripts?: readonly string[];
}

const texts = byLanguage({
  strip: `Sandbox: test cards only, no real money
    بيئة تجريبية: بطاقات اختبار فقط، دون أي خصم حقيقي`,
  languages: ['Language', 'اللغة'],
  description: `A page of the sandbox, which stands in for the payment gateway in tests.
    صفحة من البيئة التجريبية التي تقوم مقام بوابة الدفع في الاختبارات.`,
});

/** Always with the status 200: a browser reports any other one as an error in its console. */
export function sendPage(response: Response, page: Page): void {
  const { req: request } = response;
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
    .send(documentOf(request, page).toString());
}

function documentOf(request: Request, page: Page): Html {
  const language = languageOf(request);
  const { title, main, isTool = false, scripts = [] } = page;
  const { description = texts[language].description } = page;
  // A shopper's page does not load the styles of the tools, nor a tool those of the shopper's pages.
  const styles = ['page', ...(isTool ? ['tools'] : ['shopper'])];
  return html`<!doctype html>
    <html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <meta name="description" content="${description}" />
        <title>${title}</title>
        <link rel="icon" href="/assets/favicon.svg" type="image/svg+xml" />
        ${styles.map((style) => html`<link rel="stylesheet" href="/assets/styles/${style}.css" />`)}
        ${scripts.map((script) => html`<script src="/assets/${script}" defer></script>`)}
      </head>
      <body class="${isTool && 'tool-page'}">
        ${headerOf(request, language)} ${main}
      </body>
    </html> `;
}

/** The strip, the name, and the switch to the same address in the other language. */
function headerOf({ baseUrl, path, url }: Request, language: Language): Html {
  const { strip, languages } = texts[language];
  const query = Object.fromEntries(new URLSearchParams(/\?.*/.exec(url)?.[0]));
  const choice = (lang: Language, name: string) =>
    html`<a
      href="${withQuery(baseUrl + path, { ...query, lang })}"
      lang="${lang}"
      hreflang="${lang}"
      data-test="lang-${lang}"
      ${language === lang && html` aria-current="true"`}
      >${name}</a
    >`;
  return html`<header>
    <div class="strip" role="note"><i class="dot" aria-hidden="true"></i>${strip}</div>
    <div class="bar row between">
      <span class="brand row"
        ><svg class="drawn" viewBox="0 0 28 28" width="28" height="28" aria-hidden="true">
          ${riyalSymbol}
          <rect class="drawn-on" width="28" height="28" rx="8" />
          <path d="M8 9.5h12M8 14h12M8 18.5h7" /></svg
        ><span dir="ltr">Pay Sandbox</span></span
      >
      <nav class="pill languages" aria-label="${languages}">
        ${choice('en', 'English')}${choice('ar', 'العربية')}
      </nav>
    </div>
  </header>`;
}

/** Chromium applies `form-action` to redirects after a form too: to the way back to the shop. */
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

type Query = Readonly<Record<string, string>>;

export function checkoutAddress(sessionId: string, lang: Language, extra: Query = {}): string {
  return withQuery('/checkout', { sessionId, lang, ...extra });
}

export function challengeAddress(id: string, lang: Language, extra: Query = {}): string {
  return withQuery(`/challenge/${encodeURIComponent(id)}`, { lang, ...extra });
}

export function withQuery(path: string, query: Query): string {
  return `${path}?${new URLSearchParams(query).toString()}`;
}

const largestForm = 8 * 1024;

export async function readForm<Parameters>(
  request: Request<Parameters>,
  _response: Response,
  next: NextFunction,
): Promise<void> {
  if (!request.is('application/x-www-form-urlencoded')) return next();
  const read = await readBytes(request, largestForm);
  if ('fault' in read) {
    const status = read.fault === 'too-large' ? 413 : 400;
    return next(Object.assign(new Error(`The form is ${read.fault}.`), { status }));
  }
  request.body = parse(read.bytes.toString('utf8'));
  next();
}

/** One field of a page's form; a missing or repeated field counts as empty. */
export function formField(request: Request, name: string): string {
  const values = formFields(request, name);
  return values.length === 1 ? (values[0] ?? '') : '';
}

export function formFields({ body }: Request, name: string): string[] {
  const fields = (body ?? {}) as ParsedUrlQuery;
  return [fields[name] ?? []].flat();
}

/** The address goes out as the merchant wrote it, query and fragment included. */
export function leaveFor(response: Response, address: string): void {
  const isPrintable = /^[\u0021-\u007e]+$/.test(address);
  response
    .status(303)
    .set('cache-control', 'no-store')
    .setHeader('location', isPrintable ? address : new URL(address).href)
    .end();
}

/** The files of the pages; a browser asks again whether the one that it has is the newest. */
export function assetRoutes(): Router {
  const router = express.Router();
  const folder = fileURLToPath(new URL('../../assets', import.meta.url));
  const setHeaders = (response: Response) => response.set('x-content-type-options', 'nosniff');
  router.use('/assets', express.static(folder, { index: false, redirect: false, setHeaders }));
  router.get('/favicon.ico', (_request, response) => {
    response.set('cache-control', 'public, max-age=86400');
    response.sendFile('favicon.svg', { root: folder, acceptRanges: false });
  });
  return router;
}
