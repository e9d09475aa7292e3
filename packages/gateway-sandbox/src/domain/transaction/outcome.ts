import type { CardEntry } from './card-entry.ts';
import { noSideEffects, readMagicAmount, usualAnswer } from './magic-amount.ts';
import type { AnswerPlan, SideEffects } from './magic-amount.ts';
import { approvedCode, issuerDeclineCodes } from './response-codes.ts';

/** The rule that decided a payment, in the sandbox's fixed order of precedence. */
export type DecidedBy = 'next' | 'choice' | 'card' | 'magic-amount' | 'default';

/** An outcome that a tester asks for, armed beforehand or chosen on the page. */
export type Outcome = 'approve' | 'decline' | `decline:${(typeof issuerDeclineCodes)[number]}`;

/** The decision about a payment: an answer at once, a challenge first, or a wait for the issuer. */
export type Decision = { readonly decidedBy: DecidedBy } & (
  | {
      readonly kind: 'answer';
      readonly responseCode: string;
      readonly answer: AnswerPlan;
      readonly sideEffects: SideEffects;
    }
  | { readonly kind: 'challenge'; readonly codeAfter: string; readonly returns: boolean }
  | { readonly kind: 'wait'; readonly forMs: number; readonly responseCode: string }
);

/** A decision, or that the connection is cut before there is one. */
export type Verdict = Decision | { readonly kind: 'cut' };

/** The inputs of a payment's outcome. */
export interface Circumstances {
  readonly armed: Outcome | null;
  readonly choice: Outcome | null;
  readonly entry: CardEntry;
  readonly amountMinor: number;
  readonly currency: string;
  readonly now: number;
}

const plainDecline = '05';
const cvvDecline = '82';
const expiredDecline = '54';

/** Reads `approve`, `decline` or `decline:RR`; null for anything else. */
export function readOutcome(value: unknown): Outcome | null {
  if (value === 'approve' || value === 'decline') return value;
  const code = issuerDeclineCodes.find((known) => value === `decline:${known}`);
  return code === undefined ? null : `decline:${code}`;
}

/** The response code that a tester's outcome asks for. */
export function codeOf(outcome: Outcome): string {
  if (outcome === 'approve') return approvedCode;
  return outcome === 'decline' ? plainDecline : outcome.slice('decline:'.length);
}

/**
 * Armed one-shot, then the tester's choice, then the card, then the magic amount, then approve. A
 * card that approves without a challenge decides nothing.
 */
export function decide(given: Circumstances): Verdict {
  return byTester(given) ?? byCard(given) ?? byAmount(given) ?? byDefault();
}

/** The same for a recurring charge: it has no shopper and no challenge, and no amount is magic. */
export function decideCharge(given: Circumstances): Decision {
  return byTester(given) ?? byCard(given) ?? byDefault();
}

function byTester({ armed, choice }: Circumstances): Decision | null {
  if (armed !== null) return answer(codeOf(armed), 'next');
  return choice === null ? null : answer(codeOf(choice), 'choice');
}

function byDefault(): Decision {
  return answer(approvedCode, 'default');
}

function byCard({ entry, now }: Circumstances): Decision | null {
  const { card, cvvDeclines, goodUntil } = entry;
  if (goodUntil <= now) return answer(expiredDecline, 'card');
  if (cvvDeclines) return answer(cvvDecline, 'card');
  switch (card.mode) {
    case 'challenge':
      return challenge(card.responseCode, true, 'card');
    case 'never-returns':
      return challenge(card.responseCode, false, 'card');
    case 'authentication-fails':
      return answer('3D', 'card');
    case 'directory-down':
      return answer('3U', 'card');
    case 'none':
    case 'attempted':
    case 'not-enrolled':
      return card.responseCode === approvedCode ? null : answer(card.responseCode, 'card');
  }
}

function byAmount({ amountMinor, currency }: Circumstances): Verdict | null {
  const magic = readMagicAmount(amountMinor, currency);
  const decidedBy = 'magic-amount';
  if (magic === null) return null;
  switch (magic.kind) {
    case 'answer':
      return { kind: 'answer', decidedBy, responseCode: magic.responseCode, ...magic.extras };
    case 'challenge':
      return challenge(magic.codeAfter, true, decidedBy);
    case 'wait':
      return { ...magic, decidedBy };
    case 'cut':
      return magic;
  }
}

function answer(responseCode: string, decidedBy: DecidedBy): Decision {
  const usual = { answer: usualAnswer, sideEffects: noSideEffects };
  return { kind: 'answer', responseCode, decidedBy, ...usual };
}

function challenge(codeAfter: string, returns: boolean, decidedBy: DecidedBy): Decision {
  return { kind: 'challenge', codeAfter, returns, decidedBy };
}
