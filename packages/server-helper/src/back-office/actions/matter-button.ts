import { html, type Html } from '../html.ts';
import type { Matter } from '../matters.ts';

/** The button of a matter's action; its name says which order it is about, as the list shows several. */
export const matterButton = ({ entry }: Matter, words: string, test: string): Html =>
  html`<button class="quiet" data-test="${test}">
    ${words} <span class="spoken"><bdi>${entry.orderId}</bdi></span>
  </button>`;
