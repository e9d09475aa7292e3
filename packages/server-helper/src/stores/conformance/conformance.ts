import { archiveConformance } from './archive.ts';
import type { ConformanceCase } from './conformance-case.ts';
import { clockConformance } from './clock.ts';
import { deliveryConformance } from './deliveries.ts';
import { figureConformance } from './figures.ts';
import { hintConformance } from './hints.ts';
import { checkConformance } from './checks.ts';
import { listConformance } from './lists.ts';
import { moneyConformance } from './money.ts';
import { proposalConformance } from './proposals.ts';
import { overviewConformance } from './overview.ts';
import { paymentConformance } from './payments.ts';
import { refusalConformance } from './refusals.ts';
import { searchConformance } from './searches.ts';
import { shortLivedConformance } from './short-lived.ts';
import { transactionHintConformance } from './transaction-hints.ts';
import { turnConformance } from './turns.ts';

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
  ...refusalConformance,
  ...checkConformance,
  ...clockConformance,
  ...hintConformance,
  ...transactionHintConformance,
  ...turnConformance,
  ...moneyConformance,
  ...proposalConformance,
  ...deliveryConformance,
  ...shortLivedConformance,
  ...overviewConformance,
  ...listConformance,
  ...searchConformance,
  ...figureConformance,
  ...archiveConformance,
];
