import { type Command, type Invocation, textOf, UsageError } from '../command.ts';
import { momentOption } from '../moment-option.ts';
import { readShopSettings, requireSettings, storeSettings } from '../shop-settings.ts';
import { withStore } from '../shop-store.ts';
import type { Span } from '../store-pages.ts';
import { csvLine } from '../../csv.ts';
import { type ExportName, type ExportRow, type ExportTable, exportTables } from './tables.ts';
import { writeFileWhole } from './whole-file.ts';

const NAME = 'export';
const BLOCK_LENGTH = 32_768;

/** `pay-button export payments | transactions | refunds | operations` */
export const exportRows: Command = {
  options: { since: 'text', until: 'text', out: 'text', merchant: 'text' },
  async run(invocation) {
    const { terminal, values } = invocation;
    const name = readName(invocation);
    const span = readSpan(invocation);
    const out = textOf(values, 'out');
    const settings = readShopSettings(invocation, NAME);
    requireSettings(settings, storeSettings);
    const isJson = values['json'] === true;
    return withStore({ settings, terminal, isJson }, async (store) => {
      const progress = (read: number) => terminal.passing(`${read} payments read`);
      const table: ExportTable = exportTables[name];
      const count = { rows: 0 };
      const rows = table.rows({ store, span, progress });
      const lines = blocksOf(linesOf(table, rows, isJson, count));
      if (out === undefined) await terminal.stream(lines);
      else await writeFileWhole(invocation.cwd, out, lines);
      terminal.endProgress();
      if (out !== undefined) report(invocation, { name, out, rows: count.rows });
      return 0;
    });
  },
};

function readName({ words }: Invocation): ExportName {
  const [name = '', ...others] = words;
  if (others.length === 0 && isName(name)) return name;
  const names = Object.keys(exportTables).join(', ');
  throw new UsageError(`Name one of ${names}, as in: pay-button export transactions`, NAME);
}

const isName = (name: string): name is ExportName => Object.hasOwn(exportTables, name);

function readSpan({ values }: Invocation): Span {
  const since = momentOption(values, 'since', NAME) ?? 0;
  const until = momentOption(values, 'until', NAME) ?? Number.MAX_SAFE_INTEGER;
  if (since < until) return { since, until };
  throw new UsageError('--since must be before --until, whose own moment is left out.', NAME);
}

/** A line for each row; before them, in CSV, the names of the columns. */
async function* linesOf(
  { columns }: ExportTable,
  rows: AsyncIterable<ExportRow>,
  isJson: boolean,
  count: { rows: number },
): AsyncGenerator<string> {
  if (!isJson) yield csvLine(columns);
  for await (const row of rows) {
    count.rows += 1;
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

function report(
  { terminal, values }: Invocation,
  written: { readonly name: ExportName; readonly out: string; readonly rows: number },
): void {
  const { name, out, rows } = written;
  if (values['json'] === true) terminal.json({ exported: name, rows, file: out });
  else {
    const what = rows === 1 ? name.slice(0, -1) : name;
    terminal.line(`${terminal.paint('green', '✓')} ${rows} ${what}: ${out}`);
  }
}
