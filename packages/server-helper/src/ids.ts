import { PaymentsError } from './errors.ts';

declare const brand: unique symbol;

/** A string that only its own constructor makes, so that ids of different kinds cannot be mixed up. */
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** The checkout session's id, from create-payment-link (§2.1). Never a transaction's id. */
export type SessionId = Branded<'SessionId'>;

/** The gateway transaction's UUID, from a status answer (§2.3). Never a session's id. */
export type TransactionId = Branded<'TransactionId'>;

/** What one attempt is called at the gateway: `<orderId>~<n>`, unique per payment (§4.1). */
export type MerchantOrderId = Branded<'MerchantOrderId'>;

/** Each takes an id from our store or a decoded answer. */
export const sessionId = (text: string): SessionId => text as SessionId;
export const transactionId = (text: string): TransactionId => text as TransactionId;
export const merchantOrderId = (text: string): MerchantOrderId => text as MerchantOrderId;

/**
 * The key under which transactions are compared. A UUID in another case is the same transaction, and
 * a gateway may write one in either case; the spelling that came first is stored and sent back. Only
 * ASCII letters are folded, as both databases do.
 */
export const transactionKey = (id: string): string =>
  id.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** The name of an order's n-th attempt. `~` cannot occur in an order id, so it splits one way only. */
export const attemptName = (orderId: string, attemptNumber: number): MerchantOrderId =>
  merchantOrderId(`${orderId}~${attemptNumber}`);

/** The number of an order's recurring charge. No link has such a name: an attempt's ends in digits alone. */
export const chargeName = (orderId: string, periodKey: string): string =>
  `${orderId}~r-${periodKey}`;

const ORDER_ID = /^[A-Za-z0-9][A-Za-z0-9._:@+-]{0,99}$/;

const ATTEMPT_NAME = /^[A-Za-z0-9][A-Za-z0-9._:@+-]{0,99}~[1-9]\d{0,8}$/;

/** Whether a text from outside has the form of an order's id; the order may not exist. */
export const isOrderId = (text: unknown): text is string =>
  typeof text === 'string' && ORDER_ID.test(text);

/** Whether a text from outside has the form of an attempt's name; the attempt may not exist. */
export const isMerchantOrderId = (text: unknown): text is MerchantOrderId =>
  typeof text === 'string' && ATTEMPT_NAME.test(text);

/** A name of ours: quotes and spaces around it, or a `~` in percents, make it no number of the gateway's own. */
const NAME_WITHIN =
  /^[\s"'\uFFFD]*([A-Za-z0-9][A-Za-z0-9._:@+-]{0,99})(?:~|%7[Ee])([1-9]\d{0,8})[\s"'\uFFFD]*$/u;

/** The name of ours in a text from outside. Any other text is the gateway's own, and contradicts nothing. */
export function nameIn(text: unknown): MerchantOrderId | undefined {
  const [, orderId = '', number] = (typeof text === 'string' && NAME_WITHIN.exec(text)) || [];
  return number === undefined ? undefined : attemptName(orderId, Number(number));
}

/** Whether a text from outside names another attempt than this one, however its name is written. */
export const isOfOther = (text: unknown, name: MerchantOrderId): boolean =>
  (nameIn(text) ?? name) !== name;

/** The order and the number in an attempt's name; `null` for a text of another form. */
export function attemptOfName(name: MerchantOrderId) {
  if (!isMerchantOrderId(name)) return null;
  const end = name.indexOf('~');
  return { orderId: name.slice(0, end), attemptNumber: Number(name.slice(end + 1)) };
}

/**
 * Checks an order id before it reaches a store, an address or the gateway.
 *
 * @throws {@link PaymentsError} `invalid_order` unless it has 1 to 100 characters of
 * `A-Z a-z 0-9 . _ : @ + -` and starts with a letter or digit.
 */
export function checkOrderId(orderId: unknown): string {
  if (isOrderId(orderId)) return orderId;
  throw new PaymentsError(
    'invalid_order',
    'The order id must have 1 to 100 characters of A-Z a-z 0-9 . _ : @ + - and start with a letter or digit.',
    { field: 'orderId' },
  );
}
