import type { GatewayError } from './gateway-error.ts';
import type { Status, Transaction } from './schemas/status.ts';

/** The readable part of a status answer that is not whole. */
interface PartialStatus {
  readonly transactions: readonly Transaction[];
  /** How many further rows may be money and cannot be read. */
  readonly unreadableMoney: number;
}

/**
 * The readable rows of answers that lack rows, by the answer or by the error that they led to. A row
 * that says paid is the gateway's word even if another row is missing, so the engine needs it; a
 * caller of the client gets the error alone.
 */
const parts = new WeakMap<Status | GatewayError, PartialStatus>();

/** Notes the rows that could be read. */
export function notePart(
  holder: Status | GatewayError,
  transactions: readonly Transaction[],
  unreadableMoney = 0,
): void {
  parts.set(holder, { transactions, unreadableMoney });
}

/** How many rows may be money and cannot be read. */
export const unreadableMoneyOf = (holder: Status | GatewayError): number =>
  parts.get(holder)?.unreadableMoney ?? 0;

/** The rows that could be read; `undefined` for a whole answer. */
export const partOf = (holder: Status | GatewayError): readonly Transaction[] | undefined =>
  parts.get(holder)?.transactions;
