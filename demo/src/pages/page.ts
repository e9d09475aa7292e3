import { html, render } from '@lit-labs/ssr';
import { collectResultSync } from '@lit-labs/ssr/lib/render-result.js';
import type { Express, Request, RequestHandler, Response } from 'express';
import { readCookie, sameSiteOnly } from '../http.ts';
import { basketOf } from '../shop/basket.ts';
import { chooseLanguage, type Language } from '../texts/language.ts';
import { type Texts, textsIn } from '../texts/shop.ts';

/** The cookie by which a tester gets pages without scripts. */
export const SCRIPTS_COOKIE = 'shop_scripts';

/** A piece of a page. Lit's server templates escape each value for its place. */
export type Html = ReturnType<typeof html>;

/** The reader of a page. */
export interface View {
  readonly language: Language;
  readonly texts: Texts;
  /** The page's own path, for the language switch. */
  readonly path: string;
  /** How many pieces the basket holds. */
  readonly pieces: number;
  /** Whether the page may bring scripts; testers can do without. */
  readonly scripts: boolean;
  /** The testers' tools under every page. */
  readonly foot: Html | '';
}

/** The parts of a page that differ. */
export interface Page {
  readonly title: string;
  readonly body: Html;
  /** The scripts of the page's elements. */
  readonly scripts?: Html;
  /** For the head: a refresh, for a browser without scripts. */
  readonly unscripted?: Html;
  /** Where the shopper is taken a moment later, with scripts or without. */
  readonly leadsTo?: string;
}

/** Makes the part under every page. */
type Foot = (view: View, request: Request) => Html;
const FOOT = 'page foot';

/** Puts something under every page of a shop. */
export function setFoot(app: Express, foot: Foot): void {
  app.set(FOOT, foot);
}

/** Long enough to read that the payment arrived. */
const READING_SECONDS = 2;

/**
 * Answers with a page in the reader's language. The page is the reader's own, so no cache in between
 * may keep it.
 */
export function sendPage(
  request: Request,
  response: Response,
  pageFor: (view: View) => Page,
  status = 200,
): void {
  const view = viewFor(request, response);
  const page = pageFor(view);
  response.status(status).set('Cache-Control', 'private, no-cache');
  if (page.leadsTo !== undefined)
    response.set('Refresh', `${READING_SECONDS}; url=${page.leadsTo}`);
  response.vary('Cookie');
  response.vary('Accept-Language');
  response.type('html').send(textOf(document(view, page)));
}

function viewFor(request: Request, response: Response): View {
  const language = chooseLanguage(request, response);
  const view: View = {
    language,
    texts: textsIn[language],
    path: pagePath(request),
    pieces: basketOf(request).reduce((count, line) => count + line.quantity, 0),
    scripts: readCookie(request, SCRIPTS_COOKIE) !== 'off',
    foot: '',
  };
  const foot = request.app.get(FOOT) as Foot | undefined;
  return foot === undefined ? view : { ...view, foot: foot(view, request) };
}

/**
 * Lit ends each template whose last part is a value with the mark `<?>`, which is no valid HTML.
 * Only templates write the mark: in a value the `<` is escaped.
 */
function textOf(page: Html): string {
  return collectResultSync(render(page)).replaceAll('<?>', '');
}

/**
 * The address that the language switch leads back to. A form that was answered with a page has none
 * of its own; two slashes at the start would lead to another site.
 */
function pagePath({ method, baseUrl, path }: Request): string {
  if (method !== 'GET') return baseUrl === '/admin' ? baseUrl : '/basket';
  const whole = `${baseUrl}${path}`.replace(/^[/\\]+/, '/');
  return whole.length > 1 ? whole.replace(/\/$/, '') : whole;
}

/** A page of shoppers loads nothing of the admin's, and the testers' tools only where they are. */
function stylesOf({ path, foot }: View): readonly Html[] {
  const more = [...(foot === '' ? [] : ['tools']), ...(path.startsWith('/admin') ? ['admin'] : [])];
  return ['base', 'shop', 'order', ...more].map(
    (name) => html`<link rel="stylesheet" href="/css/${name}.css" />`,
  );
}

// A template cannot put one text in two places, and <noscript> takes no other template inside.
const withoutScripts = html`<link rel="stylesheet" href="/css/no-script.css" />`;
const ifWithoutScripts = html`<noscript
  ><link rel="stylesheet" href="/css/no-script.css"
/></noscript>`;

function document(view: View, page: Page): Html {
  const { language, texts } = view;
  const { title, scripts, unscripted, body } = page;
  return html`<!doctype html>
    <html lang=${language} dir=${language === 'ar' ? 'rtl' : 'ltr'}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#fbf7f1" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#17110d" />
        <title>${title} · ${texts.shopName}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <meta name="description" content=${texts.heroText} />
        ${stylesOf(view)} ${view.scripts ? scripts : ''}
        ${view.scripts ? ifWithoutScripts : withoutScripts} ${unscripted}
      </head>
      <body>
        <a class="skip" href="#content">${texts.skipToContent}</a>
        ${header(view)}
        <main id="content" tabindex="-1">${body}</main>
        <footer>
          <p>${texts.vatIncluded}</p>
          <p>${texts.demoNote}</p>
        </footer>
        ${view.foot}
      </body>
    </html>`;
}

function header({ language, texts, path, pieces }: View): Html {
  const languageLink = (code: Language, name: string): Html =>
    html`<a
      data-test="lang-${code}"
      href="${path}?lang=${code}"
      lang=${code}
      hreflang=${code}
      aria-current=${code === language ? 'true' : 'false'}
      >${name}</a
    >`;
  return html`<header>
    <a class="brand" href="/" aria-label=${texts.shopName}>
      <img src="/images/logo.svg" alt="" width="36" height="36" />
      <span>${texts.shopName}</span>
    </a>
    <a class="orders-link" data-test="my-orders" href="/orders">
      <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
        <path d="M6 3h12v18l-3-2-3 2-3-2-3 2zM9.5 8h5M9.5 12h5" />
      </svg>
      <span class="word">${texts.myOrders}</span>
    </a>
    <nav class="languages" aria-label=${texts.language}>
      ${languageLink('en', 'English')} ${languageLink('ar', 'العربية')}
    </nav>
    <a class="basket-link" data-test="basket" href="/basket">
      <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
        <path d="M4 9h16l-1.6 10.2a2 2 0 0 1-2 1.8H7.6a2 2 0 0 1-2-1.8zM8 9l3-6M16 9l-3-6" />
      </svg>
      <span class="word">${texts.basket}</span>
      ${pieces > 0 ? html`<span class="count" aria-label=${texts.pieces(pieces)} role="img">${pieces}</span>` : ''}
    </a>
  </header>`;
}

/** A short page: a picture, a heading, a sentence, and the way on. */
export function messagePage({
  title,
  heading = title,
  text,
  link,
}: Readonly<Record<'title' | 'text' | 'link', string> & { heading?: string }>): Page {
  return {
    title,
    body: html`<section class="message">
      <img src="/images/empty-basket.svg" alt="" width="160" height="120" />
      <h1>${heading}</h1>
      <p>${text}</p>
      <p><a class="button" href="/">${link}</a></p>
    </section>`,
  };
}

/** A field of a form with choices: their values and labels. `id` is its name for tests too. */
export function selectField(
  id: string,
  name: string,
  label: string,
  choices: readonly (readonly [value: string, label: string])[],
  selected?: string,
): Html {
  return html`<div class="field">
    <label for=${id}>${label}</label>
    <select id=${id} name=${name} data-test=${id}>
      ${choices.map(
        ([value, text]) =>
          html`<option value=${value} ?selected=${value === selected}>${text}</option>`,
      )}
    </select>
  </div>`;
}

const errorStatus = { notFound: 404, forbidden: 403, badRequest: 400, failed: 500 } as const;

/** Answers with a page that explains the error and leads back to the shop. */
export function sendErrorPage(
  request: Request,
  response: Response,
  error: keyof typeof errorStatus,
): void {
  const errorPage = ({ texts }: View) =>
    messagePage({ ...texts.errors[error], link: texts.toShop });
  sendPage(request, response, errorPage, errorStatus[error]);
}

/** Refuses a form that another site's page sent. */
export function ownFormsOnly(publicUrl: string): RequestHandler {
  return sameSiteOnly(publicUrl, (request, response) => {
    sendErrorPage(request, response, 'forbidden');
  });
}
