import { html } from '../html.ts';
import type { Html } from '../html.ts';

interface PanelParts {
  /** The heading's id; the page's script replaces panels by it. */
  readonly id: string;
  readonly title: string;
  readonly body: Html;
  /** What stands beside the heading. */
  readonly aside?: Html | string | null;
}

/** One part of the inspector, with its heading. */
export function panel({ id, title, body, aside = null }: PanelParts): Html {
  return html`<section class="panel" aria-labelledby="${id}" data-live="${id}">
    <div class="panel-head">
      <h2 id="${id}">${title}</h2>
      ${aside !== null && html`<span class="panel-aside">${aside}</span>`}
    </div>
    ${body}
  </section>`;
}

interface TableParts {
  readonly labelledBy: string;
  readonly head: readonly string[];
  readonly rows: readonly Html[];
}

/** A table that scrolls by itself where the window is narrower, by keyboard too. */
export function scrollingTable({ labelledBy, head, rows }: TableParts): Html {
  return html`<div class="scroller" tabindex="0" role="group" aria-labelledby="${labelledBy}">
    <table>
      <thead>
        <tr>
          ${head.map((text) => html`<th scope="col">${text}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}
