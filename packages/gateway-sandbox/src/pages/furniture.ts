import { html } from './html.ts';
import type { Html } from './html.ts';

type Text = Html | string;

interface PanelParts {
  /** The heading's id. The inspector's script replaces panels by this id. */
  readonly id: string;
  readonly title: string;
  readonly body: Html;
  readonly aside?: Text | null;
}

export function panel({ id, title, body, aside = null }: PanelParts): Html {
  return html`<section class="panel" aria-labelledby="${id}" data-live="${id}">
    <div class="row between">
      <h2 id="${id}">${title}</h2>
      ${aside !== null && html`<div class="soft">${aside}</div>`}
    </div>
    ${body}
  </section>`;
}

interface Pill {
  readonly href: string;
  readonly text: Text;
  readonly isCurrent: boolean;
}

/** Links to the same page about something else. */
export function pills(label: string, links: readonly Pill[]): Html {
  const link = ({ href, text, isCurrent }: Pill) =>
    html`<li><a href="${href}" ${isCurrent && html` aria-current="true"`}>${text}</a></li>`;
  return html`<nav class="pills" aria-label="${label}">
    <ul class="row">
      ${links.map(link)}
    </ul>
  </nav>`;
}

interface TableParts {
  readonly labelledBy: string;
  readonly head: readonly string[];
  readonly rows: readonly TableRow[];
  readonly empty: string;
  /** Whether the last column holds amounts, which stand at the line's end. */
  readonly hasAmounts?: boolean;
}

interface TableRow {
  readonly id?: string;
  readonly cells: readonly (Text | null | false)[];
}

/**
 * A table that scrolls in a narrow window, by keyboard too. On a phone each row is a card, and each
 * cell has its column's name beside it.
 */
export function table({ labelledBy, head, rows, empty, hasAmounts = false }: TableParts): Html {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  const row = ({ id = '', cells }: TableRow) =>
    html`<tr ${id !== '' && html` id="${id}"`}>
      ${cells.map((cell, index) => html`<td data-label="${head[index] ?? ''}">${cell}</td>`)}
    </tr>`;
  return html`<div class="scroller" tabindex="0" role="group" aria-labelledby="${labelledBy}">
    <table class="${hasAmounts && 'amounts'}">
      <thead>
        <tr>
          ${head.map((text) => html`<th scope="col">${text}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(row)}
      </tbody>
    </table>
  </div>`;
}

/**
 * Names with their values. `style` is `pairs` (at both ends), `terms` (in a row), `facts` (in columns)
 * or `totals` (amounts beside each other).
 */
export function definitions(
  style: 'pairs' | 'terms' | 'facts' | 'totals',
  entries: readonly (readonly [name: Text, value: Text])[],
): Html {
  const entry = ([name, value]: readonly [Text, Text]) =>
    html`<div>
      <dt>${name}</dt>
      <dd>${value}</dd>
    </div>`;
  return html`<dl class="${style}">${entries.map(entry)}</dl>`;
}

/** The states that are good, bad or neither, in whatever shows them. The others wait. */
const tones = {
  good: 'paid success captured running active delivered ok done acknowledged spec',
  bad: 'failed declined expired dropped voided revoked production contradiction',
  plain: 'staging analogue',
};

export function toneOf(state: string): string {
  const [tone = 'wait'] =
    Object.entries(tones).find(([, of]) => of.split(' ').includes(state)) ?? [];
  return `tone-${tone}`;
}

export function badge(kind: string, text: Text): Html {
  const state = kind.toLowerCase();
  return html`<span class="badge badge-${state} ${toneOf(state)}">${text}</span>`;
}

/** How firmly a rule is known, and its source; what is not stated has a dashed edge. */
export function tierMark(text: string): Html {
  return html`<bdi dir="ltr" lang="en" class="tier ${toneOf(text.split(' ')[0] ?? '')}"
    >${text}</bdi
  >`;
}

/** Text of the wire or of code: left to right in both languages. */
export function ltr(text: string): Html {
  return html`<bdi dir="ltr">${text}</bdi>`;
}

export function code(text: string): Html {
  return html`<code dir="ltr">${text}</code>`;
}

interface FieldParts {
  readonly id: string;
  readonly label: Text;
  /** The input's attributes besides those that the label, hint and error need. */
  readonly input: Html;
  readonly hint?: string | undefined;
  readonly error?: string | null;
}

export function field({ id, label, input, hint, error = null }: FieldParts): Html {
  const described = [hint === undefined ? '' : `${id}-hint`, error === null ? '' : `${id}-error`];
  const describedBy = described.filter((text) => text !== '').join(' ');
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <input
      id="${id}"
      ${input}
      ${error !== null && html` aria-invalid="true"`}${describedBy !== '' && html` aria-describedby="${describedBy}"`}
    />
    ${hint !== undefined && html`<span class="hint" id="${id}-hint">${hint}</span>`}
    ${error !== null && html`<span class="field-error" id="${id}-error">${error}</span>`}
  </div>`;
}

/** The attributes of a radio button. */
export function radio(name: string, value: string, test: string): Html {
  return html`type="radio" name="${name}" value="${value}" data-test="${test}"`;
}

/** A radio button or a check box in its label; `input` is its attributes. */
export function choiceField(style: string, input: Html, isChosen: boolean, text: Text): Html {
  return html`<label class="${style}"
    ><input ${input} ${isChosen && html` checked`} />${text}</label
  >`;
}

interface SelectParts {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  /** Values with their texts; a value alone is its own text. */
  readonly options: readonly (string | readonly [value: string, text: string])[];
  readonly direction?: 'ltr';
  /** The value that is chosen; the first by default. */
  readonly chosen?: string;
}

export function selectField({ id, name, label, options, direction, chosen }: SelectParts): Html {
  const option = (one: string | readonly [string, string]) => {
    const [value, text] = typeof one === 'string' ? [one, one] : one;
    return html`<option value="${value}" ${value === chosen && html` selected`}>${text}</option>`;
  };
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <select id="${id}" name="${name}" ${direction === 'ltr' && html` dir="ltr"`} data-test="${id}">
      ${options.map(option)}
    </select>
  </div>`;
}

/** Something that went wrong. The box takes the focus on load, so that a screen reader begins with it. */
export function alertBox(test: string, text: string, more: string | null = null): Html {
  return html`<div class="alert" role="alert" tabindex="-1" autofocus data-test="${test}">
    <p class="alert-text"><bdi>${text}</bdi></p>
    ${more !== null && html`<p><bdi>${more}</bdi></p>`}
  </div>`;
}

/** An instant of the sandbox clock in UTC, as a date and a time to the second. */
export function instant(at: number | string): Html {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}" dir="ltr">${iso.slice(0, 19).replace('T', ' ')}</time>`;
}

/** The time of day of an instant; `digits` counts from the hours. */
export function timeOfDay(at: number | string, digits = 8): Html {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}" dir="ltr" title="${iso}"
    >${iso.slice(11, 11 + digits)}</time
  >`;
}

const schemeNames: Readonly<Record<string, string>> = {
  MADA: 'mada',
  VISA: 'Visa',
  MASTERCARD: 'Mastercard',
};

export function schemeName(scheme: string): string {
  return schemeNames[scheme] ?? scheme;
}
