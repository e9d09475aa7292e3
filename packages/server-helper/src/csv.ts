import { plain } from './html-text.ts';

/**
 * Where a spreadsheet may take a text for a formula: at its beginning, and behind what a spreadsheet
 * of another language may take for the end of a cell.
 */
const FORMULA = /(^|[;|])(?= *[=+\-@＝＋－＠])/gu;

/** One line of RFC 4180, with its end. An apostrophe keeps a text from being a formula. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cellOf).join(',')}\r\n`;

function cellOf(text: string): string {
  const safe = plain(text).replaceAll(FORMULA, "$1'");
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
