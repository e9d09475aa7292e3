import type { TransactionId } from '../ids.ts';
import type { GatewayError } from './gateway-error.ts';
import type { Status, Transaction } from './schemas/status.ts';

/** What is lacking in a status answer that is not whole. */
interface Lack {
  /** Further rows that may be money and cannot be read, by transaction where that can be read. */
  readonly unreadable: readonly (TransactionId | null)[];
  /** How many rows the gateway counts more than it sent. */
  readonly missing: number;
}

/** A status answer that is not whole. */
interface PartialStatus extends Lack {
  readonly transactions: readonly Transaction[];
}

/**
 * The readable rows of answers that lack rows, by the answer or by the error that they led to. A row
 * that says paid is the gateway's word even if another row is missing, so the engine needs it; a
 * caller of the client gets the error alone.
 */
const parts = new WeakMap<Status | GatewayError, PartialStatus>();

/** Notes the rows that could be read, and what is lacking beside them. */
export function notePart(
  holder: Status | GatewayError,
  transactions: readonly Transaction[],
  { unreadable = [], missing = 0 }: Partial<Lack> = {},
): void {
  parts.set(holder, { transactions, unreadable, missing });
}

/** What is lacking in an answer; `undefined` for a whole one. */
export const lackOf = (holder: Status | GatewayError): Lack | undefined => parts.get(holder);

/** The rows that could be read; `undefined` for a whole answer. */
export const partOf = (holder: Status | GatewayError): readonly Transaction[] | undefined =>
  parts.get(holder)?.transactions;
