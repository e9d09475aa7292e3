/** The currency of every price in the shop. */
export const CURRENCY = 'SAR';

/** Writes whole halalas as a decimal string with two decimals: `11500` gives `"115.00"`. */
export function decimal(halalas: number): string {
  const digits = String(halalas).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Reads a decimal string with two decimals as whole halalas: `"115.00"` gives `11500`. */
export function halalasOf(amount: string): number {
  return Number(amount.replace('.', ''));
}

/** The 15 % value added tax inside a price that includes it, in halalas, half a halala upwards. */
export function includedVat(halalas: number): number {
  return Math.floor((halalas * 30 + 115) / 230);
}
