import { maskNumber, passesLuhn, westernDigits } from './domain/outcome.ts';

/** The text in place of a value that is not stored. */
export const redacted = '[not kept]';

/** Groups of digits with single spaces or dashes between them, and no letter beside them. */
const runs = /(?<![\p{L}\p{N}_])\d+(?:[ -]\d+)*(?![\p{L}\p{N}_])/gu;
/** The words of an id end in digits by chance, so that they are put together with no others. */
const uuid = /(?<![\da-z])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-z])/gi;
/** How long the numbers of a card scheme are, by what they begin with. */
const schemes =
  /^(?:4\d{12}(?:\d{3}){0,2}|(?:5\d|6\d|35|96|97|2[2-7])\d{14}|3[47]\d{13}|3[0689]\d{12}|62\d{17})$/;
const fewestDigits = 13;
const mostDigits = 19;
/** A day and a time of day, which begin like one scheme's numbers do. */
const dated = /^2\d(?:0[1-9]|1[0-2])(?:[012]\d|3[01])\d+$/;

/**
 * The text with every card number reduced to its first six and last four digits. Only numbers of a
 * card scheme count, since the ids of shops hold others that pass the check digit by chance.
 */
export function withoutCardNumbers(text: string): string {
  const plain = westernDigits(text).replaceAll(uuid, (id) => 'x'.repeat(id.length));
  let clean = '';
  let at = 0;
  for (const { 0: run, index } of plain.matchAll(runs)) {
    if (run.length < fewestDigits) continue;
    for (const [start, end] of cardsIn(run)) {
      const digits = run.slice(start, end).replaceAll(/\D/g, '');
      clean += text.slice(at, index + start) + maskNumber(digits);
      at = index + end;
    }
  }
  return clean + text.slice(at);
}

/** Where card numbers are in a run: whole groups, from left to right, the most of them first. */
function cardsIn(run: string): [start: number, end: number][] {
  const groups = [...run.matchAll(/\d+/g)].map(({ 0: digits, index }) => ({
    start: index,
    end: index + digits.length,
  }));
  const found: [number, number][] = [];
  for (const [index, { start }] of groups.entries()) {
    if (start < (found.at(-1)?.[1] ?? 0)) continue;
    const near = groups.slice(index, index + mostDigits);
    const last = near.findLast(({ end }) => isCard(run.slice(start, end)));
    if (last !== undefined) found.push([start, last.end]);
  }
  return found;
}

function isCard(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '');
  return schemes.test(digits) && passesLuhn(digits) && !dated.test(text);
}

/** More of a text is not looked at, since no more of it can be left in the end. */
const longestRead = 4096;

/** Cut last: a card number that is cut in two is no longer found. */
function shortened(text: string, length = 255): string {
  return withoutCardNumbers(text.slice(0, longestRead)).slice(0, length);
}

/** Fields of the gateway's requests that say nothing about a person. */
const plainFields: ReadonlySet<string> = new Set(
  'merchantOrderId amount currency id sessionId transactionId active type status'.split(' '),
);

/** A return or webhook address may carry a token of the shop, so only its origin is stored. */
const addressFields: ReadonlySet<string> = new Set(['successUrl', 'failureUrl', 'url']);

/** The list names the allowed fields, so that an unexpected one of a merchant is never stored. */
export function redactRequest(body: unknown): Record<string, string | number | boolean | null> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {};
  const entries = Object.entries(body).map(([name, value]: [string, unknown]) => {
    const field = shortened(name, 64);
    if (addressFields.has(name)) return [field, originOf(value)] as const;
    return [field, plainFields.has(name) ? plainValue(value) : redacted] as const;
  });
  return Object.fromEntries(entries);
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
      const isPlain = plainReplyFields.has(name);
      // A list of texts, such as a validation's messages, is a value and not a structure.
      if (Array.isArray(inner) && inner.length > 0 && typeof inner[0] === 'string') {
        return [name, isPlain ? inner.map(plainValue) : redacted];
      }
      if (typeof inner === 'object' && inner !== null) return [name, redactReply(inner)];
      return [name, isPlain ? plainValue(inner) : redacted];
    }),
  );
}

/** An order's number is refused where it looks like a card's: a changed one would be another order's. */
const orderNumbers: ReadonlySet<string> = new Set(['merchantOrderId', 'number']);

/** No text of a stored command holds a card number. Order numbers stay as they are. */
export function withoutCardsInside<Value>(value: Value): Value {
  return stored(value) as Value;
}

function stored(value: unknown): unknown {
  if (typeof value === 'string') return withoutCardNumbers(value);
  if (Array.isArray(value)) return value.map(stored);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      orderNumbers.has(name) ? inner : stored(inner),
    ]),
  );
}
