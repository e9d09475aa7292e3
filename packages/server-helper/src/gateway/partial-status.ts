import { GatewayError } from './gateway-error.ts';
import type { Status, Transaction } from './schemas/status.ts';

/**
 * What could be read of status answers that were not whole: fewer rows than the gateway counts, or a
 * row that nobody can read. It stands beside the answer, or beside the error, and not in them: a row
 * that says paid is the gateway's word whatever is missing, and the engine may not lose it.
 */
const parts = new WeakMap<Status | GatewayError, readonly Transaction[]>();

/** How many rows of an answer may be money and cannot be read; nothing of what they hold. */
const unreadableMoney = new WeakMap<Status | GatewayError, number>();

/** Answers that an error could not read, as they came. */
const unread = new WeakMap<GatewayError, unknown>();

/** Bodies whose envelope an error could not open, as they came. */
const unopened = new WeakMap<GatewayError, unknown>();

/** Notes a body whose envelope is not as specified: nothing in it is the gateway's word. */
export function keepUnopened(error: GatewayError, body: unknown): GatewayError {
  unopened.set(error, body);
  return error;
}

/** The body whose envelope an error could not open. */
export const unopenedOf = (error: GatewayError): unknown => unopened.get(error);

/** Notes what an error could not read. */
export function keepUnread(error: GatewayError, data: unknown): GatewayError {
  unread.set(error, data);
  return error;
}

/** What an error could not read, as it came. */
export function unreadOf(error: unknown): unknown {
  return error instanceof GatewayError ? unread.get(error) : undefined;
}

/** Notes that these are not all of the rows. */
export function keepPart(
  holder: Status | GatewayError,
  rows: readonly Transaction[],
  unreadable = 0,
): void {
  parts.set(holder, rows);
  unreadableMoney.set(holder, unreadable);
}

/** How many rows beside those that could be read may be money. */
export const unreadableMoneyOf = (holder: Status | GatewayError): number =>
  unreadableMoney.get(holder) ?? 0;

/** The rows that could be read, where they are not all; `undefined` of a whole answer. */
export function partOf(holder: Status | GatewayError): readonly Transaction[] | undefined {
  return parts.get(holder);
}
