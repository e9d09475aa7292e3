import { csvLine } from '../csv.ts';
import { type Command, type Invocation, onlyWord, spanOf, UsageError } from './command.ts';
import { type ExportName, type ExportRow, exportTables, rowsOf } from './export-tables.ts';
import { withStore } from './shop.ts';

const BLOCK_LENGTH = 32_768;

/** `pay-button export payments | transactions | refunds | operations` */
export const exportRows: Command = async (invocation) => {
  const { terminal, values, isJson } = invocation;
  const name = readName(invocation);
  const span = spanOf(values);
  return withStore(invocation, async (store) => {
    const rows = rowsOf(name, store, span, (read) => {
      terminal.progress(`${read} payments read`, true);
    });
    await terminal.stream(blocksOf(linesOf(exportTables[name].columns, rows, isJson)));
    terminal.endProgress();
    return 0;
  });
};

function readName({ words }: Invocation): ExportName {
  const names = Object.keys(exportTables) as readonly ExportName[];
  const advice = `Name one of ${names.join(', ')}, as in: pay-button export transactions`;
  const word = onlyWord(words, advice);
  const name = names.find((one) => one === word);
  if (name === undefined) throw new UsageError(advice);
  return name;
}

/** A line for each row; before them, in CSV, the names of the columns. */
async function* linesOf(
  columns: readonly string[],
  rows: AsyncIterable<ExportRow>,
  isJson: boolean,
): AsyncGenerator<string> {
  if (!isJson) yield csvLine(columns);
  for await (const row of rows) {
    const cells = columns.map((column) => [column, row[column] ?? null] as const);
    yield isJson
      ? `${JSON.stringify(Object.fromEntries(cells))}\n`
      : csvLine(cells.map(([, cell]) => cell ?? ''));
  }
}

/** Fewer and longer texts: each is written by a call of the system. */
async function* blocksOf(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let block = '';
  for await (const line of lines) {
    block += line;
    if (block.length < BLOCK_LENGTH) continue;
    yield block;
    block = '';
  }
  yield block;
}
