import { html } from '@lit-labs/ssr';
import { type BugId, bugs } from '../bugs/bugs.ts';
import type { Html, Page, View } from '../pages/page.ts';
import { personas } from './personas.ts';

/** Every persona, one link each. */
export function personasPage({ texts: { qa }, language }: View): Page {
  return tilesPage(
    [qa.personasTitle, qa.personasText],
    personas.map(({ id, name, steps }) =>
      tile({
        name: name[language],
        body: html`<p dir="auto">${steps[language]}</p>`,
        link: { href: `/personas/${id}`, label: qa.start, test: `persona-${id}` },
      }),
    ),
  );
}

/** Every bug switch, with its symptom, the right behaviour and the test that catches it. */
export function bugsPage({ texts: { qa }, language }: View, active: BugId | undefined): Page {
  return tilesPage(
    [qa.bugsTitle, qa.bugsText],
    bugs.map(({ id, name, symptom, expected, caughtBy }) => {
      const isOn = id === active;
      const label = isOn ? qa.turnOff : qa.turnOn;
      return tile({
        name: name[language],
        mark: isOn ? html`<span class="pill bad">${qa.isOn}</span>` : '',
        body: html`<p><code dir="ltr">${id}</code></p>
          <dl>
            <dt>${qa.symptom}</dt>
            <dd>${symptom[language]}</dd>
            <dt>${qa.expected}</dt>
            <dd>${expected[language]}</dd>
            <dt>${qa.caughtBy}</dt>
            <dd lang="en" dir="ltr">${caughtBy}</dd>
          </dl>`,
        link: { href: `/bugs?bug=${isOn ? 'none' : id}`, label, test: `bug-${id}` },
      });
    }),
  );
}

function tilesPage([title, text]: readonly [string, string], tiles: readonly Html[]): Page {
  return {
    title,
    styles: ['payment', 'testers'],
    body: html`<div class="intro">
        <h1>${title}</h1>
        <p>${text}</p>
      </div>
      <ul class="tiles">
        ${tiles}
      </ul>`,
  };
}

interface Tile {
  readonly name: string;
  readonly mark?: Html | '';
  readonly body: Html;
  readonly link: { readonly href: string; readonly label: string; readonly test: string };
}

function tile({ name, mark = '', body, link: { href, label, test } }: Tile): Html {
  return html`<li class="panel tile">
    <h2>${name} ${mark}</h2>
    ${body}
    <a class="button small quiet" href=${href} data-test=${test} aria-label="${label}: ${name}"
      >${label}</a
    >
  </li>`;
}
