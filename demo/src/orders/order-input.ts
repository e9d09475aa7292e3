import { isQuantity, type Line, MAX_QUANTITY } from '../basket/basket.ts';
import { findProduct } from '../catalog/catalog.ts';
import { type BodyFields, bodyFields } from '../http/body.ts';
import type { Customer } from './order.ts';

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

/** A valid order of a shopper. */
export interface OrderInput {
  readonly lines: readonly Line[];
  readonly customer: Customer;
}

/** The checked input, or everything that is wrong with it. */
type OrderReading =
  | { readonly ok: true; readonly input: OrderInput }
  | { readonly ok: false; readonly complaints: readonly [Complaint, ...Complaint[]] };

const MAX_LINES = 50;
const NAME_LENGTH = 100;
const EMAIL_LENGTH = 254;

/** Reads an order from a decoded JSON body or form. Prices are never read: they are the shop's. */
export function readOrder(body: unknown): OrderReading {
  const complaints: Complaint[] = [];
  const complain = (field: OrderField, path: string, detail: string) => {
    complaints.push({ field, path, detail });
  };
  const given = bodyFields(body);
  const lines = readLines(given.value('lines'), complain);
  const customer = readCustomer(bodyFields(given.value('customer')), complain);
  const [first, ...others] = complaints;
  return first === undefined
    ? { ok: true, input: { lines, customer } }
    : { ok: false, complaints: [first, ...others] };
}

type Complain = (field: OrderField, path: string, detail: string) => void;

function readLines(given: unknown, complain: Complain): readonly Line[] {
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_LINES) {
    complain('lines', 'lines', `An order has 1 to ${MAX_LINES} lines of { sku, quantity }.`);
    return [];
  }
  const lines = new Map<string, number>();
  for (const [index, entry] of given.entries()) {
    const fields = bodyFields(entry);
    const sku = fields.text('sku');
    const quantity = fields.value('quantity');
    if (findProduct(sku) === undefined) {
      complain('lines', `lines[${index}].sku`, 'The shop does not sell it. See GET /api/catalog.');
      continue;
    }
    const together = isQuantity(quantity) ? quantity + (lines.get(sku) ?? 0) : undefined;
    if (isQuantity(together)) {
      lines.set(sku, together);
    } else {
      const range = `Give whole numbers, 1 to ${MAX_QUANTITY} pieces of a product in one order.`;
      complain('lines', `lines[${index}].quantity`, range);
    }
  }
  return [...lines].map(([sku, quantity]) => ({ sku, quantity }));
}

function readCustomer(given: BodyFields, complain: Complain): Customer {
  const name = given.text('name').trim();
  if (name === '' || name.length > NAME_LENGTH) {
    complain('name', 'customer.name', `Give a name of 1 to ${NAME_LENGTH} characters.`);
  }
  const email = given.text('email').trim();
  const isText = ['string', 'undefined'].includes(typeof given.value('email'));
  if (!isText || (email !== '' && !isEmail(email))) {
    complain(
      'email',
      'customer.email',
      'Give an address such as name@example.com, or leave it out.',
    );
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
