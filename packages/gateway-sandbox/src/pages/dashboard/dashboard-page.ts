import type { SandboxParts } from '../../sandbox-parts.ts';
import { alertBox, badge, field, selectField } from '../furniture.ts';
import { html } from '../html.ts';
import type { Html, Language } from '../html.ts';
import type { Page } from '../page.ts';
import { formToken } from './sign-in.ts';
import type { Merchant } from './sign-in.ts';
import { dashboardTexts, sections } from './texts.ts';
import type { DoneKind, Section } from './texts.ts';

/** The result of a form, shown once on the next page. */
export type Notice =
  | { readonly kind: 'done'; readonly what: DoneKind; readonly secret: string }
  | { readonly kind: 'refused'; readonly complaint: string }
  | { readonly kind: 'foreign-form' };

/** Everything that a page of the dashboard is made from. */
export interface View {
  readonly parts: SandboxParts;
  readonly merchant: Merchant;
  readonly language: Language;
  readonly notice: Notice | null;
}

export function sectionAddress(section: Section, language: Language, more = ''): string {
  return `/dashboard/${section}${more}?lang=${language}`;
}

/** One section's page: navigation, the last form's result, and the section itself. */
export function dashboardPage(view: View, section: Section, heading: string, body: Html): Page {
  const { language, merchant } = view;
  const texts = dashboardTexts[language];
  const link = (to: Section) =>
    html`<li>
      <a href="${sectionAddress(to, language)}" ${to === section && html` aria-current="page"`}
        >${texts.sections[to]}</a
      >
    </li>`;
  const main = html`<div class="wide dashboard">
    <nav class="dashboard-nav" aria-label="${texts.navigation}">
      <p class="row">
        <b>${texts.title}</b>
        ${badge(merchant.environment, texts.environments[merchant.environment])}
      </p>
      <ul>
        ${sections.map(link)}
      </ul>
      ${apiForm(view, 'sign-out', html`<button class="button" data-test="sign-out">${texts.signOut}</button>`)}
    </nav>
    <main class="stack">
      <h1 id="section"><bdi>${heading}</bdi></h1>
      ${noticeBox(view)} ${body}
    </main>
  </div>`;
  const title = `${heading} · ${texts.title}`;
  return { language, title, main, path: `/dashboard/${section}`, isTool: true };
}

function noticeBox({ notice, language }: View): Html | null {
  const texts = dashboardTexts[language];
  if (notice === null) return null;
  if (notice.kind === 'foreign-form') return alertBox('refused', texts.foreignForm);
  if (notice.kind === 'refused') return alertBox('refused', texts.refusedTitle, notice.complaint);
  return html`<div class="note" role="status" data-test="done">
    <p>${texts.done[notice.what]}</p>
    ${
      notice.secret !== '' &&
      html`<p><code dir="ltr" class="secret" data-test="secret">${notice.secret}</code></p>
        <p class="soft">${texts.shownOnce}</p>`
    }
  </div>`;
}

/** A form below `/dashboard`, with a token that proves that one of this sign-in's pages made it. */
export function apiForm(
  { merchant, language }: View,
  path: string,
  body: Html,
  style: 'stack wide-form' | 'row amount-form' | null = null,
): Html {
  return html`<form method="post" action="/dashboard/${path}?lang=${language}" class="${style}">
    <input type="hidden" name="formToken" value="${formToken(merchant)}" />
    ${body}
  </form>`;
}

/** A step that cannot be taken back: its button is hidden behind another one. */
export function guardedForm(
  view: View,
  path: string,
  { test, open, confirm }: Readonly<Record<'test' | 'open' | 'confirm', string>>,
): Html {
  const button = html`<button class="button button-danger" data-test="confirm-${test}">
    ${confirm}
  </button>`;
  return html`<details class="guarded">
    <summary class="button button-danger" data-test="${test}">${open}</summary>
    ${apiForm(view, path, button)}
  </details>`;
}

export function mainButton(test: string, text: string): Html {
  return html`<button class="button button-main" data-test="${test}">${text}</button>`;
}

/** An instant of the API's answer, to the minute. */
export function instantText(text: string, language: Language): Html {
  if (text === '') return html`<span class="soft">${dashboardTexts[language].never}</span>`;
  return html`<time datetime="${text}" dir="ltr">${text.slice(0, 16).replace('T', ' ')}</time>`;
}

/** A status of the API's answer in the page's language. */
export function statusBadge(status: string, language: Language): Html {
  return badge(status, dashboardTexts[language].statuses[status] ?? status);
}

/** The portal's login as a page. `complaint` is the API's answer to the last attempt. */
export function signInPage(language: Language, complaint: string | null, username: string): Page {
  const texts = dashboardTexts[language];
  const main = html`<main class="stack sign-in">
    <h1>${texts.signIn}</h1>
    ${complaint !== null && alertBox('refused', complaint)}
    <form method="post" action="/dashboard/sign-in?lang=${language}" class="panel stack">
      ${field({
        id: 'username',
        label: texts.username,
        input: html`name="username" dir="ltr" required autocomplete="username" value="${username}"
        data-test="username"`,
      })}
      ${field({
        id: 'password',
        label: texts.password,
        input: html`name="password" type="password" dir="ltr" required
        autocomplete="current-password" data-test="password"`,
      })}
      ${selectField({
        id: 'environment',
        name: 'environment',
        label: texts.environment,
        options: Object.entries(texts.environments),
      })}
      ${mainButton('sign-in', texts.signInButton)}
    </form>
    <p class="soft">${texts.signInHint} <a href="/_sandbox?lang=${language}">/_sandbox</a></p>
  </main>`;
  return { language, title: texts.signIn, main, path: '/dashboard', isTool: true };
}
