import { formatAmount, largestAmountMinor, readAmount } from './money/amount.ts';
import type { AmountFault } from './money/amount.ts';
import { withoutCardForOrder, withoutCardNumbers } from '../redaction/stray-cards.ts';
import { isPhone } from './digits.ts';

const longestText = 255;
const longestUrl = 2048;

const amountMessages: Record<AmountFault, string> = {
  'not-a-number': 'must be a number',
  'too-small': 'must not be less than 0.01',
  'too-large': `must not be greater than ${formatAmount(largestAmountMinor)}`,
  'too-precise': 'must have at most two decimals',
};

/** A field's value, or what the gateway's message says of it behind the field's name. */
export type Read<Value> = { readonly value: Value } | { readonly fault: string };
type Reader<Value> = (value: unknown) => Read<Value>;

/**
 * The fields of a JSON body. All faults are collected, in the order in which the fields are taken;
 * fields that nobody takes are ignored.
 */
export class BodyFields {
  readonly messages: string[];
  readonly #body: object;
  readonly #prefix: string;

  private constructor(body: object, prefix: string, messages: string[]) {
    this.#body = body;
    this.#prefix = prefix;
    this.messages = messages;
  }

  /** Null when the body is no JSON object. */
  static of(body: unknown): BodyFields | null {
    return isObject(body) ? new BodyFields(body, '', []) : null;
  }

  /** A field's value; `otherwise` stands in where it is at fault, which a message then says. */
  take<Value>(name: string, read: Reader<Value>, otherwise: Value): Value {
    const result = read(this.#field(name));
    if ('value' in result) return result.value;
    this.messages.push(`${this.#prefix}${name} ${result.fault}`);
    return otherwise;
  }

  /** The fields of an object inside; what is wrong with them is told with the object's name. */
  inside(name: string): BodyFields {
    const value = this.#field(name);
    if (!isObject(value)) {
      const fault = isAbsent(value) ? 'should not be empty' : 'must be an object';
      this.messages.push(`${this.#prefix}${name} ${fault}`);
      return new BodyFields({}, `${this.#prefix}${name}.`, []);
    }
    return new BodyFields(value, `${this.#prefix}${name}.`, this.messages);
  }

  #field(name: string): unknown {
    return Object.hasOwn(this.#body, name) ? Reflect.get(this.#body, name) : undefined;
  }
}

export const notAnObject = ['the request body must be a JSON object'];

export function requiredText(value: unknown): Read<string> {
  if (isAbsent(value)) return { fault: 'should not be empty' };
  if (typeof value !== 'string') return { fault: 'must be a string' };
  if (value.trim() === '') return { fault: 'should not be empty' };
  return value.length > longestText
    ? { fault: `must be shorter than or equal to ${longestText} characters` }
    : { value };
}

/** What is said of an order's number that has to be another one. */
export const likeCard =
  'must not look like a card number: an order number is kept unchanged, a card number never; ' +
  'use another order number';

/** Compared exactly by the merchant, so that one with a card number in it is refused, not masked. */
export function orderNumber(value: unknown): Read<string> {
  const read = requiredText(value);
  if ('fault' in read || withoutCardForOrder(read.value) === read.value) return read;
  return { fault: likeCard };
}

/** A name is shown on the page and kept; a card number that strayed into it is not. */
export function displayName(value: unknown): Read<string | null> {
  if (isAbsent(value)) return { value: null };
  const read = requiredText(value);
  return 'fault' in read ? read : { value: withoutCardNumbers(read.value) };
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

export function phone(value: unknown): Read<string> {
  const read = requiredText(value);
  if ('fault' in read || isPhone(read.value)) return read;
  return { fault: 'must be a valid mobile number' };
}

export function webAddress(value: unknown): Read<string> {
  if (isAbsent(value)) return { fault: 'should not be empty' };
  const isWebAddress =
    typeof value === 'string' &&
    value.length <= longestUrl &&
    /^https?:\/\/[^\s\\]+$/i.test(value) &&
    URL.canParse(value);
  return isWebAddress ? { value } : { fault: 'must be an http or https URL' };
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

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
