import { journeyNames } from './journeys.ts';
import type { OutcomeKind } from './play-cell.ts';
import type { Row } from './run-matrix.ts';

const signs: Readonly<Record<OutcomeKind, string>> = {
  paid: '●',
  unpaid: '○',
  review: 'R',
  refused: '–',
  silent: 's',
  failure: '✗',
  wrong: '‼',
};

export const legend =
  '● as it should, with money, once · ○ as it should, without money · R a person has the order, and health says so · – the call was refused, and no money moved · s silent for a written reason · ✗ a failure · ‼ shipped twice or without money · blank: the journey does not come by what differs';

const head = ['reading', ...journeyNames] as const;

const fieldsOf = ({ reading, cells }: Row): readonly string[] => [
  reading.name,
  ...journeyNames.map((name) => {
    const outcome = cells.get(name);
    return outcome === undefined ? '' : signs[outcome.kind];
  }),
];

/** The rows as text for a terminal. */
export function plainTable(rows: readonly Row[]): string {
  const lines = [head, ...rows.map(fieldsOf)];
  const widths = head.map((_, column) =>
    Math.max(...lines.map((fields) => fields[column]?.length ?? 0)),
  );
  return lines
    .map((fields) =>
      fields
        .map((field, at) => field.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The rows as a Markdown table. */
export function markdownTable(rows: readonly Row[]): string {
  const line = (fields: readonly string[]): string => `| ${fields.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map((row) => line(fieldsOf(row)))].join(
    '\n',
  );
}
