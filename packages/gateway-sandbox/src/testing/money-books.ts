import type { GatewayEvent } from '../domain/events.ts';

const refundSettlesMs = 2000;
const tokenLifeMs = 8760 * 3_600_000;

interface Refund {
  readonly amount: number;
  readonly dueAt: number;
  result: 'pending' | 'Approved' | 'Declined';
}

/** One payment: plain numbers and flags that change in place. */
export interface Payment {
  readonly id: string;
  readonly paymentId: string;
  readonly session: Session | null;
  readonly isAuthorization: boolean;
  readonly amount: number;
  readonly createdAt: number;
  readonly form: string | null;
  readonly token: string | null;
  readonly challengeId: string | null;
  state: 'open' | 'Approved' | 'Declined';
  captured: number;
  isVoided: boolean;
  isRevoked: boolean;
  readonly refunds: Map<string, Refund>;
}

export interface Session {
  readonly id: string;
  readonly amount: number;
  readonly order: string;
  expiresAt: number;
}

/**
 * The books of a merchant who believes the gateway's decisions and events, and counts the money
 * anew: no ledger and no timers. They were written from the specification and share nothing with
 * the core.
 */
export class Books {
  now: number;
  readonly sessions: Session[] = [];
  readonly payments: Payment[] = [];

  constructor(now: number) {
    this.now = now;
  }

  /** Books one event. Throws where the money of the payment does not allow it. */
  book({ transactionId, entryId, type, status, amountMinor }: GatewayEvent): void {
    const payment = this.payments.find(({ id }) => id === transactionId);
    if (payment === undefined) throw new Error(`An event is about no payment: ${transactionId}.`);
    const demand = (isAllowed: boolean) => {
      const what = `${type} ${status}`;
      if (!isAllowed) throw new Error(`The money of ${transactionId} does not allow ${what}.`);
    };
    const refund = payment.refunds.get(entryId);
    const expected = type === 'Capture' ? amountMinor : payment.amount;
    demand(amountMinor === (refund?.amount ?? expected));
    if (status === 'Pending' || status === 'Redirect') {
      demand(payment.state === 'open');
    } else if (type === 'Refund') {
      demand(refund?.result === 'pending');
      if (refund !== undefined) refund.result = status;
    } else if (type === 'Capture' || type === 'Void') {
      demand(authorizationFault(payment) === null && amountMinor <= payment.amount);
      if (status === 'Declined') return;
      if (type === 'Void') payment.isVoided = true;
      else payment.captured = amountMinor;
    } else {
      demand(payment.state === 'open' && payment.isAuthorization === (type === 'Authorization'));
      demand(status === 'Declined' || this.paidBy(payment.session) === null);
      payment.state = status;
      if (status === 'Approved' && !payment.isAuthorization) payment.captured = payment.amount;
    }
  }

  addRefund(payment: Payment, id: string, amount: number): void {
    payment.refunds.set(id, { amount, dueAt: this.now + refundSettlesMs, result: 'pending' });
  }

  /** The payment that paid a session; a sale has none of the books' sessions. */
  paidBy(session: Session | null): Payment | null {
    if (session === null) return null;
    return this.payments.find((one) => one.session === session && one.captured > 0) ?? null;
  }

  /** Refunds that ought to have settled and have not. */
  overdueRefunds(): readonly Refund[] {
    const refunds = this.payments.flatMap((payment) => [...payment.refunds.values()]);
    return refunds.filter(({ result, dueAt }) => result === 'pending' && dueAt <= this.now);
  }

  /** Why a token charges nothing, or null. */
  tokenFault(origin: Payment, { token }: Payment): string | null {
    const { state, isVoided, isRevoked, createdAt } = origin;
    const isGood = token !== null && origin.token === token && state === 'Approved' && !isVoided;
    if (!isGood) return 'Invalid token';
    if (isRevoked) return 'Token was revoked';
    return this.now >= createdAt + tokenLifeMs ? 'Token has expired' : null;
  }
}

/** The amount that may still be refunded. */
export function refundable({ captured, refunds }: Payment): number {
  return captured - sumOf(refunds, 'pending') - sumOf(refunds, 'Approved');
}

/** Why no amount is held, or null. */
export function authorizationFault(payment: Payment): string | null {
  if (!payment.isAuthorization) return 'no-authorization';
  if (payment.captured > 0) return 'already-captured';
  if (payment.isVoided) return 'voided';
  return payment.state === 'Approved' ? null : 'not-authorized';
}

/** The status row that the wire has to show. */
export function rowOf(payment: Payment): Record<string, string> {
  const { state, captured, isVoided, refunds, amount } = payment;
  const refunded = sumOf(refunds, 'Approved');
  const status = state === 'Declined' || isVoided ? 'FAILED' : captured > 0 ? 'SUCCESS' : 'PENDING';
  return {
    amount: decimal(captured > 0 ? captured : amount),
    transactionStatus: status,
    paymentStatus: { FAILED: 'DECLINED', SUCCESS: 'APPROVED', PENDING: 'PENDING' }[status],
    refundStatus: refunded === 0 ? 'NONE' : refunded === captured ? 'FULL' : 'PARTIAL',
    totalRefundAmount: decimal(refunded),
  };
}

function sumOf(refunds: Payment['refunds'], wanted: Refund['result']): number {
  const counted = [...refunds.values()].filter(({ result }) => result === wanted);
  return counted.reduce((sum, { amount }) => sum + amount, 0);
}

const decimal = (minor: number): string => (minor / 100).toFixed(2);
