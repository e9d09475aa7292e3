import { transactionKey } from '../ids.ts';
import { requestOperationId } from '../payments/operation.ts';

/** Of the orders whose ids begin with a text, a search looks at so many. */
export const MAX_BEGUN = 1_000;

/** Everything that the text of a search may name. */
export interface SearchTerms {
  /** The order of this id, or of an attempt of this name. */
  readonly orderId: string;
  /** Beginnings of order ids: the text as it is, in capitals and in small letters. */
  readonly beginnings: readonly string[];
  /** The key of a transaction, and a gateway's reference, which compare without case as well. */
  readonly key: string;
  readonly sessionId: string;
  readonly operationIds: readonly string[];
}

/** What a text that a person wrote into a search may be. */
export function termsOf(text: string): SearchTerms {
  // An order id has no `~`, so a text with one can only be the name of an attempt or a charge.
  const [orderId = '', ...rest] = text.split('~');
  const beginnings = [text, text.toUpperCase(), text.toLowerCase()];
  return {
    orderId,
    beginnings: rest.length > 0 ? [] : [...new Set(beginnings)],
    key: transactionKey(text),
    sessionId: text,
    operationIds: [text, requestOperationId(text)],
  };
}
