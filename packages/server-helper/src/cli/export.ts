import { csvLine } from '../text.ts';
import type { Attempt, AuditEntry, LedgerRow, Operation, PaymentRecord, Store } from '../index.ts';
import { operationOf, takenOf } from '../parts.ts';
import { transactionKey } from '../ids.ts';
import { decimalOf } from '../money.ts';
import { type Command, onlyWord, type Span, spanOf, UsageError } from './command.ts';
import { type OnPage, recordsChangedSince, recordsCreatedIn, withStore } from './shop.ts';
import { type ExportName, exportTexts } from './definitions.ts';

const BLOCK_LENGTH = 32_768;

export const exportRows: Command = async (invocation) => {
  const { terminal, values, isJson, words } = invocation;
  const names = Object.keys(exportTexts) as readonly ExportName[];
  const advice = `Name one of ${names.join(', ')}, as in: pay-button export transactions`;
  const word = onlyWord(words, advice);
  const name = names.find((one) => one === word);
  if (name === undefined) throw new UsageError(advice);
  const span = spanOf(values);
  return withStore(invocation, async ({ store }) => {
    const rows = rowsOf(name, store, span, (read) => {
      terminal.progress(`${read} payments read`, true);
    });
    await terminal.stream(blocksOf(columnsOf(name), rows, isJson));
    terminal.endProgress();
    return 0;
  });
};

/** A line for each row, in CSV below the columns’ names; in long texts, each a call of the system. */
async function* blocksOf(
  columns: readonly string[],
  rows: AsyncIterable<ExportRow>,
  isJson: boolean,
): AsyncGenerator<string> {
  let block = isJson ? '' : csvLine(columns);
  for await (const row of rows) {
    const cells = columns.map((column) => [column, row[column] ?? null] as const);
    block += isJson
      ? `${JSON.stringify(Object.fromEntries(cells))}\n`
      : csvLine(cells.map(([, cell]) => cell ?? ''));
    if (block.length < BLOCK_LENGTH) continue;
    yield block;
    block = '';
  }
  yield block;
}

/** A row by its columns; `null` for what there is not. */
export type ExportRow = Readonly<Record<string, string | null>>;

type Rows = readonly ExportRow[];

const time = (at: number): string => new Date(at).toISOString();

const sum = (amounts: readonly number[]): string =>
  decimalOf(amounts.reduce((total, amount) => total + amount, 0));

const nameOf = (attempts: readonly Attempt[], wanted: number): string | null =>
  attempts.find(({ number }) => number === wanted)?.merchantOrderId ?? null;

/** A refund as evidence first showed it: what it added to the total of its transaction. */
export interface ShownRefund {
  readonly at: number;
  readonly row: LedgerRow;
  readonly amount: number;
  /** Our own refunds that the same evidence ended; none for one that was made elsewhere. */
  readonly operations: readonly Operation[];
}

/** The refunds in an order's log, oldest first. Their sum is what its ledger shows as refunded. */
export function refundsOf(log: readonly AuditEntry[]): readonly ShownRefund[] {
  const totals = new Map<string, number>();
  const found: ShownRefund[] = [];
  for (const entry of log) {
    if (entry.kind !== 'change') continue;
    for (const row of entry.change.ledger) {
      const key = transactionKey(row.transactionId);
      const amount = row.refundedMinorUnits - (totals.get(key) ?? 0);
      totals.set(key, row.refundedMinorUnits);
      if (amount <= 0) continue;
      const operations = entry.change.operations.filter(
        ({ kind, state, transactionId }) =>
          kind === 'refund' &&
          state === 'succeeded' &&
          transactionId !== null &&
          transactionKey(transactionId) === key,
      );
      found.push({ at: entry.at, row, amount, operations });
    }
  }
  return found;
}

async function refundRows(
  { payment, attempts, ledger }: PaymentRecord,
  span: Span,
  store: Store<unknown>,
): Promise<Rows> {
  if (ledger.every((row) => row.refundedMinorUnits === 0)) return [];
  const { log } = await store.history(payment.orderId);
  const inSpan = refundsOf(log).filter(({ at }) => isIn(span, at));
  return inSpan.map(({ at, row, amount, operations }) => ({
    recordedAt: time(at),
    orderId: row.orderId,
    transactionId: row.transactionId,
    amount: decimalOf(amount),
    currency: row.amount.currency,
    refundedSoFar: decimalOf(row.refundedMinorUnits),
    merchantOrderId: nameOf(attempts, row.attemptNumber),
    requestId: operations.map(({ requestId }) => requestId).join(' ') || null,
    operationId: operations.map(({ id }) => id).join(' ') || null,
  }));
}

const isIn = ({ since, until }: Span, at: number): boolean => at >= since && at < until;

type RowsOf = (record: PaymentRecord, span: Span, store: Store<unknown>) => Rows | Promise<Rows>;

const rowsOfRecord: Readonly<Record<ExportName, RowsOf>> = {
  payments: ({ payment, ledger }) => {
    const paidBy = ledger.find(({ transactionId }) => transactionId === payment.transactionId);
    const row = {
      createdAt: time(payment.createdAt),
      orderId: payment.orderId,
      state: payment.state,
      amount: decimalOf(payment.amount.minorUnits),
      taken: sum(ledger.map((one) => takenOf(payment, one))),
      refunded: sum(ledger.map((one) => one.refundedMinorUnits)),
      currency: payment.amount.currency,
      transactionId: payment.transactionId,
      confirmedAt: paidBy === undefined ? null : time(paidBy.recordedAt),
      updatedAt: time(payment.updatedAt),
    };
    return [row];
  },
  transactions: ({ payment, attempts, ledger }, span) =>
    ledger
      .filter((row) => isIn(span, row.recordedAt))
      .map((row) => ({
        recordedAt: time(row.recordedAt),
        orderId: row.orderId,
        transactionId: row.transactionId,
        kind: row.kind,
        amount: decimalOf(row.amount.minorUnits),
        taken: decimalOf(takenOf(payment, row)),
        refunded: decimalOf(row.refundedMinorUnits),
        currency: row.amount.currency,
        merchantOrderId: nameOf(attempts, row.attemptNumber),
      })),
  refunds: refundRows,
  operations: ({ operations }, span) =>
    operations
      .filter(({ createdAt }) => isIn(span, createdAt))
      .map((operation) => ({ ...operationOf(operation) })),
};

export const columnsOf = (name: ExportName): readonly string[] =>
  exportTexts[name].columns.split(' ');

/** The rows of a span, always in the same order. */
export async function* rowsOf(
  name: ExportName,
  store: Store<unknown>,
  span: Span,
  onPage?: OnPage,
): AsyncGenerator<ExportRow> {
  const records =
    name === 'payments'
      ? recordsCreatedIn(store, span, onPage)
      : recordsChangedSince(store, span.since, onPage);
  for await (const record of records) yield* await rowsOfRecord[name](record, span, store);
}
