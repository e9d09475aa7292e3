import { type Drift, entryOf } from '../../gateway/drift.ts';
import type { DriftKind } from '../../gateway/diagnostics.ts';
import type { ShopSettings } from '../shop-settings.ts';
import { type Check, type CheckResult, fine, helpOf, notChecked } from './check.ts';

/** What the gateway's answers to the other checks had that is not expected; it sends nothing itself. */
export const checkAnswers: Check = {
  id: 'answers',
  title: 'Answers',
  needs: ['network', 'gateway'],
  async run({ drift, gatewayTime, settings }) {
    if (drift.length > 0) return uniqueOf(drift).map(oddAnswer);
    if (gatewayTime !== null)
      return [
        fine(
          `about an unknown session, as ${profileNameOf(settings)} says; first-contact sees a paid one`,
        ),
      ];
    const fix = 'Mend the connection to the gateway first.';
    return [notChecked('answers', 'The gateway gave no answer.', fix)];
  },
};

/** The profile of these settings, as its file is called. */
export function profileNameOf({ options }: Pick<ShopSettings, 'options'>): string {
  const { profile } = options.gateway;
  return typeof profile === 'string' ? `the profile ${profile}` : 'the usual profile';
}

/** Several keys may have met the same. */
function uniqueOf(drift: readonly Drift[]): readonly Drift[] {
  const byPlace = drift.map((one) => [`${one.operation} ${one.kind} ${one.field}`, one] as const);
  return [...new Map(byPlace).values()];
}

const words: Readonly<Record<DriftKind, (field: string) => string>> = {
  unknown_field: (field) => `has a field that is not known: ${field}`,
  unknown_word: (field) => `has a word that is not known in ${field}`,
  other_type: (field) => `has another type than stated in ${field}`,
  other_envelope: (field) => `${field === '' ? 'has' : 'refuses in'} another envelope than stated`,
  unexpected_status: (field) => `has the HTTP status ${field}, which is not expected`,
  unreadable_answer: (field) => `cannot be read${field === '' ? '' : ` at ${field}`}`,
  refused_signature: (field) => `is not signed as the profile says: ${field}`,
  unfollowed_hint: () => 'names no payment, or no transaction, where the profile says',
};

function oddAnswer(drift: Drift): CheckResult {
  const entry = entryOf(drift);
  return {
    status: 'odd',
    code: drift.kind,
    what: `The answer to ${drift.operation} ${words[drift.kind](drift.field)}.`,
    why: 'The gateway reads its specification otherwise than this kit and the profile; a payment can then stay pending.',
    fix:
      entry === undefined
        ? 'The profile has no entry for it: compare GATEWAY_BASE_URL with the gateway’s onboarding, and show this line to its support.'
        : `If the gateway means it so, say so in the profile (GATEWAY_PROFILE): ${entry}.`,
    help: helpOf('answers'),
  };
}
