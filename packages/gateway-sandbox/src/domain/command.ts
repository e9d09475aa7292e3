import type { Effect } from './effect.ts';
import type { Balance, LedgerEntry } from './money/ledger.ts';
import type { RecurringOrder } from './money/money-requests.ts';
import type { PortalCommands } from './portal/portal-commands.ts';
import type { LinkRequest } from './session/link-request.ts';
import type { Environment, Session } from './session/session.ts';
import type { ArmedOutcome, Snapshot, Tenant } from './state.ts';
import type { CardEntry } from './transaction/card-entry.ts';
import type { IdTrap, TransactionName } from './transaction/find-transaction.ts';
import type { AnswerPlan } from './transaction/magic-amount.ts';
import type { Outcome } from './transaction/outcome.ts';
import type { SaleRequest } from './transaction/sale-request.ts';
import type { AuthorizationRefusal, Transaction } from './transaction/transaction.ts';
import type { DeliveryCommands } from './webhooks/delivery.ts';

/** The means of payment on the hosted page. */
export type PaymentMeans =
  | { readonly kind: 'card'; readonly entry: CardEntry }
  | { readonly kind: 'apple-pay' }
  | { readonly kind: 'saved-card'; readonly savedCardId: string };

/** The action of the shopper on the 3-D Secure page. */
export type ChallengeAction = { readonly otp: string } | { readonly action: 'fail' | 'cancel' };

/** A decided payment, and the fate of the answer that reports it. */
interface Decided {
  readonly kind: 'decided';
  readonly session: Session;
  readonly transaction: Transaction;
  readonly answer: AnswerPlan;
}

/** The answer to a payment attempt. */
export type PayReply =
  | Decided
  /** A second submission of the same form made no transaction. */
  | { readonly kind: 'repeated'; readonly session: Session; readonly transaction: Transaction }
  | { readonly kind: 'unknown-session' }
  | { readonly kind: 'already-paid'; readonly session: Session }
  | { readonly kind: 'expired'; readonly session: Session }
  /** The session ended with its first failure. */
  | { readonly kind: 'closed'; readonly session: Session }
  | { readonly kind: 'unknown-saved-card'; readonly session: Session }
  /** Apple Pay needs the customer's phone. */
  | { readonly kind: 'phone-missing'; readonly session: Session }
  /** Nothing was committed; the connection is to be cut. */
  | { readonly kind: 'cut'; readonly session: Session };

export type SaleReply = Decided | { readonly kind: 'cut' };

interface UnknownTransaction {
  readonly kind: 'unknown-transaction';
  readonly trap: IdTrap | null;
}

/** A movement that was taken on. */
interface Accepted {
  readonly kind: 'accepted';
  readonly session: Session;
  readonly transaction: Transaction;
  readonly entry: LedgerEntry;
}

export type RefundReply =
  | Accepted
  | UnknownTransaction
  | {
      readonly kind: 'nothing-taken' | 'above-balance';
      readonly transaction: Transaction;
      readonly balance: Balance;
    };

export type CaptureReply =
  | Accepted
  | UnknownTransaction
  | { readonly kind: AuthorizationRefusal | 'above-authorized' }
  | { readonly kind: 'declined'; readonly reason: string };

export type VoidReply = Accepted | UnknownTransaction | { readonly kind: AuthorizationRefusal };

export type RecurringReply =
  | UnknownTransaction
  | { readonly kind: 'decided'; readonly session: Session; readonly transaction: Transaction }
  /** The token is invalid; no transaction was made. */
  | { readonly kind: 'declined'; readonly reason: string };

export type ChallengeReply =
  | {
      readonly kind: 'answered';
      readonly session: Session;
      readonly transaction: Transaction;
    }
  | { readonly kind: 'unknown-challenge' };

/** Every command of the core, with its input and its reply. */
export interface Commands extends PortalCommands, DeliveryCommands {
  'create-link': {
    given: { environment: Environment; request: LinkRequest };
    reply: { kind: 'created'; session: Session } | { kind: 'order-id-taken' };
  };
  pay: {
    given: {
      sessionId: string;
      means: PaymentMeans;
      choice: Outcome | null;
      formKey: string | null;
      /** Whether the first failure of a session ends it (N2). */
      closesOnFailure?: boolean;
    };
    reply: PayReply;
  };
  sale: {
    given: { environment: Environment; request: SaleRequest; entry: CardEntry };
    reply: SaleReply;
  };
  refund: { given: TransactionName & { amountMinor: number }; reply: RefundReply };
  capture: { given: TransactionName & { amountMinor: number }; reply: CaptureReply };
  void: { given: TransactionName; reply: VoidReply };
  'charge-recurring': {
    given: TransactionName & {
      recurringToken: string;
      amountMinor: number;
      order: RecurringOrder;
    };
    reply: RecurringReply;
  };
  'revoke-token': {
    given: { recurringToken: string };
    reply: { kind: 'revoked'; transactionId: string } | { kind: 'unknown-token' };
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
  /** `rate`: the seconds that pass in a real one, by default 1. */
  'resume-clock': { given: { rate?: number }; reply: { now: number } };
  'advance-clock': {
    given: { byMs: number } | { toMs: number };
    /** `pausedAt`: an outward effect happened there, and its outcome comes before later timers. */
    reply:
      | { kind: 'advanced'; now: number; pausedAt: number | null }
      | { kind: 'in-the-past'; now: number };
  };
  /** Fires the timers that are due, and nothing else. */
  tick: { given: object; reply: { kind: 'ticked' } };
  /** Ends an accepted refund before its time. */
  'end-refund': {
    given: { refundId: string; succeeds: boolean };
    reply:
      | { kind: 'ended'; session: Session; transaction: Transaction }
      | { kind: 'already-ended'; entry: LedgerEntry }
      | { kind: 'unknown-refund' };
  };
  /** Decides every payment that no armed outcome decides; null lets them go their way again. */
  'set-profile-outcome': { given: { outcome: Outcome | null }; reply: { kind: 'set' } };
  'create-snapshot': {
    given: { id: string };
    reply: { kind: 'created'; snapshot: Snapshot } | { kind: 'too-many' };
  };
  'restore-snapshot': {
    given: { id: string };
    reply: { kind: 'restored'; snapshot: Snapshot } | { kind: 'unknown' };
  };
  'delete-snapshot': { given: { id: string }; reply: { kind: 'deleted' } | { kind: 'unknown' } };
  reset: { given: object; reply: { kind: 'reset' } };
  'open-tenant': { given: { seed: string | null }; reply: { kind: 'opened' } };
  'switch-merchant': { given: { isFound: boolean }; reply: { isFound: boolean } };
}

export type CommandKind = keyof Commands;
export type Command<Kind extends CommandKind> = { kind: Kind; tenant: string } & {
  [K in CommandKind]: Commands[K]['given'];
}[Kind];
export type Reply<Kind extends CommandKind> = Commands[Kind]['reply'];

/** Randomness, as a parameter. */
export interface Randomness {
  uuid(): string;
  digits(count: number): string;
}

/** The randomness of one occasion; the same occasion draws the same values. */
export type Chance = (occasion: number | string) => Randomness;

/** The context of a command's handler besides the tenant. */
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

/** The result of a handler: the tenant afterwards, the reply, and the effects. */
export function respond<const Answer>(
  tenant: Tenant,
  reply: Answer,
  effects: readonly Effect[] = [],
): { readonly tenant: Tenant; readonly reply: Answer; readonly effects: readonly Effect[] } {
  return { tenant, reply, effects };
}
