import { transactionKey } from '../../ids.ts';
import type { PaymentRecord } from '../../payments/payment-record.ts';
import type { StoredFacts } from '../commit-rules.ts';

/** What a memory store knows of an order and its keys before a commit. */
export function factsOf(
  records: readonly PaymentRecord[],
  before: PaymentRecord | null,
): StoredFacts {
  const orderWith = (has: (record: PaymentRecord) => boolean): string | undefined =>
    records.find(has)?.payment.orderId;
  return {
    version: before?.payment.version ?? 0,
    orderOfTransaction: (wanted) =>
      orderWith(({ ledger }) =>
        ledger.some(({ transactionId }) => transactionKey(transactionId) === wanted),
      ),
    orderOfOperation: (wanted) =>
      orderWith(({ operations }) => operations.some(({ id }) => id === wanted)),
  };
}

/** @throws where a database has a unique key: on the sessions, and on an order's one payment. */
export function refuseDoubled(
  records: readonly PaymentRecord[],
  { payment, attempts, ledger }: PaymentRecord,
): void {
  const others = records.filter((one) => one.payment.orderId !== payment.orderId);
  const sessions = [...attempts, ...others.flatMap((one) => one.attempts)].flatMap(
    ({ sessionId }) => sessionId ?? [],
  );
  const payments = ledger.filter(({ kind }) => kind === 'payment' || kind === 'late');
  if (new Set(sessions).size < sessions.length || payments.length > 1) {
    throw new Error(
      `The order ${payment.orderId} would have a second payment or another's session.`,
    );
  }
}
