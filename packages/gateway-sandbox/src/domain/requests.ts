import { createHash } from 'node:crypto';
import { withoutCardNumbers } from '../redaction.ts';
import { decliningCvv, findTestCard, plainDigits } from './outcome.ts';

/** Of a payment link: far above any order, far below the limit of exact doubles. */
const largestAmountMinor = 999_999_999_999;

/** The messages of rules that no section states, the least sure first, each with its tier. */
export const unstated = {
  likeCard: [
    'must not look like a card number: an order number is kept unchanged, a card number never; use another order number',
    'sandbox',
  ],
  amountsDiffer: ['must be equal to amount', 'sandbox'],
  unknownCurrency: ['must be an ISO 4217 code of a currency with two decimals', 'sandbox'],
  threeDecimals: ['is not supported, because amounts carry two decimals', 'assumed N23'],
  tooPrecise: ['must have at most two decimals', 'assumed N23'],
  aboveMinimum: ['amount must be greater than 0.01', 'contradiction X5'],
} as const;

/** A JSON number as whole minor units; the faults are the gateway's messages (§4.1). */
export function readAmount(value: unknown): Read<number> {
  if (typeof value !== 'number' || !Number.isFinite(value)) return { fault: 'must be a number' };
  if (value < 0.01) return { fault: 'must not be less than 0.01' };
  if (value > largestAmountMinor / 100) {
    return { fault: `must not be greater than ${formatAmount(largestAmountMinor)}` };
  }
  if (Number(value.toFixed(2)) !== value) return { fault: unstated.tooPrecise[0] };
  return { value: Math.round(value * 100) };
}

/** Minor units as the wire carries them: two decimals, no grouping (§2.2). */
export function formatAmount(minor: number): string {
  const digits = String(minor).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const threeDecimalCurrencies: ReadonlySet<string> = new Set(['KWD', 'BHD', 'OMR', 'JOD', 'TND']);

const defaultCurrency = 'SAR';

/** The currency of a request; a fault is the text behind the field's name (N23). */
function readCurrency(value: unknown): Read<string> {
  if (value === undefined || value === null) return { value: defaultCurrency };
  if (typeof value !== 'string' || !/^[A-Z]{3}$/.test(value)) {
    return { fault: 'must be an ISO 4217 code of three capital letters' };
  }
  if (threeDecimalCurrencies.has(value)) return { fault: `${value} ${unstated.threeDecimals[0]}` };
  return numericCodes.has(value) ? { value } : { fault: unstated.unknownCurrency[0] };
}

/** The numeric code that status rows carry as `currencyCode` (N6). */
export function numericCurrency(currency: string): string {
  return numericCodes.get(currency) ?? '000';
}

/**
 * The currencies of ISO 4217 that have two decimals, as of January 2026, with their numeric codes,
 * which status answers may bear. Currencies with none, three or four decimals are absent on purpose:
 * the gateway's amounts (§2.2, §4.1) cannot carry them.
 */
export const numericCodes: ReadonlyMap<string, string> = new Map(
  `
  AED784 AFN971 ALL008 AMD051 AOA973 ARS032 AUD036 AWG533 AZN944 BAM977 BBD052 BDT050 BMD060
  BND096 BOB068 BOV984 BRL986 BSD044 BTN064 BWP072 BYN933 BZD084 CAD124 CDF976 CHE947 CHF756
  CHW948 CNY156 COP170 COU970 CRC188 CUP192 CVE132 CZK203 DKK208 DOP214 DZD012 EGP818 ERN232
  ETB230 EUR978 FJD242 FKP238 GBP826 GEL981 GHS936 GIP292 GMD270 GTQ320 GYD328 HKD344 HNL340
  HTG332 HUF348 IDR360 ILS376 INR356 IRR364 JMD388 KES404 KGS417 KHR116 KPW408 KYD136 KZT398
  LAK418 LBP422 LKR144 LRD430 LSL426 MAD504 MDL498 MGA969 MKD807 MMK104 MNT496 MOP446 MRU929
  MUR480 MVR462 MWK454 MXN484 MXV979 MYR458 MZN943 NAD516 NGN566 NIO558 NOK578 NPR524 NZD554
  PAB590 PEN604 PGK598 PHP608 PKR586 PLN985 QAR634 RON946 RSD941 RUB643 SAR682 SBD090 SCR690
  SDG938 SEK752 SGD702 SHP654 SLE925 SOS706 SRD968 SSP728 STN930 SVC222 SYP760 SZL748 THB764
  TJS972 TMT934 TOP776 TRY949 TTD780 TWD901 TZS834 UAH980 USD840 USN997 UYU858 UZS860 VED926
  VES928 WST882 XAD396 XCD951 XCG532 YER886 ZAR710 ZMW967 ZWG924
  `
    .trim()
    .split(/\s+/)
    .map((code) => [code.slice(0, 3), code.slice(3)]),
);

const longestText = 255;
const longestUrl = 2048;

/** The value of a field, or the message of the gateway, which begins with the name of the field. */
export type Read<Value> = { readonly value: Value } | { readonly fault: string };
/** Reads a field; of an object, the messages are whole. */
export type Reader<Value> = (
  value: unknown,
) => Read<Value> | { readonly messages: readonly string[] };

/** A body, or all its faults, in the words of the gateway. */
export type ReadBody<Body> = { readonly value: Body } | { readonly messages: readonly string[] };

/** How a field is read; where the wire has another name for it than we have, that name first. */
type Field<Value> = Reader<Value> | readonly [nameOnWire: string, read: Reader<Value>];
type Shape = Readonly<Record<string, Field<unknown>>>;

type ValuesOf<Own extends Shape> = {
  readonly [Name in keyof Own]: Own[Name] extends Field<infer Value> ? Value : never;
};

/** Faults come in the order of the shape; `prefix` begins those of an object inside another. */
export function object<Own extends Shape>(shape: Own, prefix = ''): Reader<ValuesOf<Own>> {
  return (value) => {
    if (!isFields(value)) {
      return { fault: isAbsent(value) ? 'should not be empty' : 'must be an object' };
    }
    const values: Record<string, unknown> = {};
    const messages: string[] = [];
    for (const [ours, how] of Object.entries(shape)) {
      const [name, read] = typeof how === 'function' ? [ours, how] : how;
      const field = read(Object.hasOwn(value, name) ? value[name] : undefined);
      if ('fault' in field) messages.push(`${prefix}${name} ${field.fault}`);
      else if ('messages' in field) messages.push(...field.messages);
      else if (field.value !== undefined) values[ours] = field.value;
    }
    return messages.length > 0 ? { messages } : { value: values as ValuesOf<Own> };
  };
}

export function readBody<Value>(body: unknown, read: Reader<Value>): ReadBody<Value> {
  const result = isFields(body) ? read(body) : { fault: 'the request body must be a JSON object' };
  return 'fault' in result ? { messages: [result.fault] } : result;
}

/** Checks a field, and keeps nothing of it. */
function dropped(read: Reader<unknown>): Reader<undefined> {
  return (value) => {
    const result = read(value);
    return 'value' in result ? { value: undefined } : result;
  };
}

function anyText(value: unknown): Read<string> {
  return typeof value === 'string' ? { value } : { fault: 'must be a string' };
}

export function requiredText(value: unknown): Read<string> {
  if (isAbsent(value)) return { fault: 'should not be empty' };
  if (typeof value !== 'string') return anyText(value);
  if (value.trim() === '') return { fault: 'should not be empty' };
  return value.length > longestText
    ? { fault: `must be shorter than or equal to ${longestText} characters` }
    : { value };
}

/** Compared exactly by the merchant, so that one with a card number in it is refused, not masked. */
export function orderNumber(value: unknown): Read<string> {
  const read = requiredText(value);
  if ('fault' in read || withoutCardNumbers(read.value) === read.value) return read;
  return { fault: unstated.likeCard[0] };
}

/** A field that may be left out or empty. */
function optional<Value, const Otherwise>(
  read: (value: unknown) => Read<Value>,
  otherwise: Otherwise,
): (value: unknown) => Read<Value | Otherwise> {
  return (value) => (isAbsent(value) ? { value: otherwise } : read(value));
}

/** A name, which the page shows. */
const displayName = optional(requiredText, null);

const email = optional((value): Read<string> => {
  const isEmail =
    typeof value === 'string' &&
    value.length <= longestText &&
    /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/.test(value);
  return isEmail ? { value } : { fault: 'must be an email' };
}, null);

/** The key that replaces the customer's phone: a hash, so that the number is not stored. */
function phone(value: unknown): Read<string> {
  const read = requiredText(value);
  if ('fault' in read) return read;
  const international = readPhone(read.value);
  if (international === null) return { fault: 'must be a valid mobile number' };
  const digest = createHash('sha256').update(`sandbox customer ${international}`).digest();
  return { value: digest.toString('hex', 0, 8) };
}

/** The international digits of a mobile number in a form of N20; other countries' have 8 to 15. */
export function readPhone(text: string): string | null {
  const compact = text.replace(/[\s-]/g, '');
  if (!/^\+?\d{1,20}$/.test(compact)) return null;
  if (/^0(?!0)/.test(compact)) return /^05\d{8}$/.test(compact) ? `966${compact.slice(1)}` : null;
  const international = compact.replace(/^(\+|00)/, '');
  const isLocal = compact === international && international.startsWith('5');
  if (isLocal && /^5\d{8}$/.test(international)) return `966${international}`;
  if (isLocal && international.length < 10) return null;
  if (international.startsWith('966') && !/^9665\d{8}$/.test(international)) return null;
  return /^[1-9]\d{7,14}$/.test(international) ? international : null;
}

function webAddress(value: unknown): Read<string> {
  if (isAbsent(value)) return { fault: 'should not be empty' };
  return isWebAddress(value) ? { value } : { fault: 'must be an http or https URL' };
}

/** Whether a value is an http or https address of a length that is stored. */
export function isWebAddress(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length <= longestUrl &&
    /^https?:\/\/[^\s\\]+$/i.test(value) &&
    URL.canParse(value)
  );
}

function flag(value: unknown): Read<'Y' | 'N'> {
  return value === 'Y' || value === 'N' ? { value } : { fault: 'must be Y or N' };
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A valid create call. It keeps no e-mail, and of the phone a key, to find saved cards by. */
export interface LinkRequest {
  readonly merchantOrderId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly customerName: string | null;
  /** The key of the customer's phone; null when no phone is known. */
  readonly customerKey: string | null;
  readonly successUrl: string;
  readonly failureUrl: string;
}

/** A create call's body; faults come in the order of the specification's table (§4.1). */
export const linkBody = object({
  merchantOrderId: orderNumber,
  amountMinor: ['amount', readAmount],
  currency: readCurrency,
  customerName: displayName,
  customerEmail: dropped(email),
  customerKey: ['customerPhone', phone],
  successUrl: webAddress,
  failureUrl: webAddress,
});

/** The request of a valid sale (§4.4, N7), without its card. */
export interface SaleRequest extends LinkRequest {
  /** Y authorizes only, N takes the money at once. */
  readonly auth: 'Y' | 'N';
  readonly recurringInit: 'Y' | 'N';
}

const saleBody = object({
  merchantOrderId: ['orderId', orderNumber],
  amountMinor: ['amount', readAmount],
  currency: readCurrency,
  paymentMethod: dropped(cardOnly),
  auth: flag,
  recurringInit: optional(flag, 'N'),
  card: object(
    {
      number: cardNumber,
      expiryMonth: digitsLike(/^(?:0[1-9]|1[0-2])$/, 'must be 01 to 12'),
      expiryYear: digitsLike(/^(?:20)?\d{2}$/, 'must have two or four digits'),
      cvv: digitsLike(/^\d{3,4}$/, 'must have three or four digits'),
      holderName: dropped(displayName),
    },
    'card.',
  ),
  customer: ['customerDetails', object({ name: displayName, email, phone }, 'customerDetails.')],
  successUrl: webAddress,
  failureUrl: webAddress,
  hash: optional(anyText, null),
});

/** A hash has to be right (§4.4, N8). An expired card is for the issuer to decline. */
export function readSaleRequest(
  body: unknown,
  check: { readonly password: string; readonly isRequired: boolean },
) {
  const read = readBody(body, saleBody);
  if ('messages' in read) return read;
  const { card, customer, hash, ...sale } = read.value;
  const testCard = findTestCard(card.number);
  if (testCard === null) return { refusal: 'not-a-test-card' } as const;
  if (hash === null && check.isRequired) return { refusal: 'hash-missing' } as const;
  const expected = saleHash(customer.email ?? '', check.password, card.number);
  if (hash !== null && hash !== expected) return { refusal: 'hash-invalid' } as const;
  const request = { ...sale, customerName: customer.name, customerKey: customer.phone };
  const goodUntil = Date.UTC(2000 + Number(card.expiryYear.slice(-2)), Number(card.expiryMonth));
  const entry = { card: testCard, cvvDeclines: card.cvv === decliningCvv, goodUntil };
  return { value: { request, entry } };
}

function cardOnly(value: unknown): Read<string> {
  return value === 'card' ? { value } : { fault: 'must be card' };
}

function cardNumber(value: unknown): Read<string> {
  const digits = typeof value === 'string' ? plainDigits(value) : value;
  return digitsLike(/^\d{12,19}$/, 'must have 12 to 19 digits')(digits);
}

function digitsLike(pattern: RegExp, fault: string): (value: unknown) => Read<string> {
  return (value) => {
    const read = requiredText(value);
    if ('fault' in read) return read;
    return pattern.test(read.value) ? read : { fault };
  };
}

/**
 * N8: lower-case hex MD5 of UPPER(reverse(email) + password + reverse(first six + last four digits
 * of the card number)). Nothing is protected by it; it is what sibling gateways ask for.
 */
export function saleHash(payer: string, password: string, number: string): string {
  const card = number.slice(0, 6) + number.slice(-4);
  const text = reversed(payer) + password + reversed(card);
  return createHash('md5').update(text.toUpperCase()).digest('hex');
}

function reversed(text: string): string {
  return text.split('').toReversed().join('');
}

/** A refund or a capture (§4.3, §4.5). */
export const moveBody = object({
  transactionId: transactionName,
  amountMinor: ['amount', readAmount],
});

/** A void (§4.6). */
export const voidBody = object({ transactionId: transactionName });

const chargeBody = object({
  transactionId: requiredText,
  recurringToken: requiredText,
  amountMinor: ['amount', readAmount],
  order: object(
    {
      number: orderNumber,
      amountMinor: ['amount', readAmount],
      currency: requiredCurrency,
      description: dropped(requiredText),
    },
    'order.',
  ),
});

/** A recurring charge (§4.7); the two amounts in it have to be equal. */
export function recurringBody(body: unknown) {
  const read = chargeBody(body);
  return 'value' in read && read.value.order.amountMinor !== read.value.amountMinor
    ? { messages: [`order.amount ${unstated.amountsDiffer[0]}`] }
    : read;
}

/** The order of a charge names its currency (§2.6, §4.7); only a payment link has a default. */
function requiredCurrency(value: unknown): Read<string> {
  return isAbsent(value) ? { fault: 'should not be empty' } : readCurrency(value);
}

/** A payment id that comes as a number is an unknown id, like the same digits as text (§2.3). */
function transactionName(value: unknown): Read<string> {
  return requiredText(Number.isSafeInteger(value) ? String(value) : value);
}
