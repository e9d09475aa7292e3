import { html } from '@lit-labs/ssr';
import type { Page, View } from '../pages/page.ts';
import { personas } from './personas.ts';

/** Who a tester can be, one link each. */
export function personasPage({ texts, language }: View): Page {
  return {
    title: texts.qa.personasTitle,
    body: html`<div class="intro">
        <h1>${texts.qa.personasTitle}</h1>
        <p>${texts.qa.personasText}</p>
      </div>
      <ul class="tiles">
        ${personas.map(
          ({ id, name, steps }) =>
            html`<li class="panel tile">
              <h2>${name[language]}</h2>
              <p dir="auto">${steps[language]}</p>
              <a
                class="button small quiet"
                href="/personas/${id}"
                data-test="persona-${id}"
                aria-label="${texts.qa.start}: ${name[language]}"
                >${texts.qa.start}</a
              >
            </li>`,
        )}
      </ul>`,
  };
}
