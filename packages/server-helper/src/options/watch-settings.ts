import { invalidOption } from '../errors.ts';
import { usualWatch, type WatchSettings } from '../payments/watch.ts';
import type { PaymentsOptions } from './payments-options.ts';

type WatchOptions = Pick<
  PaymentsOptions<never, never>,
  'afterPayment' | 'checksPerSecond' | 'oldChecksPerSecond'
>;

const DAY_MS = 86_400_000;
/** A schedule that is longer would keep too many paid orders in the index of due checks. */
const MAX_AFTER_PAYMENT_MS = 90 * DAY_MS;
const MAX_TIMES = 50;
const MAX_CHECKS_PER_SECOND = 10_000;
/** The share of the checks that old links get. */
const OLD_SHARE = 4;

/**
 * Checks the options of the background checks at start, and fills them in.
 *
 * @throws {@link ConfigurationError} `invalid_option`.
 */
export function resolveWatch(options: WatchOptions): WatchSettings {
  const { afterPayment = usualWatch.afterPayment } = options;
  const { checksPerSecond = usualWatch.checksPerSecond } = options;
  const quarter = Math.max(1, Math.floor(checksPerSecond / OLD_SHARE));
  const { oldChecksPerSecond = quarter } = options;
  checkAfterPayment(afterPayment);
  checkRate('checksPerSecond', checksPerSecond, MAX_CHECKS_PER_SECOND);
  checkRate('oldChecksPerSecond', oldChecksPerSecond, checksPerSecond);
  return { afterPayment: [...afterPayment], checksPerSecond, oldChecksPerSecond };
}

function checkAfterPayment(times: unknown): void {
  const isTime = (time: unknown, index: number, all: readonly unknown[]): boolean =>
    Number.isSafeInteger(time) &&
    Number(time) > Number(all[index - 1] ?? 0) &&
    Number(time) <= MAX_AFTER_PAYMENT_MS;
  if (Array.isArray(times) && times.length <= MAX_TIMES && times.every(isTime)) return;
  throw invalidOption({
    setting: 'afterPayment',
    what: `afterPayment must be a list of at most ${MAX_TIMES} whole numbers of milliseconds, ascending, up to ${MAX_AFTER_PAYMENT_MS}.`,
    why: 'A paid order is checked again at these times after its payment.',
    fix: 'Give such a list, [] for no checks without a hint, or leave it out.',
  });
}

function checkRate(setting: string, rate: unknown, most: number): void {
  if (Number.isSafeInteger(rate) && Number(rate) >= 1 && Number(rate) <= most) return;
  throw invalidOption({
    setting,
    what: `${setting} must be a whole number of status checks, 1 to ${most}.`,
    why: 'All processes share it; without any, links would not be checked.',
    fix: 'Give such a number, or leave it out.',
  });
}
