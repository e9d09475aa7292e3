/** What one payment link can carry: far above any order, far below what a double holds exactly. */
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
