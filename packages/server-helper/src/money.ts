import { numericCodes } from './currencies.ts';

/**
 * An amount of money: whole minor units (halalas for SAR) and a currency. No float ever holds an
 * amount, and nothing rounds quietly.
 */
export interface Money {
  /** Whole minor units, 0 to 999,999,999,999,999. */
  readonly minorUnits: number;
  /** ISO 4217 alphabetic code of a supported currency, such as `SAR`. */
  readonly currency: Currency;
}

/** A supported currency's alphabetic code. */
export type Currency = keyof typeof numericCodes;

/** The currency the gateway assumes when none is sent (§4.1). */
export const DEFAULT_CURRENCY: Currency = 'SAR';

/** Fifteen digits: the most for which a JSON number with two decimals is still exact. */
const MAX_MINOR_UNITS = 999_999_999_999_999;

const AMOUNT = /^\d{1,13}\.\d{2}$/;

/**
 * Reads a decimal amount with exactly two decimals as whole minor units.
 *
 * @returns `undefined` for every other form: `"1e2"`, `" 1.00"`, `"100"`, `"0x64"`, a number.
 * @example
 * parseAmount('115.00'); // 11500
 */
export function parseAmount(text: unknown): number | undefined {
  if (typeof text !== 'string' || !AMOUNT.test(text)) return undefined;
  return Number(text.replace('.', ''));
}

/** Writes whole minor units as a decimal string with two decimals: `11500` gives `"115.00"`. */
export function decimalOf(minorUnits: number): string {
  const digits = String(minorUnits).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Whether the code is a currency that the gateway can carry. */
export function isCurrency(code: unknown): code is Currency {
  return typeof code === 'string' && Object.hasOwn(numericCodes, code);
}

const currencies = Object.keys(numericCodes).filter(isCurrency);
/** Each currency by both codes that a status answer's `currencyCode` may hold, alphabetic and numeric. */
const byCode = new Map<string, Currency>([
  ...currencies.map((one) => [one, one] as const),
  ...currencies.map((one) => [numericCodes[one], one] as const),
]);

/** The currency that a status answer's `currencyCode` names, if the gateway can carry it. */
export const currencyOf = (code: string): Currency | undefined => byCode.get(code);

/** An amount that cannot be paid through the gateway. */
export class InvalidMoneyError extends Error {
  override readonly name = 'InvalidMoneyError';
  /** Which part is at fault. */
  readonly field: 'amount' | 'currency';

  constructor(field: 'amount' | 'currency', fault: string) {
    super(`The ${field} ${fault}. ${HOW_TO_WRITE[field]}`);
    this.field = field;
  }
}

/** Describes the given value briefly; a caller without types may give anything. */
const quote = (given: unknown): string =>
  typeof given === 'string' ? JSON.stringify(given.slice(0, 40)) : `of type ${typeof given}`;

/** An amount without its currency: a decimal string such as `"115.00"`, or whole minor units. */
export type Amount = string | { readonly minorUnits: number };

/** How both are written; for errors and log lines, which quote no amount. */
export const HOW_TO_WRITE = {
  amount:
    'Write a decimal string with two decimals, 0.01 or more, such as "49.90", or whole minor units, such as { minorUnits: 4990 }, never a number.',
  currency:
    'Use an upper-case ISO 4217 code such as "SAR", of a currency with two decimals, in the field currency.',
} as const;

/**
 * Makes money from an amount as a merchant writes it.
 *
 * @param amount - At least `"0.01"` or `{ minorUnits: 1 }`. An object with another field is refused:
 * the currency stands beside the amount.
 * @param currency - ISO 4217 alphabetic code. Defaults to `SAR` (§4.1).
 * @throws {@link InvalidMoneyError} when the gateway cannot carry it.
 */
export function money(amount: Amount, currency: string = DEFAULT_CURRENCY): Money {
  if (!isCurrency(currency)) {
    throw new InvalidMoneyError('currency', `${quote(currency)} is not supported`);
  }
  const minorUnits = parseAmount(amount) ?? minorUnitsIn(amount);
  if (minorUnits === undefined || minorUnits < 1 || minorUnits > MAX_MINOR_UNITS) {
    throw new InvalidMoneyError('amount', `${quote(amount)} is not payable`);
  }
  return { minorUnits, currency };
}

type Price = { readonly amount: Amount; readonly currency?: string | undefined };

/**
 * The price of a merchant's order, see {@link money}. An order whose currency stands in a field of another
 * name, such as a misspelt one, would be priced in riyals.
 */
export function moneyOf({ amount, currency, ...others }: Price): Money {
  const unread = Object.entries(others).find(
    ([name, value]) => /^curr?[ae]n/i.test(name) && value !== DEFAULT_CURRENCY && isCurrency(value),
  );
  if (currency !== undefined || unread === undefined) return money(amount, currency);
  throw new InvalidMoneyError('currency', `is not read from the field ${unread[0]}`);
}

/** The whole minor units of an object that holds nothing else; a caller without types may give anything. */
function minorUnitsIn(amount: unknown): number | undefined {
  if (typeof amount !== 'object' || amount === null || !('minorUnits' in amount)) return undefined;
  const { minorUnits, ...others } = amount;
  const isWhole = Number.isSafeInteger(minorUnits) && Object.keys(others).length === 0;
  return isWhole ? Number(minorUnits) : undefined;
}

export function sameMoney(left: Money, right: Money): boolean {
  return left.minorUnits === right.minorUnits && left.currency === right.currency;
}

/**
 * The JSON number that the gateway takes (§4.1). Exact, since an amount has at most 15 digits and
 * the shortest text of such a number is the amount itself.
 */
export function toWireNumber(amount: Money): number {
  return Number(decimalOf(amount.minorUnits));
}
