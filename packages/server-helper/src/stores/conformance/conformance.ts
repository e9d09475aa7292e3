import { checkConformance } from './checks.ts';
import type { ConformanceCase } from './case.ts';
import { countConformance } from './counts.ts';
import { eventConformance } from './events.ts';
import { listConformance } from './lists.ts';
import { saveConformance } from './saves.ts';

/**
 * The suite that every store passes, ours and yours. Free of any test framework.
 *
 * @example
 * for (const { name, check } of storeConformance) {
 *   it(name, () => check(store));
 * }
 */
export const storeConformance: readonly ConformanceCase[] = [
  ...saveConformance,
  ...checkConformance,
  ...eventConformance,
  ...listConformance,
  ...countConformance,
];
