import { createHash } from 'node:crypto';
import { defaultCurrency, readCurrency } from './amount.ts';
import {
  amount,
  displayName,
  email,
  flag,
  isAbsent,
  orderNumber,
  phone,
  readBody,
  requiredText,
  webAddress,
} from './body-fields.ts';
import type { BodyFields, Read, ReadBody } from './body-fields.ts';
import { decliningCvv, findTestCard, plainDigits } from './cards.ts';
import type { CardEntry } from './cards.ts';

/**
 * The request of a valid create call. The e-mail address is checked and dropped, since the sandbox
 * does not need it. Only a key of the phone number remains, by which the saved cards of a customer
 * are found again.
 */
export interface LinkRequest {
  readonly merchantOrderId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly customerName: string | null;
  readonly customerKey: string | null;
  readonly successUrl: string;
  readonly failureUrl: string;
}

/** Checks a create call's body; faults come in the order of the specification's table (§4.1). */
export function readLinkRequest(body: unknown): ReadBody<LinkRequest> {
  return readBody(body, (fields) => {
    const merchantOrderId = fields.take('merchantOrderId', orderNumber, '');
    const amountMinor = fields.take('amount', amount, 0);
    const currency = fields.take('currency', readCurrency, defaultCurrency);
    const customerName = fields.take('customerName', displayName, null);
    fields.take('customerEmail', email, null);
    const customerKey = fields.take('customerPhone', phone, '');
    const successUrl = fields.take('successUrl', webAddress, '');
    const failureUrl = fields.take('failureUrl', webAddress, '');
    const customer = { customerName, customerKey };
    return { merchantOrderId, amountMinor, currency, ...customer, successUrl, failureUrl };
  });
}

/** The request of a valid sale (§4.4, N7), without its card. */
export interface SaleRequest extends LinkRequest {
  /** Y authorizes only, N takes the money at once. */
  readonly auth: 'Y' | 'N';
  readonly recurringInit: 'Y' | 'N';
}

/** Why a sale is refused before anything is charged. */
export type SaleFault =
  | { readonly messages: string[] }
  | { readonly refusal: 'not-a-test-card' | 'hash-missing' | 'hash-invalid' };

/**
 * Checks a sale's body. No page asks for this card, so the issuer declines an expired one. A hash
 * has to be right (§4.4, N8), and where it is required it has to be there.
 */
export function readSaleRequest(
  body: unknown,
  check: { readonly password: string; readonly isRequired: boolean },
): { request: SaleRequest; entry: CardEntry } | SaleFault {
  const read = readBody(body, readSale);
  if ('messages' in read) return read;
  const { request, card, customerEmail, hash } = read.request;
  const testCard = findTestCard(card.number);
  if (testCard === null) return { refusal: 'not-a-test-card' };
  if (hash === null && check.isRequired) return { refusal: 'hash-missing' };
  const expected = saleHash(customerEmail ?? '', check.password, card.number);
  if (hash !== null && hash !== expected) return { refusal: 'hash-invalid' };
  const goodUntil = Date.UTC(card.year, card.month);
  return { request, entry: { card: testCard, cvvDeclines: card.cvv === decliningCvv, goodUntil } };
}

/** The order of the fields is the order of the messages. */
function readSale(fields: BodyFields) {
  const merchantOrderId = fields.take('orderId', orderNumber, '');
  const amountMinor = fields.take('amount', amount, 0);
  const currency = fields.take('currency', readCurrency, defaultCurrency);
  fields.take('paymentMethod', cardOnly, '');
  const auth = fields.take('auth', flag(null), 'N');
  const recurringInit = fields.take('recurringInit', flag('N'), 'N');
  const card = readSaleCard(fields.inside('card'));
  const customer = fields.inside('customerDetails');
  const customerName = customer.take('name', displayName, null);
  const customerEmail = customer.take('email', email, null);
  const customerKey = customer.take('phone', phone, '');
  const successUrl = fields.take('successUrl', webAddress, '');
  const failureUrl = fields.take('failureUrl', webAddress, '');
  const hash = fields.take('hash', hashText, null);
  const order = { merchantOrderId, amountMinor, currency, customerName, customerKey };
  const request = { ...order, successUrl, failureUrl, auth, recurringInit };
  return { request, card, customerEmail, hash };
}

function readSaleCard(fields: BodyFields) {
  const number = fields.take('number', cardNumber, '');
  const month = fields.take('expiryMonth', expiryMonth, 1);
  const year = fields.take('expiryYear', expiryYear, 2000);
  const cvv = fields.take('cvv', digits(/^\d{3,4}$/, 'must have three or four digits'), '');
  fields.take('holderName', displayName, null);
  return { number, month, year, cvv };
}

function cardOnly(value: unknown): Read<string> {
  return value === 'card' ? { value } : { fault: 'must be card' };
}

function cardNumber(value: unknown): Read<string> {
  const text = typeof value === 'string' ? plainDigits(value) : value;
  return digits(/^\d{12,19}$/, 'must have 12 to 19 digits')(text);
}

function expiryMonth(value: unknown): Read<number> {
  const read = digits(/^(?:0[1-9]|1[0-2])$/, 'must be 01 to 12')(value);
  return 'fault' in read ? read : { value: Number(read.value) };
}

function expiryYear(value: unknown): Read<number> {
  const read = digits(/^(?:20)?\d{2}$/, 'must have two or four digits')(value);
  return 'fault' in read ? read : { value: 2000 + Number(read.value.slice(-2)) };
}

function digits(pattern: RegExp, fault: string): (value: unknown) => Read<string> {
  return (value) => {
    const read = requiredText(value);
    if ('fault' in read) return read;
    return pattern.test(read.value) ? read : { fault };
  };
}

function hashText(value: unknown): Read<string | null> {
  if (isAbsent(value)) return { value: null };
  return typeof value === 'string' ? { value } : { fault: 'must be a string' };
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

/** The request of a refund or a capture (§4.3, §4.5). */
export interface MoveRequest {
  readonly transactionId: string;
  readonly amountMinor: number;
}

/** The request of a void (§4.6). */
export type VoidRequest = Pick<MoveRequest, 'transactionId'>;

/** §2.6, without the amount, which is the charge's, and the description, which nothing needs. */
export interface RecurringOrder {
  readonly number: string;
  readonly currency: string;
}

/** The request of a recurring charge (§4.7). */
export interface RecurringRequest extends MoveRequest {
  readonly recurringToken: string;
  readonly order: RecurringOrder;
}

/** Checks a refund's or a capture's body. */
export function readMoveRequest(body: unknown): ReadBody<MoveRequest> {
  return readBody(body, (fields) => ({
    transactionId: fields.take('transactionId', transactionName, ''),
    amountMinor: fields.take('amount', amount, 0),
  }));
}

/** Checks a void's body. */
export function readVoidRequest(body: unknown): ReadBody<VoidRequest> {
  return readBody(body, (fields) => ({
    transactionId: fields.take('transactionId', transactionName, ''),
  }));
}

/** The message about two amounts in one charge. The specification does not say that they are equal. */
export const amountsDiffer = 'must be equal to amount';

/** Checks a recurring charge's body; the two amounts in it have to be equal. */
export function readRecurringRequest(body: unknown): ReadBody<RecurringRequest> {
  return readBody(body, (fields) => {
    const transactionId = fields.take('transactionId', requiredText, '');
    const recurringToken = fields.take('recurringToken', requiredText, '');
    const amountMinor = fields.take('amount', amount, 0);
    const order = fields.inside('order');
    const number = order.take('number', orderNumber, '');
    const orderMinor = order.take('amount', amount, 0);
    const currency = order.take('currency', requiredCurrency, defaultCurrency);
    order.take('description', requiredText, '');
    if (fields.messages.length === 0 && orderMinor !== amountMinor) {
      fields.messages.push(`order.amount ${amountsDiffer}`);
    }
    return { transactionId, recurringToken, amountMinor, order: { number, currency } };
  });
}

/** The order of a charge names its currency (§2.6, §4.7); only a payment link has a default. */
function requiredCurrency(value: unknown): ReturnType<typeof readCurrency> {
  return isAbsent(value) ? { fault: 'should not be empty' } : readCurrency(value);
}

/**
 * A payment id that was sent as a number is an id that nothing has, like the same digits as text:
 * both get the 404 that says so (§2.3).
 */
function transactionName(value: unknown): ReturnType<typeof requiredText> {
  return requiredText(Number.isSafeInteger(value) ? String(value) : value);
}
