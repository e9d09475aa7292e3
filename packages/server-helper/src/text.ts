import { stripVTControlCharacters } from 'node:util';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as HTML, for an element or a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');

/**
 * A text without control characters and halves of characters. No store, log or page needs them, and
 * PostgreSQL takes no U+0000: one of them would keep all that comes with it from being recorded.
 */
export const onOneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cs}]/gu, '');

/** Whether a text may be the name of something stored. PostgreSQL refuses a question about another. */
export const isStorable = (text: unknown): text is string =>
  typeof text === 'string' && onOneLine(text) === text;

/** The same for what a person wrote, with its line breaks and tabs. */
export const storableText = (text: string): string =>
  text.replaceAll(/(?![\n\r\t])[\p{Cc}\p{Cs}]/gu, '');

/** A text from elsewhere, without anything that a terminal would obey or a spreadsheet would stumble over. */
export const plain = (text: string): string =>
  stripVTControlCharacters(text).replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ');

/**
 * Where a spreadsheet may take a text for a formula: at its beginning, and behind what a spreadsheet
 * of another language may take for the end of a cell.
 */
const FORMULA = /(^|[;|])(?= *[=+\-@＝＋－＠])/gu;

/** One line of RFC 4180, with its end. An apostrophe keeps a text from being a formula. */
export function csvLine(cells: readonly string[]): string {
  const safe = cells.map((text) => plain(text).replaceAll(FORMULA, "$1'"));
  const quoted = safe.map((one) => (/[",]/.test(one) ? `"${one.replaceAll('"', '""')}"` : one));
  return `${quoted.join(',')}\r\n`;
}
