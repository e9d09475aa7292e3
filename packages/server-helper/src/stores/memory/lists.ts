import { transactionKey } from '../../ids.ts';
import type { PaymentRecord } from '../../payments/payment-record.ts';
import { latestFirst, type PaymentPage, type PaymentPosition } from '../payment-page.ts';
import { MAX_BEGUN, termsOf } from '../payment-search.ts';
import type { OrderPage } from '../store.ts';

/** Reads a page of payments. */
export function listPayments(
  records: readonly PaymentRecord[],
  { states, since, below, limit, minorUnits, search }: PaymentPage,
): readonly PaymentPosition[] {
  const found = search === undefined ? records : namedBy(records, search);
  return found
    .map(({ payment }) => payment)
    .filter(
      ({ state, createdAt, amount }) =>
        states.includes(state) &&
        createdAt >= since &&
        (minorUnits === undefined || amount.minorUnits === minorUnits),
    )
    .filter((payment) => latestFirst(below, payment) < 0)
    .toSorted(latestFirst)
    .slice(0, limit);
}

function namedBy(records: readonly PaymentRecord[], search: string): readonly PaymentRecord[] {
  const terms = termsOf(search);
  const begun = terms.beginnings.flatMap((beginning) =>
    byOrderId(records.filter(({ payment }) => payment.orderId.startsWith(beginning))).slice(
      -MAX_BEGUN,
    ),
  );
  const named = records.filter(
    ({ payment, attempts, ledger, operations }) =>
      payment.orderId === terms.orderId ||
      attempts.some(({ sessionId }) => sessionId === terms.sessionId) ||
      ledger.some(({ transactionId }) => transactionKey(transactionId) === terms.key) ||
      operations.some(
        ({ id, reference }) =>
          terms.operationIds.includes(id) || transactionKey(reference ?? '') === terms.key,
      ),
  );
  return [...new Set([...begun, ...named])];
}

const byOrderId = (records: readonly PaymentRecord[]): readonly PaymentRecord[] =>
  records.toSorted((a, b) => (a.payment.orderId < b.payment.orderId ? -1 : 1));

/** Reads a page of orders. */
export const listOrders = (
  records: readonly PaymentRecord[],
  { after, since, limit }: OrderPage,
): readonly string[] =>
  byOrderId(records.filter(({ payment }) => payment.updatedAt >= since))
    .map(({ payment }) => payment.orderId)
    .filter((orderId) => orderId > (after ?? ''))
    .slice(0, limit);
