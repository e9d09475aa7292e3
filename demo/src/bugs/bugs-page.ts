import { html } from '@lit-labs/ssr';
import type { Html, Page, View } from '../pages/page.ts';
import { type Bug, type BugId, bugs } from './bugs.ts';

/** Every bug switch: what it does, what should be, and the test that catches it. */
export function bugsPage(view: View, active: BugId | undefined): Page {
  const { qa } = view.texts;
  return {
    title: qa.bugsTitle,
    body: html`<div class="intro">
        <h1>${qa.bugsTitle}</h1>
        <p>${qa.bugsText}</p>
      </div>
      <ul class="tiles">
        ${bugs.map((bug) => tile(view, bug, bug.id === active))}
      </ul>`,
  };
}

function tile({ texts, language }: View, bug: Bug, isOn: boolean): Html {
  const { qa } = texts;
  const { id, name, symptom, expected, caughtBy } = bug;
  const label = isOn ? qa.turnOff : qa.turnOn;
  return html`<li class="panel tile">
    <h2>${name[language]} ${isOn ? html`<span class="pill bad">${qa.isOn}</span>` : ''}</h2>
    <p><code dir="ltr">${id}</code></p>
    <dl>
      <dt>${qa.symptom}</dt>
      <dd>${symptom[language]}</dd>
      <dt>${qa.expected}</dt>
      <dd>${expected[language]}</dd>
      <dt>${qa.caughtBy}</dt>
      <dd lang="en" dir="ltr">${caughtBy}</dd>
    </dl>
    <a
      class="button small quiet"
      href="/bugs?bug=${isOn ? 'none' : id}"
      data-test="bug-${id}"
      aria-label="${label}: ${name[language]}"
      >${label}</a
    >
  </li>`;
}
