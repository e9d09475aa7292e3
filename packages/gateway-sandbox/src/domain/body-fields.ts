import { createHash } from 'node:crypto';
import { withoutCardNumbers } from '../redaction.ts';
import { formatAmount, largestAmountMinor, readAmount } from './amount.ts';
import type { AmountFault } from './amount.ts';

const longestText = 255;
const longestUrl = 2048;

/** The message about an amount with more than two decimals (N23). */
export const tooPrecise = 'must have at most two decimals';

const amountMessages: Record<AmountFault, string> = {
  'not-a-number': 'must be a number',
  'too-small': 'must not be less than 0.01',
  'too-large': `must not be greater than ${formatAmount(largestAmountMinor)}`,
  'too-precise': tooPrecise,
};

/** The value of a field, or the message of the gateway, which begins with the name of the field. */
export type Read<Value> = { readonly value: Value } | { readonly fault: string };
export type Reader<Value> = (value: unknown) => Read<Value>;

const notAnObject = 'the request body must be a JSON object';

/** The request in a body, or all its faults, in the words of the gateway. */
export type ReadBody<Request> = { readonly request: Request } | { readonly messages: string[] };

/** Reads the fields of a JSON object. */
export function readBody<Request>(
  body: unknown,
  read: (fields: BodyFields) => Request,
): ReadBody<Request> {
  if (!isFields(body)) return { messages: [notAnObject] };
  const fields = new BodyFields(body);
  const request = read(fields);
  return fields.messages.length > 0 ? { messages: fields.messages } : { request };
}

/**
 * The fields of a JSON object. All faults are collected, in the order in which the fields are taken;
 * other fields are ignored.
 */
export class BodyFields {
  readonly messages: string[];
  readonly #body: object;
  readonly #prefix: string;

  constructor(body: object, prefix = '', messages: string[] = []) {
    this.#body = body;
    this.#prefix = prefix;
    this.messages = messages;
  }

  has(name: string): boolean {
    return this.#field(name) !== undefined;
  }

  /**
   * The value of a field. A field at fault has the value `otherwise`, and a message names the
   * fault.
   */
  take<Value>(name: string, read: Reader<Value>, otherwise: Value): Value {
    const result = read(this.#field(name));
    if ('value' in result) return result.value;
    this.messages.push(`${this.#prefix}${name} ${result.fault}`);
    return otherwise;
  }

  /** The fields of an object inside; messages about them begin with the object's name. */
  inside(name: string): BodyFields {
    const value = this.#field(name);
    if (!isFields(value)) {
      const fault = isAbsent(value) ? 'should not be empty' : 'must be an object';
      this.messages.push(`${this.#prefix}${name} ${fault}`);
      return new BodyFields({}, `${this.#prefix}${name}.`);
    }
    return new BodyFields(value, `${this.#prefix}${name}.`, this.messages);
  }

  #field(name: string): unknown {
    return Object.hasOwn(this.#body, name) ? Reflect.get(this.#body, name) : undefined;
  }
}

export function requiredText(value: unknown): Read<string> {
  if (isAbsent(value)) return { fault: 'should not be empty' };
  if (typeof value !== 'string') return { fault: 'must be a string' };
  if (value.trim() === '') return { fault: 'should not be empty' };
  return value.length > longestText
    ? { fault: `must be shorter than or equal to ${longestText} characters` }
    : { value };
}

/** The message about an order number that must be another one. */
export const likeCard =
  'must not look like a card number: an order number is kept unchanged, a card number never; ' +
  'use another order number';

/** Compared exactly by the merchant, so that one with a card number in it is refused, not masked. */
export function orderNumber(value: unknown): Read<string> {
  const read = requiredText(value);
  if ('fault' in read || withoutCardNumbers(read.value) === read.value) return read;
  return { fault: likeCard };
}

/** A name, which the page shows. */
export function displayName(value: unknown): Read<string | null> {
  return isAbsent(value) ? { value: null } : requiredText(value);
}

/** Minor units of a JSON number. */
export function amount(value: unknown): Read<number> {
  const read = readAmount(value);
  return 'fault' in read ? { fault: amountMessages[read.fault] } : { value: read.minor };
}

export function email(value: unknown): Read<string | null> {
  if (isAbsent(value)) return { value: null };
  const isEmail =
    typeof value === 'string' &&
    value.length <= longestText &&
    /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/.test(value);
  return isEmail ? { value } : { fault: 'must be an email' };
}

/** The key that replaces the customer's phone. */
export function phone(value: unknown): Read<string> {
  const read = requiredText(value);
  if ('fault' in read) return read;
  const international = readPhone(read.value);
  return international === null
    ? { fault: 'must be a valid mobile number' }
    : { value: customerKeyOf(international) };
}

/**
 * The international digits of a mobile number in one of the forms of N20, or null. Spaces and dashes
 * do not count. A Saudi number has to be a mobile number; other countries' numbers have 8 to 15
 * digits.
 */
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

/** The hash that replaces a phone number in storage, so that the number is not stored. */
export function customerKeyOf(international: string): string {
  const digest = createHash('sha256').update(`sandbox customer ${international}`).digest();
  return digest.toString('hex', 0, 8);
}

export function webAddress(value: unknown): Read<string> {
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

/** Y or N; `otherwise` where it is left out. */
export function flag(otherwise: 'N' | null): Reader<'Y' | 'N'> {
  return (value) => {
    if (value === 'Y' || value === 'N') return { value };
    return isAbsent(value) && otherwise !== null
      ? { value: otherwise }
      : { fault: 'must be Y or N' };
  };
}

export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** An object of a JSON body. */
export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
