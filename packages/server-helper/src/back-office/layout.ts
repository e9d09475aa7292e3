import type { Answer } from '../edges/http.ts';
import { assets } from './assets.ts';
import { html, type Html, nothing } from './html.ts';
import { linkTo, type Visit } from './office.ts';
import { frameTexts } from './texts/frame.ts';
import { type NoticeName, noticeTexts } from './texts/notices.ts';
import { counted, countMatters } from './waiting.ts';

/** The parts of the back office that the navigation leads to. */
export type Section = keyof (typeof frameTexts)['en']['sections'];

/** What one page adds to the layout. */
export interface Page {
  /** @defaultValue 200 */
  readonly status?: number;
  readonly title: string;
  /** The part that the page belongs to; absent for none. */
  readonly section?: Section;
  /** Everything below the navigation, its `<h1>` included. */
  readonly main: Html;
  readonly headers?: Answer['headers'];
}

const addresses: Readonly<Record<Section, string>> = {
  overview: '',
  orders: 'orders',
  review: 'review',
  gateway: 'gateway',
};

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  vary: 'Accept-Language, Cookie',
} as const;

const ICON =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 32 32%22%3E%3Crect y=%227%22 width=%2232%22 height=%2218%22 rx=%227%22 fill=%22%2312804f%22/%3E%3Cpath d=%22m10 16 4 4 8-8%22 fill=%22none%22 stroke=%22%23fff%22 stroke-width=%223%22/%3E%3C/svg%3E';

/** Answers with a whole page. */
export async function pageAnswer(visit: Visit, page: Page): Promise<Answer> {
  const { status = 200, headers } = page;
  const waiting = await waitingReviews(visit);
  const text = layout(visit, page, waiting).toString();
  return { status, headers: { ...pageHeaders, ...headers }, html: `<!doctype html>\n${text}` };
}

/** How many matters wait for a person, as a text; a store that does not answer leaves it empty. */
async function waitingReviews({ office }: Visit): Promise<string> {
  try {
    const count = await countMatters(office);
    return count === 0 ? '' : counted(count);
  } catch {
    return '';
  }
}

function layout(visit: Visit, page: Page, waiting: string): Html {
  const { language, office } = visit;
  const texts = frameTexts[language];
  return html`<html
    lang="${language}"
    dir="${language === 'ar' ? 'rtl' : 'ltr'}"
    data-copy-label="${texts.copy}"
    data-copied-label="${texts.copied}"
  >
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex" />
      <title>${page.title} · ${texts.product}</title>
      <link rel="icon" href="${ICON}" />
      <link rel="stylesheet" href="${linkTo(visit, assets.style.address)}" />
      <script src="${linkTo(visit, assets.script.address)}" defer></script>
    </head>
    <body>
      <a class="skip" href="#main">${texts.skip}</a>
      ${header(visit, page, waiting)}
      <main id="main" tabindex="-1">${notice(visit)}${page.main}</main>
      <footer>
        <p>${texts.times} <bdi data-zone>${office.settings.timeZone}</bdi></p>
        <p role="status" class="spoken" data-spoken></p>
      </footer>
    </body>
  </html>`;
}

function header(visit: Visit, { section }: Page, waiting: string): Html {
  const { language, actor, office } = visit;
  const texts = frameTexts[language];
  const links = Object.entries(texts.sections).map(([name, label]) => {
    const count =
      name === 'review' && waiting !== ''
        ? html` <span class="count" aria-hidden="true">${waiting}</span>
            <span class="spoken">${texts.waiting(waiting)}</span>`
        : nothing;
    const current = name === section ? html` aria-current="page"` : nothing;
    const address = addresses[name as Section];
    return html`<li><a href="${linkTo(visit, address)}" ${current}>${label}${count}</a></li>`;
  });
  const { environment } = office.parts.gateway;
  return html`<header>
    <nav aria-label="${texts.navigation}">
      <ul>
        ${links}
      </ul>
    </nav>
    <p class="who">
      <span class="environment" data-environment="${environment}"
        >${texts.environments[environment]}</span
      >
      <span><span class="spoken">${texts.signedInAs}</span> <bdi>${actor}</bdi></span>
      ${languageLink(visit)}
      ${office.settings.links.map(({ text, url }) => html`<a href="${url}">${text[language]}</a>`)}
    </p>
  </header>`;
}

/** The switch, which leads back to this page. */
function languageLink({ language, address, query, base }: Visit): Html {
  const other = language === 'ar' ? 'en' : 'ar';
  const { lang: _lang, notice: _notice, ...rest } = query;
  const search = new URLSearchParams(rest).toString();
  const to = `${address}${search === '' ? '' : `?${search}`}`;
  const link = `${base}language?${new URLSearchParams({ lang: other, to }).toString()}`;
  return html`<a lang="${other}" hreflang="${other}" href="${link}" data-test="lang-${other}"
    >${frameTexts[language].otherLanguage}</a
  >`;
}

const isNotice = (name: string): name is NoticeName => Object.hasOwn(noticeTexts.en, name);

/** What the action before this page did. */
function notice({ language, query }: Visit): Html {
  const name = query['notice'] ?? '';
  if (!isNotice(name)) return nothing;
  return html`<p class="notice" role="status" data-test="notice" data-notice="${name}">
    ${noticeTexts[language][name]}
  </p>`;
}
