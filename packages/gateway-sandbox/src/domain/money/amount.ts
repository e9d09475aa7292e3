import { numericCodes } from './currencies.ts';

/**
 * The largest amount of a payment link: far above any order, far below the limit of exact doubles.
 */
export const largestAmountMinor = 999_999_999_999;

/** Why a JSON value is not an amount; the texts are the gateway's validation messages (§4.1). */
export type AmountFault = 'not-a-number' | 'too-small' | 'too-large' | 'too-precise';

/** A JSON number with at most two decimals, as whole minor units. */
export function readAmount(value: unknown): { minor: number } | { fault: AmountFault } {
  if (typeof value !== 'number' || !Number.isFinite(value)) return { fault: 'not-a-number' };
  if (value < 0.01) return { fault: 'too-small' };
  if (value > largestAmountMinor / 100) return { fault: 'too-large' };
  if (Number(value.toFixed(2)) !== value) return { fault: 'too-precise' };
  return { minor: Math.round(value * 100) };
}

/** Minor units as the wire carries them: two decimals, no grouping (§2.2). */
export function formatAmount(minor: number): string {
  const digits = String(minor).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const threeDecimalCurrencies: ReadonlySet<string> = new Set(['KWD', 'BHD', 'OMR', 'JOD', 'TND']);

export const defaultCurrency = 'SAR';

/** The end of the message about a currency that amounts cannot carry. */
export const threeDecimals = 'is not supported, because amounts carry two decimals';

/** The message about a currency that the sandbox does not know. */
export const unknownCurrency = 'must be an ISO 4217 code of a currency with two decimals';

/** The currency of a request; a fault is the text behind the field's name (N23). */
export function readCurrency(value: unknown): { value: string } | { fault: string } {
  if (value === undefined || value === null) return { value: defaultCurrency };
  if (typeof value !== 'string' || !/^[A-Z]{3}$/.test(value)) {
    return { fault: 'must be an ISO 4217 code of three capital letters' };
  }
  if (threeDecimalCurrencies.has(value)) {
    return { fault: `${value} ${threeDecimals}` };
  }
  if (!numericCodes.has(value)) {
    return { fault: unknownCurrency };
  }
  return { value };
}

/** The numeric code that status rows carry as `currencyCode` (N6). */
export function numericCurrency(currency: string): string {
  return numericCodes.get(currency) ?? '000';
}
