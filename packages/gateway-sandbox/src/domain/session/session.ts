/** The gateway's two environments; a credential and a checkout session belong to exactly one. */
export type Environment = 'staging' | 'production';

/** §2.1: a checkout session can be paid for 48 hours after its creation. */
export const sessionLifeMs = 48 * 60 * 60 * 1000;

export interface Session {
  readonly id: string;
  /**
   * A payment link's session is the specification's. A sale and a recurring charge get one of their
   * own inside the sandbox only: no page shows it, nothing else pays it, and the wire never names it.
   */
  readonly kind: 'link' | 'sale' | 'recurring';
  readonly environment: Environment;
  readonly merchantOrderId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly customerName: string | null;
  /**
   * The key of the customer's phone, whose saved cards the page offers; null when no phone is
   * known.
   */
  readonly customerKey: string | null;
  readonly successUrl: string;
  readonly failureUrl: string;
  /** Epoch milliseconds of the sandbox clock. */
  readonly createdAt: number;
  readonly expiresAt: number;
  /** The transaction that paid the session; null while nothing has. */
  readonly paidBy: string | null;
  /** In the order of the payment attempts, which is the order of the status rows. */
  readonly transactionIds: readonly string[];
}

/** PENDING and PAID are the specification's; EXPIRED is the sandbox's own word (N3). */
export type SessionState = 'PENDING' | 'PAID' | 'EXPIRED';

/** A session's state at `now`: it is payable before `expiresAt` and no longer at it. */
export function sessionState(session: Session, now: number): SessionState {
  if (session.paidBy !== null) return 'PAID';
  return now < session.expiresAt ? 'PENDING' : 'EXPIRED';
}
