import { operationOf } from '../flows/views.ts';
import { transactionKey } from '../ids.ts';
import { decimalOf } from '../money.ts';
import type { Attempt } from '../payments/attempt.ts';
import { type AuditEntry, takenOf } from '../payments/document.ts';
import type { LedgerRow, Operation, PaymentRecord } from '../payments/record.ts';
import type { Store } from '../stores/store.ts';
import type { Span } from './command.ts';
import { type OnPage, recordsChangedSince, recordsCreatedIn } from './store-pages.ts';

/** A row by its columns; `null` for what there is not. */
export type ExportRow = Readonly<Record<string, string | null>>;

export interface ExportTable {
  /** What a row is, and whose moment the span is of. */
  readonly is: string;
  /** In their order; new ones come last. */
  readonly columns: readonly string[];
  /** The rows of one payment in a span. */
  rows(record: PaymentRecord, span: Span, store: Store<unknown>): Rows | Promise<Rows>;
}

type Rows = readonly ExportRow[];

const time = (at: number): string => new Date(at).toISOString();

const sum = (amounts: readonly number[]): string =>
  decimalOf(amounts.reduce((total, amount) => total + amount, 0));

const nameOf = (attempts: readonly Attempt[], wanted: number): string | null =>
  attempts.find(({ number }) => number === wanted)?.merchantOrderId ?? null;

function paymentRow(record: PaymentRecord): ExportRow {
  const { payment, ledger } = record;
  const paidBy = ledger.find(({ transactionId }) => transactionId === payment.transactionId);
  return {
    createdAt: time(payment.createdAt),
    orderId: payment.orderId,
    state: payment.state,
    amount: decimalOf(payment.amount.minorUnits),
    taken: sum(ledger.map((row) => takenOf(record.payment, row))),
    refunded: sum(ledger.map((row) => row.refundedMinorUnits)),
    currency: payment.amount.currency,
    transactionId: payment.transactionId,
    confirmedAt: paidBy === undefined ? null : time(paidBy.recordedAt),
    updatedAt: time(payment.updatedAt),
  };
}

function transactionRow(record: PaymentRecord, row: LedgerRow): ExportRow {
  return {
    recordedAt: time(row.recordedAt),
    orderId: row.orderId,
    transactionId: row.transactionId,
    kind: row.kind,
    amount: decimalOf(row.amount.minorUnits),
    taken: decimalOf(takenOf(record.payment, row)),
    refunded: decimalOf(row.refundedMinorUnits),
    currency: row.amount.currency,
    merchantOrderId: nameOf(record.attempts, row.attemptNumber),
  };
}

/** A refund as evidence first showed it: what it added to the total of its transaction. */
export interface ShownRefund {
  readonly at: number;
  /** The transaction afterwards. */
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

const named = (text: string): readonly string[] => text.split(' ');

/** What can be exported, by name. */
export const exportTables = {
  payments: {
    is: 'one row an order, the latest created first; the span is of their creation. Taken and refunded are of all transactions of the order',
    columns: named(
      'createdAt orderId state amount taken refunded currency transactionId confirmedAt updatedAt',
    ),
    rows: (record) => [paymentRow(record)],
  },
  transactions: {
    is: 'one row for money that came or is held; the span is of the moment when the gateway’s word was recorded',
    columns: named(
      'recordedAt orderId transactionId kind amount taken refunded currency merchantOrderId',
    ),
    rows: (record, span) =>
      record.ledger
        .filter((row) => isIn(span, row.recordedAt))
        .map((row) => transactionRow(record, row)),
  },
  refunds: {
    is: 'one row for each amount that the gateway showed as refunded, also one refunded on its dashboard; the span is of that moment',
    columns: named(
      'recordedAt orderId transactionId amount currency refundedSoFar merchantOrderId requestId operationId',
    ),
    rows: refundRows,
  },
  operations: {
    is: 'one row a refund, capture, void, charge or sale that was asked for; the span is of that moment',
    columns: named(
      'createdAt sentAt updatedAt orderId kind state amount currency transactionId requestId operationId reference reason requestedBy approvedBy resolvedBy',
    ),
    rows: ({ operations }, span) =>
      operations
        .filter(({ createdAt }) => isIn(span, createdAt))
        .map((operation) => ({ ...operationOf(operation) })),
  },
} satisfies Readonly<Record<string, ExportTable>>;

export type ExportName = keyof typeof exportTables;

/** The rows of a span, always in the same order. */
export async function* rowsOf(
  name: ExportName,
  store: Store<unknown>,
  span: Span,
  onPage?: OnPage,
): AsyncGenerator<ExportRow> {
  const table: ExportTable = exportTables[name];
  const records =
    name === 'payments'
      ? recordsCreatedIn(store, span, onPage)
      : recordsChangedSince(store, span.since, onPage);
  for await (const record of records) yield* await table.rows(record, span, store);
}
