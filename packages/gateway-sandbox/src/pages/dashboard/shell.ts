import type { SandboxParts } from '../../sandbox-parts.ts';
import { framed } from '../frame.ts';
import { hostedLabels } from '../hosted/labels.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Language } from '../language.ts';
import type { Page } from '../send-page.ts';
import { dashboardLabels, sections } from './labels.ts';
import type { DoneKind, Section } from './labels.ts';
import { formToken } from './sign-in.ts';
import type { SignedIn } from './sign-in.ts';

/** What is said once, after a form was carried out or refused. */
export type Notice =
  | { readonly kind: 'done'; readonly what: DoneKind; readonly secret?: string }
  | { readonly kind: 'refused'; readonly complaint: string }
  | { readonly kind: 'foreign-form' };

/** What every page of the dashboard is made from. */
export interface Desk {
  readonly parts: SandboxParts;
  readonly signedIn: SignedIn;
  readonly language: Language;
  readonly notice: Notice | null;
}

export function sectionAddress(section: Section, language: Language, more = ''): string {
  return `/dashboard/${section}${more}?lang=${language}`;
}

/** One section's page: navigation, what is to be said, and the section itself. */
export function dashboardPage(desk: Desk, section: Section, heading: string, body: Html): Page {
  const { language, signedIn } = desk;
  const labels = dashboardLabels[language];
  const link = (to: Section) =>
    html`<li>
      <a href="${sectionAddress(to, language)}" ${to === section && html` aria-current="page"`}
        >${labels.sections[to]}</a
      >
    </li>`;
  const main = html`<div class="dashboard">
    <nav class="dashboard-nav" aria-label="${labels.navigation}">
      <p class="dashboard-title">
        ${labels.title}
        <span class="badge badge-${signedIn.environment}"
          >${labels.environments[signedIn.environment]}</span
        >
      </p>
      <ul>
        ${sections.map(link)}
      </ul>
      ${deskForm(desk, { action: '/dashboard/sign-out', body: html`<button class="tool" data-test="sign-out">${labels.signOut}</button>` })}
    </nav>
    <main class="dashboard-main">
      <h1>${heading}</h1>
      ${noticeBox(desk)} ${body}
    </main>
  </div>`;
  return framedPage(language, `${heading} · ${labels.title}`, `/dashboard/${section}`, main);
}

export function framedPage(language: Language, title: string, path: string, main: Html): Page {
  const shared = hostedLabels[language];
  return {
    language,
    title,
    body: framed({
      language,
      strip: shared.strip,
      languages: shared.languages,
      path,
      parameters: new URLSearchParams(),
      main,
      wide: true,
    }),
    style: 'tools.css',
  };
}

interface FormParts {
  /** Without its language, which the form adds. */
  readonly action: string;
  readonly body: Html;
  readonly style?: string;
}

/** A form that only this sign-in's pages can have made. */
export function deskForm(
  { signedIn, language }: Desk,
  { action, body, style = '' }: FormParts,
): Html {
  return html`<form method="post" action="${action}?lang=${language}" class="${style}">
    <input type="hidden" name="formToken" value="${formToken(signedIn)}" />
    ${body}
  </form>`;
}

/** A step that cannot be taken back: its button stands behind another one. */
export function guardedForm(
  desk: Desk,
  { action, open, confirm, test }: { action: string; open: string; confirm: string; test: string },
): Html {
  return html`<details class="guarded">
    <summary class="tool tool-danger" data-test="${test}">${open}</summary>
    ${deskForm(desk, {
      action,
      body: html`<button class="tool tool-danger" data-test="confirm-${test}">${confirm}</button>`,
    })}
  </details>`;
}

function noticeBox({ notice, language }: Desk): Html | null {
  const labels = dashboardLabels[language];
  if (notice === null) return null;
  if (notice.kind === 'done') {
    return html`<div class="note note-done" role="status" data-test="done">
      <p>${labels.done[notice.what]}</p>
      ${
        notice.secret !== undefined &&
        html`<p><code dir="ltr" class="secret" data-test="secret">${notice.secret}</code></p>
          <p class="soft">${labels.shownOnce}</p>`
      }
    </div>`;
  }
  const text = notice.kind === 'refused' ? notice.complaint : labels.foreignForm;
  return html`<div class="note note-refused" role="alert" data-test="refused">
    <p><b>${labels.refusedTitle}</b></p>
    <p><bdi>${text}</bdi></p>
  </div>`;
}

/** An instant as the API tells it, short. */
export function instantText(text: string, language: Language): Html {
  if (text === '') return html`<span class="soft">${dashboardLabels[language].never}</span>`;
  return html`<time datetime="${text}" dir="ltr">${text.slice(0, 16).replace('T', ' ')}</time>`;
}

export function statusBadge(status: string, language: Language): Html {
  const name = dashboardLabels[language].statuses[status] ?? status;
  return html`<span class="badge badge-${status.toLowerCase()}">${name}</span>`;
}
