import type { GatewayEvent } from '../../domain/events.ts';

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
 * anew: no ledger, no timers, no persistent maps. They were written from the specification and share
 * nothing with the core.
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
    const refuse = () => {
      throw new Error(`The money of ${transactionId} does not allow ${type} ${status}.`);
    };
    const refund = payment.refunds.get(entryId);
    if (amountMinor !== (refund?.amount ?? (type === 'Capture' ? amountMinor : payment.amount))) {
      refuse();
    }
    if (status === 'Pending' || status === 'Redirect') {
      if (payment.state !== 'open') refuse();
    } else if (type === 'Refund') {
      if (refund?.result !== 'pending') refuse();
      else refund.result = status;
    } else if (type === 'Capture' || type === 'Void') {
      if (authorizationFault(payment) !== null || amountMinor > payment.amount) refuse();
      if (status === 'Declined') return;
      if (type === 'Void') payment.isVoided = true;
      else payment.captured = amountMinor;
    } else {
      if (payment.state !== 'open') refuse();
      if (payment.isAuthorization !== (type === 'Authorization')) refuse();
      if (status === 'Approved' && this.paidBy(payment.session) !== null) refuse();
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
  tokenFault(origin: Payment, tokenOf: Payment): string | null {
    const isGood =
      origin === tokenOf &&
      origin.token !== null &&
      origin.state === 'Approved' &&
      !origin.isVoided;
    if (!isGood) return 'Invalid token';
    if (origin.isRevoked) return 'Token was revoked';
    return this.now >= origin.createdAt + tokenLifeMs ? 'Token has expired' : null;
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

function decimal(minor: number): string {
  return (minor / 100).toFixed(2);
}
