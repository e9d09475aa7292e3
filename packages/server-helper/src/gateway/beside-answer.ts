import type { TransactionId } from '../ids.ts';
import type { GatewayError } from './gateway-error.ts';
import type { Status, Transaction } from './schemas/status.ts';

/** A status answer that is not whole: the rows that could be read, and what is lacking. */
interface PartialStatus {
  readonly transactions: readonly Transaction[];
  /** Further rows that may be money and cannot be read, by transaction where that can be read. */
  readonly unreadable: readonly (TransactionId | null)[];
  /** How many rows the gateway counts more than it sent. */
  readonly missing: number;
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
  { unreadable = [], missing = 0 }: Partial<PartialStatus> = {},
): void {
  parts.set(holder, { transactions, unreadable, missing });
}

const refusals = new WeakSet<GatewayError>();

/** Notes that an answer refused its question alone. */
export const noteRefusedQuestion = (error: GatewayError): void => void refusals.add(error);

export const isRefusedQuestion = (error: GatewayError): boolean => refusals.has(error);

/** What is lacking in an answer; `undefined` for a whole one. */
export const lackOf = (holder: Status | GatewayError): PartialStatus | undefined =>
  parts.get(holder);

const answering = new WeakMap<object, readonly string[]>();

/** Notes which API keys' accounts gave an answer, or did not know what they were asked about, by their marks. */
export const noteKeys = (holder: object, keys: readonly string[]): void =>
  void answering.set(holder, keys);

/** Options of a question about what some API keys made, by their marks: these accounts are asked first. */
export function madeBy(keys: readonly string[] = []): object {
  const options = {};
  noteKeys(options, keys);
  return options;
}

/** Marks of the API keys whose accounts gave an answer, or are asked first by a call with such options. */
export const keysOf = (holder: object): readonly string[] => answering.get(holder) ?? [];
