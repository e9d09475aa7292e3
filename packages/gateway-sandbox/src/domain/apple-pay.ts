import type { CardEntry } from './card-entry.ts';

const lifeMs = 365 * 24 * 60 * 60 * 1000;

/** The simulated sheet's device card: it approves, so what decides is everything but the card. */
export function applePayEntry(now: number): CardEntry {
  return {
    card: {
      firstSix: '446404',
      lastFour: '0007',
      scheme: 'MADA',
      mode: 'none',
      responseCode: '00',
    },
    cvvDeclines: false,
    goodUntil: now + lifeMs,
  };
}
