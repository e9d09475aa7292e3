import type { ConformanceCase } from './orders.ts';
import { checkConformance, eventConformance } from './queues.ts';
import { countConformance, listConformance } from './reads.ts';
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
