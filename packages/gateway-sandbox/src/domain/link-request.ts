import { largestAmountMinor, formatAmount, readAmount } from './amount.ts';
import type { AmountFault } from './amount.ts';
import { currencyFault, defaultCurrency } from './currencies.ts';
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

/**
 * Checks a create call's body (§4.1). All faults are reported together, in the order of the
 * specification's table; fields that the table does not name are ignored.
 */
export function readLinkRequest(body: unknown): { request: LinkRequest } | { messages: string[] } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { messages: ['the request body must be a JSON object'] };
  }
  const field = (name: string): unknown =>
    Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined;
  const amount = readAmount(field('amount'));
  const currency = field('currency') ?? defaultCurrency;
  const messages = [
    requiredTextFault('merchantOrderId', field('merchantOrderId')),
    'fault' in amount ? amountMessages[amount.fault] : null,
    currencyFault(currency),
    optionalTextFault('customerName', field('customerName')),
    emailFault(field('customerEmail')),
    phoneFault(field('customerPhone')),
    urlFault('successUrl', field('successUrl')),
    urlFault('failureUrl', field('failureUrl')),
  ].filter((message) => message !== null);
  if (messages.length > 0 || 'fault' in amount) return { messages };
  const name = field('customerName');
  return {
    request: {
      merchantOrderId: String(field('merchantOrderId')),
      amountMinor: amount.minor,
      currency: String(currency),
      customerName: typeof name === 'string' && name.trim() !== '' ? name : null,
      successUrl: String(field('successUrl')),
      failureUrl: String(field('failureUrl')),
    },
  };
}

function requiredTextFault(name: string, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return `${name} should not be empty`;
  if (typeof value !== 'string') return `${name} must be a string`;
  if (value.trim() === '') return `${name} should not be empty`;
  return value.length > longestText
    ? `${name} must be shorter than or equal to ${longestText} characters`
    : null;
}

function optionalTextFault(name: string, value: unknown): string | null {
  const absent = value === undefined || value === null || value === '';
  return absent ? null : requiredTextFault(name, value);
}

function emailFault(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  const isEmail =
    typeof value === 'string' &&
    value.length <= longestText &&
    /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/.test(value);
  return isEmail ? null : 'customerEmail must be an email';
}

function phoneFault(value: unknown): string | null {
  const fault = requiredTextFault('customerPhone', value);
  if (fault !== null || typeof value !== 'string') return fault;
  return isPhone(value) ? null : 'customerPhone must be a valid mobile number';
}

function urlFault(name: string, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return `${name} should not be empty`;
  const isWebAddress =
    typeof value === 'string' &&
    value.length <= longestUrl &&
    /^https?:\/\/[^\s\\]+$/i.test(value) &&
    URL.canParse(value);
  return isWebAddress ? null : `${name} must be an http or https URL`;
}
