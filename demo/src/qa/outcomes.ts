import type { ProfileName } from '@pay-button/gateway-sandbox';

/** The outcomes that a tester can choose, and their names in the sandbox. */
export const outcomes = {
  approve: 'approve',
  declined: 'decline',
  insufficient_funds: 'decline:51',
  expired_card: 'decline:54',
  lost_card: 'decline:41',
  over_limit: 'decline:61',
  bank_down: 'decline:91',
} as const;

export type OutcomeName = keyof typeof outcomes;

/** Reads a choice; `undefined` when the card is to decide. */
export function readOutcome(text: string): OutcomeName | undefined {
  return (Object.keys(outcomes) as OutcomeName[]).find((name) => name === text);
}

/** The named faults that a tester can choose. */
export const profileNames = [
  'healthy',
  'slow-3g',
  'ghost-success',
  'ghost-failure',
  'bank-outage',
  'maintenance-html',
  'status-lag',
  'webhook-storm',
  'webhook-blackout',
  'out-of-order',
  'friday-night',
] as const satisfies readonly ProfileName[];

/** Reads a choice; `undefined` when it is none. */
export function readProfile(text: string): ProfileName | undefined {
  return profileNames.find((name) => name === text);
}
