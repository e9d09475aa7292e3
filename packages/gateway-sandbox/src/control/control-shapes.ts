import type { ArmableOperation } from '../domain/state.ts';
import type { DecidedBy } from '../domain/transaction/outcome.ts';
import type { StatusRow } from '../domain/transaction/status-rows.ts';
import type { Fault, FaultKind, FaultOperation, FaultPlace } from '../faults/fault.ts';
import type { ProfileName } from '../faults/profiles.ts';

/** The options of a new tenant. */
export interface TenantOptions {
  /** 1 to 40 small letters, digits and dashes; left out, the sandbox picks one. */
  readonly id?: string;
  /** The tenant's ids and keys follow from it; left out, from the sandbox's seed. */
  readonly seed?: string;
}

/** A tenant's addresses and credentials. */
export interface TenantInfo {
  readonly id: string;
  /** The sandbox's own address. */
  readonly url: string;
  /** Staging's base address; it ends in `/v1`. */
  readonly baseUrl: string;
  readonly productionBaseUrl: string;
  readonly apiKey: string;
  readonly productionApiKey: string;
  readonly portal: { readonly username: string; readonly password: string };
  /** The password in the hash of a direct sale (N8). */
  readonly salePassword: string;
  /** `not-found`: every call gets the 401 of a merchant that the gateway does not know (§7). */
  readonly merchant: 'found' | 'not-found';
}

/** A sandbox, and the tenant that was asked for. */
export interface SandboxInfo extends TenantInfo {
  readonly version: string;
  readonly seed: string;
  readonly policy: readonly string[];
  /** `rate` only where it is not 1. */
  readonly clock: {
    readonly now: string;
    readonly state: 'running' | 'frozen';
    readonly rate?: number;
  };
}

/** The tenant's clock, ISO 8601. */
export interface ClockReply {
  readonly now: string;
}

export interface AdvanceReply extends ClockReply {
  readonly fired: readonly { readonly at: string; readonly kind: string; readonly id: string }[];
}

export interface NextOutcome {
  /** `approve`, `decline`, or `decline:RR` with a response code. */
  readonly outcome: string;
  /** Left out: the next payment. `refund` and `capture` are declined when they come to it. */
  readonly operation?: ArmableOperation;
  /** Left out: the next payment of any order. */
  readonly merchantOrderId?: string;
}

/** A test card. Absent fields get valid values. */
export interface ControlCard {
  readonly number: string;
  readonly expiryMonth?: string;
  readonly expiryYear?: string;
  readonly cvv?: string;
}

/** The means of payment for a session. */
export type ControlMeans =
  | { readonly card: ControlCard }
  | { readonly applePay: true }
  | {
      /** The id of a card that this customer paid with before. */
      readonly savedCard: string;
    };

export interface ControlSession {
  readonly id: string;
  readonly environment: 'staging' | 'production';
  readonly merchantOrderId: string;
  readonly amount: string;
  readonly currency: string;
  readonly state: 'PENDING' | 'PAID' | 'EXPIRED';
  readonly redirectUrl: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** A session with all that happened in it. */
export interface ControlSessionDetails {
  readonly session: ControlSession;
  /** Every attempt, oldest first, without the lag of a magic amount. */
  readonly transactions: readonly StatusRow[];
  /** The cards that this customer paid with before, which the page offers. */
  readonly savedCards: readonly {
    readonly id: string;
    readonly pan: string;
    readonly cardScheme: string;
  }[];
}

export interface ControlPayment {
  readonly session: ControlSession;
  readonly transaction: StatusRow;
  readonly decidedBy: DecidedBy;
  /** Only while a 3-D Secure challenge is open. */
  readonly challenge?: { readonly id: string };
}

export type ChallengeAnswer =
  | { readonly otp: string }
  | { readonly action: 'approve' | 'fail' | 'cancel' | 'hang' };

export interface RequestFilter {
  /** A method name of the client, such as `createPaymentLink`. */
  readonly operation?: string;
  readonly merchantOrderId?: string;
  /** The HTTP status that the caller saw. */
  readonly status?: number;
}

/** How many requests are expected: `count`, or bounds. */
export interface Verification extends RequestFilter {
  readonly count?: number;
  readonly atLeast?: number;
  readonly atMost?: number;
}

export interface VerifyReply {
  readonly ok: boolean;
  /** How many there were. */
  readonly count: number;
  /** False once old requests were dropped, so that `count` may be too small. */
  readonly complete: boolean;
}

export interface ControlSnapshot {
  readonly id: string;
  /** ISO 8601, the tenant's clock. */
  readonly at: string;
  /** How many checkout sessions are in it. */
  readonly sessions: number;
}

/** A fault to arm. Absent fields have their defaults. */
export interface ControlFault {
  /** Left out: every operation. `hostedPage` is the forms of the hosted pages. */
  readonly operation?: FaultOperation;
  /** Left out: every order. */
  readonly merchantOrderId?: string;
  readonly place: FaultPlace;
  readonly kind: FaultKind;
  /** How many calls, by default 1. Null: until it is lifted. */
  readonly count?: number | null;
  /** Meets every n-th call; by default each. */
  readonly every?: number;
  /** HTTP status of the kinds `status` (by default 500) and `html` (503). */
  readonly status?: number;
  /** Seconds of a `Retry-After` header with `status` and `html`; left out, no header. */
  readonly retryAfterSeconds?: number;
  /**
   * Milliseconds: the delay of `latency` (by default 2000) and `late` (60,000, on the tenant's
   * clock), and how far behind a `stale` answer is (30,000).
   */
  readonly latencyMs?: number;
  /** Where `redirect` leads. */
  readonly location?: string;
  /** How often `duplicate` delivers, in all; by default 2. */
  readonly times?: number;
}

/** The faults that wait for calls and deliveries. */
export interface ControlFaults {
  /** The last profile that was set; `healthy` when none was. */
  readonly profile: ProfileName;
  readonly faults: readonly Fault[];
}

export interface LedgerFilter {
  readonly merchantOrderId?: string;
  readonly transactionId?: string;
}

/** One transaction's movements of money; amounts are texts with two decimals. */
export interface ControlLedger {
  readonly transactionId: string;
  readonly sessionId: string;
  readonly merchantOrderId: string;
  readonly currency: string;
  readonly authorized: string;
  readonly captured: string;
  /** The refunded amount that has settled. */
  readonly refunded: string;
  /** The refunded amount that was accepted and has not settled. */
  readonly pendingRefund: string;
  readonly refundable: string;
  readonly entries: readonly {
    readonly id: string;
    readonly kind: 'purchase' | 'authorization' | 'capture' | 'void' | 'refund';
    readonly amount: string;
    readonly result: 'pending' | 'done' | 'failed';
    readonly createdAt: string;
    readonly finishedAt: string | null;
    readonly reason: string | null;
  }[];
}

export interface InvariantsReply {
  readonly ok: boolean;
  /** The rule, and the session or transaction that breaks it. */
  readonly violations: readonly { readonly rule: string; readonly id: string }[];
}
