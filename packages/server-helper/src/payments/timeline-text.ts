import { describeInArabic } from './timeline-ar.ts';
import { describeInEnglish } from './timeline-en.ts';
import type { TimelineFact } from './timeline.ts';

/** A language of {@link describeEntry}. */
export type TimelineLanguage = 'en' | 'ar';

/**
 * Describes an entry of an order's timeline in a sentence for an operator. The rows of `evidence` are
 * the gateway's own words; show them beside the sentence.
 *
 * @example
 * const explanation = await payments.explain('1001');
 * for (const entry of explanation?.timeline ?? []) {
 *   console.log(entry.at, describeEntry(entry, 'ar'));
 * }
 */
export function describeEntry(entry: TimelineFact, language: TimelineLanguage = 'en'): string {
  return language === 'ar' ? describeInArabic(entry) : describeInEnglish(entry);
}
