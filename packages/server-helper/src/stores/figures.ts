import { isCurrency, type Currency } from '../money.ts';
import type { Movement } from '../payments/payment-record.ts';
import type { PaymentState } from '../payments/payment.ts';
import type { Placeholder } from './overview-sql.ts';
import { optionalWhole, text, whole, type Row } from './rows.ts';

/** Milliseconds since the epoch: from the first, included, to the second, not included. */
export interface FigureSpan {
  readonly from: number;
  readonly to: number;
}

/** Movements that are alike, added up; a store may give those of one kind in several parts. */
export interface MovedMoney extends Pick<
  Movement,
  'kind' | 'currency' | 'minorUnits' | 'confirmMs'
> {
  /** How many there were. */
  readonly count: number;
}

/** Payments that were created in a span and are in one state now. */
export interface CreatedPayments {
  readonly state: PaymentState;
  readonly count: number;
}

/** What the store has of a span. The work is that of reading its movements and its payments. */
export interface SpanFigures {
  readonly moved: readonly MovedMoney[];
  readonly created: readonly CreatedPayments[];
}

/** Authorizations that are neither captured nor voided, in one currency. */
export interface HeldMoney {
  readonly currency: Currency;
  readonly minorUnits: number;
  readonly count: number;
}

/** The movements of a span. The values are its two ends. */
export const movedStatement = (at: Placeholder): string => `
  SELECT kind, currency, confirm_ms, SUM(amount) AS amount, COUNT(*) AS count FROM pay_movements
  WHERE recorded_at >= ${at(1)} AND recorded_at < ${at(2)} GROUP BY kind, currency, confirm_ms`;

/** How many payments of one state were created in a span. The values are its two ends. */
export const createdStatement = (at: Placeholder, state: string): string => `
  SELECT COUNT(*) AS count FROM pay_payments
  WHERE state = ${state} AND created_at >= ${at(1)} AND created_at < ${at(2)}`;

/** Of the oldest authorizations, at most the given number. */
export const heldStatement = (at: Placeholder): string => `
  SELECT currency, SUM(amount) AS amount, COUNT(*) AS count FROM (
    SELECT currency, amount FROM pay_payments WHERE state = 'authorized'
    ORDER BY created_at LIMIT ${at(1)}) AS oldest GROUP BY currency`;

/** Reads movements that were added up. */
export const movedOf = (row: Row): MovedMoney => ({
  kind: text(row, 'kind') as Movement['kind'],
  confirmMs: optionalWhole(row, 'confirm_ms'),
  ...heldOf(row),
});

/** Reads how many payments were created. */
export const createdOf = (row: Row): CreatedPayments => ({
  state: text(row, 'state') as PaymentState,
  count: whole(row, 'count'),
});

/** Reads what is held. */
export function heldOf(row: Row): HeldMoney {
  const currency = text(row, 'currency');
  if (!isCurrency(currency)) throw new Error('The store holds an unknown currency.');
  return { currency, minorUnits: whole(row, 'amount'), count: whole(row, 'count') };
}
