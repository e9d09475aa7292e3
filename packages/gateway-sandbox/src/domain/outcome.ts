import { approvedCode, declineCodes } from './cards.ts';
import type { CardEntry } from './cards.ts';

/** The side effects of an outcome. Only magic amounts have unusual ones. */
export interface SideEffects {
  readonly webhook: WebhookPlan;
  /** The first refund after it is accepted and then fails. */
  readonly refundFails: boolean;
  readonly captureFails: boolean;
  /** How long the status endpoint still says PENDING. */
  readonly statusLagMs: number;
}

/** How the webhook of a payment's result is delivered. */
export interface WebhookPlan {
  /** How often it is delivered; 0 is never. */
  readonly copies: number;
  /** How late it is, in milliseconds of the sandbox clock. */
  readonly lateMs: number;
  /** Whether it has to arrive before the shopper is sent back. */
  readonly beforeRedirect: boolean;
}

/** What happens to the answer of the call that paid. */
export interface AnswerPlan {
  /** How long the answer is held back, in milliseconds. */
  readonly delayMs: number;
  readonly cut: boolean;
}

export const usualWebhook: WebhookPlan = { copies: 1, lateMs: 0, beforeRedirect: false };
export const usualAnswer: AnswerPlan = { delayMs: 0, cut: false };
export const noSideEffects: SideEffects = {
  webhook: usualWebhook,
  refundFails: false,
  captureFails: false,
  statusLagMs: 0,
};

/** The rule that decided a payment, in the sandbox's fixed order of precedence. */
export type DecidedBy = 'next' | 'choice' | 'card' | 'magic-amount' | 'default';

/** An outcome that a tester asks for, armed beforehand or chosen on the page. */
export type Outcome = 'approve' | 'decline' | `decline:${(typeof declineCodes)[number]}`;

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
type Verdict = Decision | { readonly kind: 'cut' };

interface Circumstances {
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
  const code = declineCodes.find((known) => value === `decline:${known}`);
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

const windowStartMinor = 990_000;
const windowEndMinor = 990_999;
const magicCurrency = 'SAR';
const secondMs = 1000;
const minuteMs = 60 * secondMs;

/** The verdict of a magic amount, or null when this is none; 9905.02 and the like say nothing. */
export function byAmount({
  amountMinor,
  currency,
}: Pick<Circumstances, 'amountMinor' | 'currency'>): Verdict | null {
  if (currency !== magicCurrency) return null;
  if (amountMinor < windowStartMinor || amountMinor > windowEndMinor) return null;
  const rule = Math.floor((amountMinor - windowStartMinor) / 100);
  const number = amountMinor % 100;
  const code = String(number).padStart(2, '0');
  const decidedBy = 'magic-amount';
  const approval = (changes: Changes) => answer(approvedCode, decidedBy, changes);
  switch (rule) {
    case 0:
      return answer(code, decidedBy);
    case 1:
      return challenge(code, true, decidedBy);
    case 2:
      return { kind: 'wait', forMs: number * minuteMs, responseCode: approvedCode, decidedBy };
    case 3:
      return { kind: 'wait', forMs: number * minuteMs, responseCode: plainDecline, decidedBy };
    case 4:
      return approval({ answer: { delayMs: number * secondMs, cut: false } });
    case 5:
      if (number === 0) return { kind: 'cut' };
      return number === 1 ? approval({ answer: { delayMs: 0, cut: true } }) : null;
    case 6:
      return approval({ webhook: { ...usualWebhook, copies: number } });
    // Before the redirect, never, or so many minutes late.
    case 7:
      if (number === 0) return approval({ webhook: { ...usualWebhook, beforeRedirect: true } });
      if (number === 99) return approval({ webhook: { ...usualWebhook, copies: 0 } });
      return approval({ webhook: { ...usualWebhook, lateMs: number * minuteMs } });
    case 8:
      if (number === 1) return approval({ refundFails: true });
      return number === 2 ? approval({ captureFails: true }) : null;
    default:
      return approval({ statusLagMs: number * secondMs });
  }
}

type Changes = Partial<SideEffects & { answer: AnswerPlan }>;

function answer(responseCode: string, decidedBy: DecidedBy, changes: Changes = {}): Decision {
  const { answer: plan = usualAnswer, ...effects } = changes;
  const sideEffects = { ...noSideEffects, ...effects };
  return { kind: 'answer', responseCode, decidedBy, answer: plan, sideEffects };
}

function challenge(codeAfter: string, returns: boolean, decidedBy: DecidedBy): Decision {
  return { kind: 'challenge', codeAfter, returns, decidedBy };
}
