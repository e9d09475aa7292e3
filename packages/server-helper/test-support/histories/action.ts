import type { MoneyStep } from '../money-steps.ts';
import type { OrderId } from '../order-ids.ts';
import type { GatewayMood } from '../simulated-answers.ts';

/** Why a person accepts money. */
export const ACCEPTED = 'accepted by a person';

/** What happens at the gateway to an order's money, and no call of ours causes. */
export interface ElsewhereDeed {
  readonly kind: 'elsewhere';
  readonly orderId: OrderId;
  readonly what: 'refund-part' | 'refund-rest' | 'reversal' | 'second-charge';
  /** Which of the order's transactions. */
  readonly pick: number;
}

/** One thing that a person, a process or the gateway does. */
export type Deed =
  | { readonly kind: 'want-to-pay' | 'confirm' | 'cancel'; readonly orderId: OrderId }
  /** A person resolves what is open of an order, and lets it be paid anew. */
  | { readonly kind: 'reopen'; readonly orderId: OrderId }
  /** A person accepts what the gateway's dashboard shows as paid. */
  | { readonly kind: 'accept'; readonly orderId: OrderId }
  | {
      readonly kind: 'return';
      readonly orderId: OrderId;
      /** What the address says that the shopper comes back to. */
      readonly claims: 'success' | 'failure';
    }
  | { readonly kind: 'poll'; readonly orderId: OrderId }
  | {
      readonly kind: 'webhook';
      readonly orderId: OrderId;
      readonly attemptNumber: number;
      /** What an attacker writes instead of an attempt's name. */
      readonly garbage: string | null;
    }
  | {
      readonly kind: 'pay';
      readonly orderId: OrderId;
      readonly pick: number;
      readonly isApproved: boolean;
      /** What the gateway takes instead of the amount, by a fault of its own. */
      readonly oddMinorUnits: number | null;
    }
  | {
      readonly kind: 'reprice';
      readonly orderId: OrderId;
      /** `null`: the order vanishes. */
      readonly amount: string | null;
    }
  | { readonly kind: 'mood'; readonly mood: GatewayMood }
  /** The clock of the shop's machine runs ahead for a while. */
  | { readonly kind: 'leap'; readonly aheadMs: number; readonly forMs: number }
  | { readonly kind: 'tick' }
  /** An operator moves the logs of all that is settled to the archive. */
  | { readonly kind: 'archive' }
  | { readonly kind: 'crash'; readonly downMs: number }
  | ElsewhereDeed
  | MoneyStep;

/** A deed, how long after the one before it, and which process has to do with it. */
export interface Action {
  readonly gapMs: number;
  readonly process: number;
  readonly deed: Deed;
}

/** How much goes wrong by chance, beside what the deeds do. */
export interface FaultProfile {
  /** Of the store's calls, how many fail before, fail after, or hang. */
  readonly storeFaults: number;
  /** Of all calls, how many are slow. */
  readonly slowness: number;
  /** Of the merchant's handlers, how many fail. */
  readonly handlerFaults: number;
  /** Whether the second process has handlers too; without them it must leave events to the first. */
  readonly hasHandlersEverywhere: boolean;
}

/** One history: all of it follows from this. */
export interface History {
  readonly seed: number;
  readonly faultProfile: FaultProfile;
  readonly actions: readonly Action[];
}
