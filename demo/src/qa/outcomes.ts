import type { ProfileName } from '@pay-button/gateway-sandbox';
import { qaTexts } from '../texts/qa.ts';

/** The outcomes that a tester can choose, and their names in the sandbox. */
export const outcomes = {
  approve: 'approve',
  declined: 'decline',
  insufficient_funds: 'decline:51',
  expired_card: 'decline:54',
  lost_card: 'decline:41',
  over_limit: 'decline:61',
  bank_down: 'decline:91',
} as const satisfies Readonly<Record<keyof typeof qaTexts.outcomes, string>>;

export type OutcomeName = keyof typeof outcomes;

/** Reads a choice; `undefined` when the card is to decide. */
export function readOutcome(text: string): OutcomeName | undefined {
  return (Object.keys(outcomes) as OutcomeName[]).find((name) => name === text);
}

/** The named faults that a tester can choose are those that the tools have a text for. */
const profileNames: readonly ProfileName[] = Object.keys(
  qaTexts.profiles,
) as (keyof typeof qaTexts.profiles)[];

/** Reads a choice; `undefined` for every other text. */
export function readProfile(text: string): ProfileName | undefined {
  return profileNames.find((name) => name === text);
}
