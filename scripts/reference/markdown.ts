/** A table; a cell may hold anything but a line break. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll(/(?<!\\)\|/g, String.raw`\|`)).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Words in code type; nothing stays nothing. */
export const code = (text: string): string => (text === '' ? '' : `\`${text}\``);

/** The anchor that GitHub gives a heading of plain words. */
export const anchorOf = (heading: string): string =>
  `#${heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\- ]/gu, '')
    .replaceAll(' ', '-')}`;

/** A link to a heading of the same page. */
export const toHeading = (heading: string, shown = heading): string =>
  `[${shown}](${anchorOf(heading)})`;

/** A fenced block. */
export const fenced = (info: string, text: string): string => `\`\`\`${info}\n${text}\n\`\`\``;

/** A part that opens when it is pressed. */
export const folded = (summary: string, text: string): string =>
  `<details>\n<summary>${summary}</summary>\n\n${text}\n\n</details>`;
