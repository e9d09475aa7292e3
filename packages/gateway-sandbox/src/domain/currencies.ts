/** ISO 4217 numeric codes of the currencies that the sandbox takes; each has two decimals. */
const numericCodes: ReadonlyMap<string, string> = new Map([
  ['SAR', '682'],
  ['AED', '784'],
  ['QAR', '634'],
  ['EGP', '818'],
  ['USD', '840'],
  ['EUR', '978'],
  ['GBP', '826'],
  ['INR', '356'],
  ['PKR', '586'],
  ['TRY', '949'],
]);

const threeDecimalCurrencies: ReadonlySet<string> = new Set(['KWD', 'BHD', 'OMR', 'JOD', 'TND']);

export const defaultCurrency = 'SAR';

/** The currency of a request; a fault is told as what follows the field's name (N23). */
export function readCurrency(value: unknown): { value: string } | { fault: string } {
  if (value === undefined || value === null) return { value: defaultCurrency };
  if (typeof value !== 'string' || !/^[A-Z]{3}$/.test(value)) {
    return { fault: 'must be an ISO 4217 code of three capital letters' };
  }
  if (threeDecimalCurrencies.has(value)) {
    return { fault: `${value} is not supported, because amounts carry two decimals` };
  }
  if (!numericCodes.has(value)) {
    return { fault: `must be one of ${[...numericCodes.keys()].join(', ')}` };
  }
  return { value };
}

/** The numeric code that status rows carry as `currencyCode` (N6). */
export function numericCurrency(currency: string): string {
  return numericCodes.get(currency) ?? '000';
}
