import type { CardEntry } from './card-entry.ts';
import type { LinkRequest } from './link-request.ts';
import type { Outcome } from './outcome.ts';
import type { PortalCommands } from './portal/portal-commands.ts';
import type { Environment, Session } from './session.ts';
import type { Transaction } from './transaction.ts';
import type { ArmedOutcome, Tenant } from './state.ts';

/** What the shopper does on the 3-D Secure page. */
export type ChallengeAction = { readonly otp: string } | { readonly action: 'fail' | 'cancel' };

/** The answer to a payment attempt. */
export type PayReply =
  | {
      /** `repeat` marks a second submission of the same form, which made no transaction. */
      readonly kind: 'decided';
      readonly session: Session;
      readonly transaction: Transaction;
      readonly repeat: boolean;
    }
  | { readonly kind: 'unknown-session' }
  | { readonly kind: 'already-paid'; readonly session: Session }
  | { readonly kind: 'expired'; readonly session: Session };

export type ChallengeReply =
  | {
      readonly kind: 'answered';
      readonly session: Session;
      readonly transaction: Transaction;
    }
  | { readonly kind: 'unknown-challenge' };

/** Every command of the core: what it is given, and what it replies. */
export interface Commands extends PortalCommands {
  'create-link': {
    given: { environment: Environment; request: LinkRequest };
    reply: { kind: 'created'; session: Session } | { kind: 'order-id-taken' };
  };
  pay: {
    given: {
      sessionId: string;
      entry: CardEntry;
      choice: Outcome | null;
      formKey: string | null;
    };
    reply: PayReply;
  };
  'answer-challenge': { given: { challengeId: string } & ChallengeAction; reply: ChallengeReply };
  'expire-session': {
    given: { sessionId: string };
    reply:
      | { kind: 'expired'; session: Session }
      | { kind: 'already-paid'; session: Session }
      | { kind: 'unknown-session' };
  };
  'arm-next': { given: ArmedOutcome; reply: { armed: ArmedOutcome } };
  'freeze-clock': { given: object; reply: { now: number } };
  /** `rate`: the seconds that pass in a real one; 1 unless told. */
  'resume-clock': { given: { rate?: number }; reply: { now: number } };
  'advance-clock': {
    given: { byMs: number } | { toMs: number };
    /** `pausedAt`: an outward effect happened there, and its outcome comes before later timers. */
    reply:
      | { kind: 'advanced'; now: number; pausedAt: number | null }
      | { kind: 'in-the-past'; now: number };
  };
  /** Fires what has fallen due, and nothing else. */
  tick: { given: object; reply: { kind: 'ticked' } };
  reset: { given: object; reply: { kind: 'reset' } };
  'open-tenant': { given: { seed: string | null }; reply: { kind: 'opened' } };
  'switch-merchant': { given: { isFound: boolean }; reply: { isFound: boolean } };
}

export type CommandKind = keyof Commands;
export type Command<Kind extends CommandKind> = { kind: Kind; tenant: string } & {
  [K in CommandKind]: Commands[K]['given'];
}[Kind];
export type Reply<Kind extends CommandKind> = Commands[Kind]['reply'];

/** Something that happened to the tenant's resources, for the timeline and for `advance`. */
export interface Effect {
  /** Epoch milliseconds of the sandbox clock. */
  readonly at: number;
  readonly kind:
    | 'session-created'
    | 'session-paid'
    | 'session-expired'
    | 'transaction-declined'
    | 'challenge-opened'
    | 'challenge-timed-out'
    | 'webhook-due'
    | 'clock-changed';
  /** The session's, transaction's or challenge's id; a clock's change bears what it does now. */
  readonly id: string;
}

/** Chance that comes in through the door. */
export interface Randomness {
  uuid(): string;
  digits(count: number): string;
}

/** The chance of one occasion; the same occasion draws the same. */
export type Chance = (occasion: number | string) => Randomness;

/** What a command's handler sees besides the tenant. */
export interface Moment {
  /** The machine's clock; only the tenant's clock setting is computed from it. */
  readonly realNow: number;
  /** The tenant's clock, before the command. */
  readonly now: number;
  readonly random: Randomness;
  /** For the timers that the command fires; a handler itself draws from `random`. */
  readonly chance: Chance;
}

export interface Step<Kind extends CommandKind> {
  readonly tenant: Tenant;
  readonly reply: Reply<Kind>;
  readonly effects: readonly Effect[];
}

export type Handler<Kind extends CommandKind> = (
  tenant: Tenant,
  command: Command<Kind>,
  moment: Moment,
) => Step<Kind>;
