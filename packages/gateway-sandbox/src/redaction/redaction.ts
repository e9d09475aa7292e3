import { withoutCardNumbers, withoutStrayCards } from './stray-cards.ts';

/** The text in place of a value that is not stored. */
export const redacted = '[not kept]';

/** More of a text is not looked at, since no more of it can be left in the end. */
const longestRead = 4096;

/** Fields of the gateway's bodies that say nothing about a person. */
const plainFields: ReadonlySet<string> = new Set([
  'merchantOrderId',
  'amount',
  'currency',
  'id',
  'sessionId',
  'transactionId',
  'active',
  'type',
  'status',
]);

/** A return or webhook address may carry a token of the shop, so only its origin is stored. */
const addressFields: ReadonlySet<string> = new Set(['successUrl', 'failureUrl', 'url']);

/**
 * The part of a request that may be stored. The list names the allowed fields, so that an
 * unexpected field of a merchant is never stored.
 */
export function redactRequest(body: unknown): Record<string, string | number | boolean | null> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {};
  const entries = Object.entries(body).map(([name, value]: [string, unknown]) => {
    const field = shortened(name, 64);
    if (addressFields.has(name)) return [field, originOf(value)] as const;
    if (!plainFields.has(name)) return [field, redacted] as const;
    return [field, plainValue(value)] as const;
  });
  return Object.fromEntries(entries);
}

/** Cut last: a card number that is cut in two is no longer found. */
function shortened(text: string, length = 255): string {
  return withoutCardNumbers(text.slice(0, longestRead)).slice(0, length);
}

function plainValue(value: unknown): string | number | boolean | null {
  if (typeof value === 'string') return shortened(value);
  if (typeof value === 'number') {
    return withoutCardNumbers(String(value)) === String(value) ? value : redacted;
  }
  return typeof value === 'boolean' || value === null ? value : redacted;
}

/** Scheme, host and port; an address with a name and a password before its host is not stored at all. */
function originOf(value: unknown): string {
  const origin =
    typeof value === 'string' ? /^https?:\/\/[^/?#\\@\s]+(?=[/?#]|$)/i.exec(value) : null;
  return origin === null ? redacted : `${shortened(origin[0])}/…`;
}

/** Fields of the gateway's answers that are neither secret nor about a person. */
const plainReplyFields: ReadonlySet<string> = new Set(
  (
    'amount code statusCode message error errorCode redirectUrl totalElements id status type ' +
    'transactionId transactionStatus paymentStatus refundStatus totalRefundAmount pan cardScheme ' +
    'merchantOrderId orderId currencyCode rrn createdAt finishedAt declineReason result action ' +
    'paymentId payment_id order_id trans_id card_brand decline_reason referenceId refundId ' +
    'environment expiresAt active'
  ).split(' '),
);

/** The part of an answer that may be shown again: a list of allowed fields, at every depth. */
export function redactReply(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redactReply);
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => {
      if (typeof inner === 'object' && inner !== null) return [name, redactInner(name, inner)];
      return [name, plainReplyFields.has(name) ? plainValue(inner) : redacted];
    }),
  );
}

/** A list of texts, such as a validation's messages, is a value and not a structure. */
function redactInner(name: string, inner: object): unknown {
  const isList =
    Array.isArray(inner) && inner.length > 0 && inner.every((one) => typeof one === 'string');
  if (!isList) return redactReply(inner);
  return plainReplyFields.has(name) ? inner.map(plainValue) : redacted;
}

/** An order's number is refused where it looks like a card's: a changed one would be another order's. */
const orderNumbers: ReadonlySet<string> = new Set(['merchantOrderId', 'number']);

/**
 * A command as it may be stored: no text of it holds a card number, whichever field a merchant or a
 * shopper put one into. Order numbers stay as they are.
 */
export function withoutStrayCardsInside<Value>(value: Value): Value {
  return stored(value) as Value;
}

function stored(value: unknown): unknown {
  if (typeof value === 'string') return withoutStrayCards(value);
  if (Array.isArray(value)) return value.map(stored);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      orderNumbers.has(name) ? inner : stored(inner),
    ]),
  );
}
