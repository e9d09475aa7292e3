import type { Store } from '../../stores/store.ts';
import type { Attempt } from '../../payments/attempt.ts';
import { takenOf } from '../../payments/document.ts';
import type { LedgerRow, PaymentRecord } from '../../payments/record.ts';
import { decimalOf } from '../../money.ts';
import { operationOf } from '../../flows/views.ts';
import { recordsChangedSince, recordsCreatedIn, type Span } from '../store-pages.ts';
import { refundsOf } from './refunds.ts';

/** A row by its columns; `null` for what there is not. */
export type ExportRow = Readonly<Record<string, string | null>>;

/** Rows that can be exported. */
export interface ExportTable {
  /** In their order; new ones come last. */
  readonly columns: readonly string[];
  /** The rows of a span, always in the same order. */
  rows(source: ExportSource): AsyncGenerator<ExportRow>;
}

/** What the rows are made of. */
export interface ExportSource {
  readonly store: Store<unknown>;
  readonly span: Span;
  /** Called about once a second with the number of payments read. */
  readonly progress: (read: number) => void;
}

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

const isIn = ({ since, until }: Span, at: number): boolean => at >= since && at < until;

/** What can be exported, by name. */
export const exportTables = {
  payments: {
    columns: [
      'createdAt',
      'orderId',
      'state',
      'amount',
      'taken',
      'refunded',
      'currency',
      'transactionId',
      'confirmedAt',
      'updatedAt',
    ],
    async *rows({ store, span, progress }) {
      for await (const record of recordsCreatedIn(store, span, progress)) yield paymentRow(record);
    },
  },
  transactions: {
    columns: [
      'recordedAt',
      'orderId',
      'transactionId',
      'kind',
      'amount',
      'taken',
      'refunded',
      'currency',
      'merchantOrderId',
    ],
    async *rows({ store, span, progress }) {
      for await (const record of recordsChangedSince(store, span.since, progress)) {
        for (const row of record.ledger) {
          if (isIn(span, row.recordedAt)) yield transactionRow(record, row);
        }
      }
    },
  },
  refunds: {
    columns: [
      'recordedAt',
      'orderId',
      'transactionId',
      'amount',
      'currency',
      'refundedSoFar',
      'merchantOrderId',
      'requestId',
      'operationId',
    ],
    async *rows({ store, span, progress }) {
      for await (const record of recordsChangedSince(store, span.since, progress)) {
        if (record.ledger.every((row) => row.refundedMinorUnits === 0)) continue;
        const { log } = await store.history(record.payment.orderId);
        for (const { at, row, amount, operations } of refundsOf(log)) {
          if (!isIn(span, at)) continue;
          const ids = operations.map(({ id }) => id);
          const requests = operations.map(({ requestId }) => requestId);
          yield {
            recordedAt: time(at),
            orderId: row.orderId,
            transactionId: row.transactionId,
            amount: decimalOf(amount),
            currency: row.amount.currency,
            refundedSoFar: decimalOf(row.refundedMinorUnits),
            merchantOrderId: nameOf(record.attempts, row.attemptNumber),
            requestId: requests.length === 0 ? null : requests.join(' '),
            operationId: ids.length === 0 ? null : ids.join(' '),
          };
        }
      }
    },
  },
  operations: {
    columns: [
      'createdAt',
      'sentAt',
      'updatedAt',
      'orderId',
      'kind',
      'state',
      'amount',
      'currency',
      'transactionId',
      'requestId',
      'operationId',
      'reference',
      'reason',
      'requestedBy',
      'approvedBy',
      'resolvedBy',
    ],
    async *rows({ store, span, progress }) {
      for await (const record of recordsChangedSince(store, span.since, progress)) {
        for (const operation of record.operations) {
          if (isIn(span, operation.createdAt)) yield { ...operationOf(operation) };
        }
      }
    },
  },
} satisfies Readonly<Record<string, ExportTable>>;

/** The name of a table. */
export type ExportName = keyof typeof exportTables;
