import type { CardEntry } from './card-entry.ts';
import { approvedCode, issuerDeclineCodes } from './response-codes.ts';

/** The rule that decided a payment, in the sandbox's fixed order of precedence. */
export type DecidedBy = 'next' | 'choice' | 'card' | 'default';

/** An outcome that a tester asks for, armed beforehand or chosen on the page. */
export type Outcome = 'approve' | 'decline' | `decline:${(typeof issuerDeclineCodes)[number]}`;

/** What happens to a payment: an answer at once, or a challenge first. */
export type Verdict =
  | { readonly kind: 'answer'; readonly responseCode: string; readonly decidedBy: DecidedBy }
  | {
      readonly kind: 'challenge';
      readonly codeAfter: string;
      readonly returns: boolean;
      readonly decidedBy: DecidedBy;
    };

const plainDecline = '05';
const cvvDecline = '82';

/** Reads `approve`, `decline` or `decline:RR`; null for anything else. */
export function readOutcome(value: unknown): Outcome | null {
  if (value === 'approve' || value === 'decline') return value;
  const code = issuerDeclineCodes.find((known) => value === `decline:${known}`);
  return code === undefined ? null : `decline:${code}`;
}

/**
 * Armed one-shot, then the tester's choice, then the card, then approve. A card that approves
 * without a challenge decides nothing, so the rule named for it is `default`.
 */
export function decide(
  armed: Outcome | null,
  choice: Outcome | null,
  { card, cvvDeclines }: CardEntry,
): Verdict {
  if (armed !== null) return answer(codeOf(armed), 'next');
  if (choice !== null) return answer(codeOf(choice), 'choice');
  if (cvvDeclines) return answer(cvvDecline, 'card');
  switch (card.mode) {
    case 'challenge':
      return challenge(card.responseCode, true);
    case 'never-returns':
      return challenge(card.responseCode, false);
    case 'authentication-fails':
      return answer('3D', 'card');
    case 'directory-down':
      return answer('3U', 'card');
    case 'none':
    case 'attempted':
    case 'not-enrolled':
      return answer(card.responseCode, card.responseCode === approvedCode ? 'default' : 'card');
  }
}

function codeOf(outcome: Outcome): string {
  if (outcome === 'approve') return approvedCode;
  return outcome === 'decline' ? plainDecline : outcome.slice('decline:'.length);
}

function answer(responseCode: string, decidedBy: DecidedBy): Verdict {
  return { kind: 'answer', responseCode, decidedBy };
}

function challenge(codeAfter: string, returns: boolean): Verdict {
  return { kind: 'challenge', codeAfter, returns, decidedBy: 'card' };
}
