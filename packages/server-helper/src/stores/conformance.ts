import type { ConformanceCase } from './conformance-case.ts';
import { deliveryConformance } from './conformance-deliveries.ts';
import { hintConformance } from './conformance-hints.ts';
import { checkConformance } from './conformance-checks.ts';
import { moneyConformance } from './conformance-money.ts';
import { overviewConformance } from './conformance-overview.ts';
import { paymentConformance } from './conformance-payments.ts';
import { shortLivedConformance } from './conformance-short-lived.ts';
import { turnConformance } from './conformance-turns.ts';

/**
 * The suite that every store passes, ours and yours. Free of any test framework.
 *
 * @example
 * for (const { name, check } of storeConformance) {
 *   it(name, () => check(store));
 * }
 */
export const storeConformance: readonly ConformanceCase[] = [
  ...paymentConformance,
  ...checkConformance,
  ...hintConformance,
  ...turnConformance,
  ...moneyConformance,
  ...deliveryConformance,
  ...shortLivedConformance,
  ...overviewConformance,
];
