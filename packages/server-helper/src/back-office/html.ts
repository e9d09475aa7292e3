import { escapeHtml } from '../html-text.ts';

/** Text that is already HTML. The template escapes every other value. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

type Part = Html | string | number | null | false | readonly (Html | string)[];

/**
 * Characters that turn the order of the text behind them, so that a stranger's words could show an
 * amount backwards. No language needs them.
 */
const OVERRIDES = /[\u202A-\u202E\u2066\u2067]/g;

/** Builds a piece of a page. Values are escaped; `null` and `false` become nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const pieces = strings.map((text, index) => text + render(parts[index] ?? null));
  return new Html(pieces.join(''));
}

/** Nothing at all, where a piece of a page is asked for. */
export const nothing = new Html('');

function render(part: Part): string {
  if (part === null || part === false) return '';
  if (part instanceof Html) return part.toString();
  if (typeof part === 'object') return part.map(render).join('');
  return escapeHtml(String(part).replace(OVERRIDES, ''));
}
