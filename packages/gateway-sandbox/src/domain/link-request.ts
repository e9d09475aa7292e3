import { largestAmountMinor, formatAmount, readAmount } from './amount.ts';
import type { AmountFault } from './amount.ts';
import { defaultCurrency, readCurrency } from './currencies.ts';
import { withoutCardNumbers } from './cards.ts';
import { isPhone } from './phone.ts';

const longestText = 255;
const longestUrl = 2048;

/** What a valid create call asks for. E-mail and phone are checked, then dropped: nothing needs them. */
export interface LinkRequest {
  readonly merchantOrderId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly customerName: string | null;
  readonly successUrl: string;
  readonly failureUrl: string;
}

const amountMessages: Record<AmountFault, string> = {
  'not-a-number': 'amount must be a number',
  'too-small': 'amount must not be less than 0.01',
  'too-large': `amount must not be greater than ${formatAmount(largestAmountMinor)}`,
  'too-precise': 'amount must have at most two decimals',
};

/** A field's value, or the gateway's message about it. */
type Read<Value> = { readonly value: Value } | { readonly fault: string };

/**
 * Checks a create call's body (§4.1). All faults are reported together, in the order of the
 * specification's table; fields that the table does not name are ignored.
 */
export function readLinkRequest(body: unknown): { request: LinkRequest } | { messages: string[] } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { messages: ['the request body must be a JSON object'] };
  }
  const messages: string[] = [];
  const take = <Value>(
    name: string,
    read: (name: string, value: unknown) => Read<Value>,
    otherwise: Value,
  ): Value => {
    const result = read(name, Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined);
    if ('value' in result) return result.value;
    messages.push(result.fault);
    return otherwise;
  };
  const merchantOrderId = take('merchantOrderId', requiredText, '');
  const amountMinor = take('amount', amount, 0);
  const currency = take('currency', (_name, value) => readCurrency(value), defaultCurrency);
  const customerName = take('customerName', displayName, null);
  take('customerEmail', email, null);
  take('customerPhone', phone, '');
  const successUrl = take('successUrl', webAddress, '');
  const failureUrl = take('failureUrl', webAddress, '');
  if (messages.length > 0) return { messages };
  return {
    request: { merchantOrderId, amountMinor, currency, customerName, successUrl, failureUrl },
  };
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function requiredText(name: string, value: unknown): Read<string> {
  if (isAbsent(value)) return { fault: `${name} should not be empty` };
  if (typeof value !== 'string') return { fault: `${name} must be a string` };
  if (value.trim() === '') return { fault: `${name} should not be empty` };
  return value.length > longestText
    ? { fault: `${name} must be shorter than or equal to ${longestText} characters` }
    : { value };
}

/** The name is shown on the page and kept; a card number that strayed into it is not. */
function displayName(name: string, value: unknown): Read<string | null> {
  if (isAbsent(value)) return { value: null };
  const read = requiredText(name, value);
  return 'fault' in read ? read : { value: withoutCardNumbers(read.value) };
}

function amount(_name: string, value: unknown): Read<number> {
  const read = readAmount(value);
  return 'fault' in read ? { fault: amountMessages[read.fault] } : { value: read.minor };
}

function email(name: string, value: unknown): Read<string | null> {
  if (isAbsent(value)) return { value: null };
  const isEmail =
    typeof value === 'string' &&
    value.length <= longestText &&
    /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/.test(value);
  return isEmail ? { value } : { fault: `${name} must be an email` };
}

function phone(name: string, value: unknown): Read<string> {
  const read = requiredText(name, value);
  if ('fault' in read || isPhone(read.value)) return read;
  return { fault: `${name} must be a valid mobile number` };
}

function webAddress(name: string, value: unknown): Read<string> {
  if (isAbsent(value)) return { fault: `${name} should not be empty` };
  const isWebAddress =
    typeof value === 'string' &&
    value.length <= longestUrl &&
    /^https?:\/\/[^\s\\]+$/i.test(value) &&
    URL.canParse(value);
  return isWebAddress ? { value } : { fault: `${name} must be an http or https URL` };
}
