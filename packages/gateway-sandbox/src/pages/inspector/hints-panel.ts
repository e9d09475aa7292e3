import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Language } from '../language.ts';
import { hintLabels } from './hint-labels.ts';
import { newestHints } from './hints.ts';
import type { View } from './view.ts';

const titles: Readonly<Record<Language, string>> = {
  en: 'Did you mean something else?',
  ar: 'هل تقصد شيئًا آخر؟',
};

/** What requests seem to have meant; an empty place when none went wrong in a known way. */
export function hintsPanel({ parts, tenant, language }: View): Html {
  const hints = newestHints(parts.requestLog.list(tenant));
  if (hints.length === 0) return html`<div data-live="hints"></div>`;
  const rows = hints.map(({ kind, request }) => {
    const { title, text, code } = hintLabels[language][kind];
    return html`<li class="hint-row" data-test="hint-${kind}">
      <p class="hint-title"><b>${title}</b> <a href="#${request.id}" dir="ltr">${request.id}</a></p>
      <p>${text}${code !== undefined && html` <code dir="ltr">${code}</code>`}</p>
    </li>`;
  });
  return html`<section class="panel hints" aria-labelledby="hints" data-live="hints">
    <h2 id="hints">${titles[language]}</h2>
    <ul>
      ${rows}
    </ul>
  </section>`;
}
