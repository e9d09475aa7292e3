import { findTestCard } from './cards.ts';
import type { TestCard } from './cards.ts';

/** A card as typed by a shopper; the texts may hold spaces, dashes and Arabic digits. */
export interface CardText {
  readonly number: string;
  /** `MM/YY`, `MM/YYYY` or the digits alone. */
  readonly expiry: string;
  readonly cvv: string;
}

/** A card that may be charged: no full number and no CVV in it, so it may be written down. */
export interface CardEntry {
  readonly card: TestCard;
  /** True for the reserved CVV 911, which declines. */
  readonly cvvDeclines: boolean;
  /** Epoch milliseconds; from this instant on the card has expired. */
  readonly goodUntil: number;
}

export type CardField = 'number' | 'expiry' | 'cvv';
export type CardFault = 'missing' | 'malformed' | 'not-a-test-card' | 'expired';
export type CardFaults = Partial<Record<CardField, CardFault>>;

/** The reserved CVV that makes every card decline. */
export const decliningCvv = '911';

/**
 * Reads a typed card. `now` is the sandbox clock in epoch milliseconds: a card is good until the
 * last millisecond (UTC) of its month.
 */
export function readCard(
  text: CardText,
  now: number,
): { entry: CardEntry } | { faults: CardFaults } {
  const number = plainDigits(text.number);
  const cvv = plainDigits(text.cvv);
  const card = /^\d{12,19}$/.test(number) ? findTestCard(number) : null;
  const faults: CardFaults = {};
  if (card === null) faults.number = numberFault(number);
  const expiry = readExpiry(plainDigits(text.expiry));
  if ('fault' in expiry) faults.expiry = expiry.fault;
  else if (expiry.goodUntil <= now) faults.expiry = 'expired';
  if (!/^\d{3,4}$/.test(cvv)) faults.cvv = cvv === '' ? 'missing' : 'malformed';
  if (card === null || 'fault' in expiry || Object.keys(faults).length > 0) return { faults };
  return { entry: { card, cvvDeclines: cvv === decliningCvv, goodUntil: expiry.goodUntil } };
}

/** Digits of any keyboard as 0 to 9, without the spaces and dashes that people put between them. */
export function plainDigits(text: string): string {
  return westernDigits(text).replace(/[\s\u200e\u200f-]/g, '');
}

/** Digits of any keyboard as 0 to 9; all else stays. */
export function westernDigits(text: string): string {
  return text
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x0660))
    .replace(/[\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) - 0x06f0));
}

function numberFault(number: string): CardFault {
  if (number === '') return 'missing';
  return /^\d{12,19}$/.test(number) ? 'not-a-test-card' : 'malformed';
}

/** A card is good until its month ends (UTC). */
function readExpiry(text: string): { goodUntil: number } | { fault: CardFault } {
  if (text === '') return { fault: 'missing' };
  const parts = /^(0?[1-9]|1[0-2])(?:\/|(?=\d{2}$)|(?=\d{4}$))(\d{2}|20\d{2})$/.exec(text);
  if (parts === null) return { fault: 'malformed' };
  const month = Number(parts[1]);
  const year = Number(parts[2]?.slice(-2)) + 2000;
  return { goodUntil: Date.UTC(year, month) };
}

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
