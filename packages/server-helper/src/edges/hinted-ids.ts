import { transactionId, type TransactionId } from '../ids.ts';
import { valueAt } from '../gateway/translation.ts';
import { wireId } from '../gateway/schemas/answer-fields.ts';

/**
 * The id of a transaction that a hint names, where a store can carry the text: the gateway may still know
 * no such transaction. A number says the same as its digits.
 */
export function hintedId(value: unknown): TransactionId | undefined {
  const id = Number.isSafeInteger(value) ? String(value) : value;
  const read = wireId.safeParse(id);
  return read.success ? transactionId(read.data) : undefined;
}

const NAMES = ['transactionId', 'trans_id', 'id'];

/** The ids that a gateway may have added to a return: to its address, or to what it posts there. */
export const idsInReturn = (query: URLSearchParams, posted: unknown): readonly TransactionId[] =>
  NAMES.flatMap((name) => [query.get(name), valueAt(posted, `/${name}`)]).flatMap(
    (value) => hintedId(value) ?? [],
  );
