import type { Request, Response } from 'express';
import { type BodyFields, bodyFields, readCookie, setCookie } from '../http.ts';
import { catalog, priceOf } from './catalog.ts';

/** One product, and the number of its pieces. */
export interface Line {
  readonly sku: string;
  /** Whole pieces, 1 to {@link MAX_QUANTITY}. */
  readonly quantity: number;
}

/** The most pieces of one product in one order. */
export const MAX_QUANTITY = 99;

/** Whether the shop takes an order for so many pieces. */
export function isQuantity(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_QUANTITY;
}

/** Writes a basket as short text for a cookie or a form field: `coffee:2.sticker:1`. */
export function encodeBasket(lines: readonly Line[]): string {
  return lines.map(({ sku, quantity }) => `${sku}:${quantity}`).join('.');
}

/**
 * Reads what {@link encodeBasket} wrote. It came through the shopper's browser, so every piece that
 * is not a product and a quantity of this shop is left out.
 */
export function decodeBasket(text: string): readonly Line[] {
  const quantities = new Map<string, number>();
  for (const piece of text.split('.')) {
    const [sku = '', count = ''] = piece.split(':');
    const quantity = /^\d{1,2}$/.test(count) ? Number(count) : 0;
    if (catalog.has(sku) && isQuantity(quantity)) quantities.set(sku, quantity);
  }
  return linesOf(quantities);
}

/** Sets how many of a product the basket holds; 0 takes the product out. */
export function setQuantity(
  lines: readonly Line[],
  sku: string,
  quantity: number,
): readonly Line[] {
  const quantities = new Map(lines.map((line) => [line.sku, line.quantity]));
  if (quantity === 0) quantities.delete(sku);
  else quantities.set(sku, quantity);
  return linesOf(quantities);
}

/** Puts one more of a product into the basket, up to the most that one order may hold. */
export function addToBasket(lines: readonly Line[], sku: string): readonly Line[] {
  const before = lines.find((line) => line.sku === sku)?.quantity ?? 0;
  return setQuantity(lines, sku, Math.min(before + 1, MAX_QUANTITY));
}

function linesOf(quantities: ReadonlyMap<string, number>): readonly Line[] {
  return [...quantities].map(([sku, quantity]) => ({ sku, quantity }));
}

/** The total of the lines, in whole halalas, value added tax included. */
export function basketTotal(lines: readonly Line[]): number {
  return lines.reduce((total, { sku, quantity }) => total + priceOf(sku) * quantity, 0);
}

const COOKIE = 'shop_basket';
const COOKIE_DAYS = 30;

/** The visitor's basket. It is a cookie, so it needs no script and no session. */
export function basketOf(request: Request): readonly Line[] {
  return decodeBasket(readCookie(request, COOKIE) ?? '');
}

/** Stores the basket in the shopper's browser. */
export function keepBasket(response: Response, lines: readonly Line[]): void {
  setCookie(response, COOKIE, encodeBasket(lines), COOKIE_DAYS);
}

/** Who orders, and how to reach them. */
export interface Customer {
  readonly name: string;
  /** Empty when none was given. */
  readonly email: string;
  readonly phone: string;
}

/** What a shopper orders. */
export interface OrderInput {
  readonly lines: readonly Line[];
  readonly customer: Customer;
}

/** The parts of an order that a shopper can get wrong. */
export type OrderField = 'lines' | 'name' | 'email' | 'phone';

/** One thing to put right before the order can be taken. */
interface Complaint {
  readonly field: OrderField;
  /** Where exactly, as a JSON path such as `lines[0].sku` or `customer.phone`. */
  readonly path: string;
  /** What is wrong and how to fix it, in English, for the API. */
  readonly detail: string;
}

const MAX_LINES = 50;
const NAME_LENGTH = 100;
const EMAIL_LENGTH = 254;

/**
 * Reads an order from a decoded JSON body or form. Prices are never read: they are the shop's.
 *
 * @returns the input, and everything that is wrong with it: without complaints it is valid.
 */
export function readOrder(body: unknown) {
  const complaints: Complaint[] = [];
  const complain: Complain = (field, path, detail) => {
    complaints.push({ field, path, detail });
  };
  const given = bodyFields(body);
  const lines = readLines(given.value('lines'), complain);
  const customer = readCustomer(bodyFields(given.value('customer')), complain);
  const input: OrderInput = { lines, customer };
  return { input, complaints };
}

type Complain = (field: OrderField, path: string, detail: string) => void;

function readLines(given: unknown, complain: Complain): readonly Line[] {
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_LINES) {
    complain('lines', 'lines', `An order has 1 to ${MAX_LINES} lines of { sku, quantity }.`);
    return [];
  }
  const quantities = new Map<string, number>();
  for (const [index, entry] of given.entries()) {
    const fields = bodyFields(entry);
    const sku = fields.text('sku');
    const quantity = fields.value('quantity');
    const together = isQuantity(quantity) ? quantity + (quantities.get(sku) ?? 0) : undefined;
    if (!catalog.has(sku)) {
      complain('lines', `lines[${index}].sku`, 'The shop does not sell it. See GET /api/catalog.');
    } else if (isQuantity(together)) {
      quantities.set(sku, together);
    } else {
      const range = `Give whole numbers, 1 to ${MAX_QUANTITY} pieces of a product in one order.`;
      complain('lines', `lines[${index}].quantity`, range);
    }
  }
  return linesOf(quantities);
}

function readCustomer(given: BodyFields, complain: Complain): Customer {
  const name = given.text('name').trim();
  if (name === '' || name.length > NAME_LENGTH) {
    complain('name', 'customer.name', `Give a name of 1 to ${NAME_LENGTH} characters.`);
  }
  const email = given.text('email').trim();
  const isText = ['string', 'undefined'].includes(typeof given.value('email'));
  if (!isText || (email !== '' && !isEmail(email))) {
    const remedy = 'Give an address such as name@example.com, or leave it out.';
    complain('email', 'customer.email', remedy);
  }
  const phone = readPhone(given.text('phone'));
  if (phone === undefined) {
    complain('phone', 'customer.phone', 'Give a mobile number such as 0512345678.');
  }
  return { name, email, phone: phone ?? '' };
}

function isEmail(text: string): boolean {
  return text.length <= EMAIL_LENGTH && /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text);
}

const ARABIC_DIGITS = '٠١٢٣٤٥٦٧٨٩';

/**
 * Reads a mobile number as shoppers type it: with spaces or dashes, in Arabic digits, with or
 * without the country's code. Saudi mobiles come out as `05XXXXXXXX`, others as given.
 *
 * @returns `undefined` when it is no phone number.
 */
export function readPhone(text: string): string | undefined {
  const compact = text
    .replaceAll(/[٠-٩]/g, (digit) => String(ARABIC_DIGITS.indexOf(digit)))
    .replaceAll(/[\s()\u200e\u200f\u202a-\u202e-]/g, '');
  const saudi = /^(?:\+?966|00966|0)?(5\d{8})$/.exec(compact);
  if (saudi?.[1] !== undefined) return `0${saudi[1]}`;
  // A zero in front is a number of this country, and so is 966; only its mobiles will do.
  if (/^0(?!0)/.test(compact) || /^(?:\+|00)?966/.test(compact)) return undefined;
  if (/^5\d{0,8}$/.test(compact)) return undefined;
  return /^(?:\+|00)?[1-9]\d{7,14}$/.test(compact) ? compact : undefined;
}
