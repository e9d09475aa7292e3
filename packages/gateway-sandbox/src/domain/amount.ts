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

/**
 * The currencies of ISO 4217 that have two decimals, as of January 2026, with their numeric codes,
 * which status answers may bear. Currencies with none, three or four decimals are absent on purpose:
 * the gateway's amounts (§2.2, §4.1) cannot carry them.
 */
export const numericCodes: ReadonlyMap<string, string> = new Map(
  `
  AED784 AFN971 ALL008 AMD051 AOA973 ARS032 AUD036 AWG533 AZN944 BAM977 BBD052 BDT050 BMD060
  BND096 BOB068 BOV984 BRL986 BSD044 BTN064 BWP072 BYN933 BZD084 CAD124 CDF976 CHE947 CHF756
  CHW948 CNY156 COP170 COU970 CRC188 CUP192 CVE132 CZK203 DKK208 DOP214 DZD012 EGP818 ERN232
  ETB230 EUR978 FJD242 FKP238 GBP826 GEL981 GHS936 GIP292 GMD270 GTQ320 GYD328 HKD344 HNL340
  HTG332 HUF348 IDR360 ILS376 INR356 IRR364 JMD388 KES404 KGS417 KHR116 KPW408 KYD136 KZT398
  LAK418 LBP422 LKR144 LRD430 LSL426 MAD504 MDL498 MGA969 MKD807 MMK104 MNT496 MOP446 MRU929
  MUR480 MVR462 MWK454 MXN484 MXV979 MYR458 MZN943 NAD516 NGN566 NIO558 NOK578 NPR524 NZD554
  PAB590 PEN604 PGK598 PHP608 PKR586 PLN985 QAR634 RON946 RSD941 RUB643 SAR682 SBD090 SCR690
  SDG938 SEK752 SGD702 SHP654 SLE925 SOS706 SRD968 SSP728 STN930 SVC222 SYP760 SZL748 THB764
  TJS972 TMT934 TOP776 TRY949 TTD780 TWD901 TZS834 UAH980 USD840 USN997 UYU858 UZS860 VED926
  VES928 WST882 XAD396 XCD951 XCG532 YER886 ZAR710 ZMW967 ZWG924
  `
    .trim()
    .split(/\s+/)
    .map((code) => [code.slice(0, 3), code.slice(3)]),
);
