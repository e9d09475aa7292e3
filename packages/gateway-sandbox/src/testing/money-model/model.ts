import { modelCards } from './moves.ts';
import type { ModelCard } from './moves.ts';

const hourMs = 3_600_000;

export interface ModelRefund {
  readonly id: string;
  readonly amount: number;
  readonly dueAt: number;
  readonly fails: boolean;
  result: 'pending' | 'done' | 'failed';
}

/** One payment as the model keeps it: plain numbers and flags that change in place. */
export interface ModelPayment {
  readonly id: string;
  readonly paymentId: string;
  readonly session: ModelSession | null;
  readonly isSale: boolean;
  readonly isAuthorization: boolean;
  readonly amount: number;
  readonly createdAt: number;
  readonly form: string | null;
  readonly token: string | null;
  /** The amount whose magic decided, or null. */
  readonly magic: number | null;
  state: 'open' | 'approved' | 'declined';
  challenge: {
    readonly id: string;
    readonly hangs: boolean;
    readonly code: string;
    wrong: number;
  } | null;
  /** When something happens to it by itself, and with which response code. */
  due: { readonly at: number; readonly code: string } | null;
  captured: number;
  isVoided: boolean;
  isRevoked: boolean;
  readonly refunds: ModelRefund[];
}

export interface ModelSession {
  readonly id: string;
  readonly amount: number;
  readonly order: string;
  expiresAt: number;
  paidBy: ModelPayment | null;
}

/** What the model says of a payment that is about to be made. */
export interface ModelVerdict {
  readonly by: 'next' | 'card' | 'magic-amount' | 'default';
  readonly code: string | null;
  readonly challenge: { readonly hangs: boolean; readonly code: string } | null;
  readonly waitMs: number | null;
}

interface Armed {
  readonly operation: string | null;
  readonly outcome: string;
}

/**
 * The gateway's money in the plainest words there are: no ledger, no timers, no persistent maps. It
 * was written from the specification and shares nothing with the core.
 */
export class Model {
  now: number;
  readonly sessions: ModelSession[] = [];
  readonly payments: ModelPayment[] = [];
  readonly armed: Armed[] = [];
  /** What webhooks have to tell, oldest first. */
  events: string[] = [];

  constructor(now: number) {
    this.now = now;
  }

  /** Lets happen what has fallen due, in the order of time. */
  catchUp(): void {
    for (;;) {
      const due = this.payments
        .flatMap((payment) => [
          ...(payment.state === 'open' && payment.due !== null
            ? [
                {
                  at: payment.due.at,
                  id: payment.challenge?.id ?? payment.id,
                  run: () => this.#settleDue(payment),
                },
              ]
            : []),
          ...payment.refunds
            .filter(({ result }) => result === 'pending')
            .map((refund) => ({
              at: refund.dueAt,
              id: refund.id,
              run: () => this.endRefund(refund, !refund.fails),
            })),
        ])
        .filter(({ at }) => at <= this.now)
        .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))[0];
      if (due === undefined) return;
      due.run();
    }
  }

  #settleDue(payment: ModelPayment): void {
    const isTaken = payment.challenge === null && (payment.session?.paidBy ?? null) !== null;
    this.settle(payment, isTaken ? '3P' : (payment.due?.code ?? ''));
  }

  /** The oldest armed outcome that fits is used up. */
  takeArmed(operation: string): string | null {
    const isPayment = operation !== 'refund' && operation !== 'capture';
    const index = this.armed.findIndex((armed) =>
      armed.operation === null ? isPayment : armed.operation === operation,
    );
    return index < 0 ? null : (this.armed.splice(index, 1)[0]?.outcome ?? null);
  }

  /** Armed, then card, then magic amount, then approve. Null: the connection is cut. */
  decide(
    armed: string | null,
    card: ModelCard,
    amount: number,
    isCharge: boolean,
  ): ModelVerdict | null {
    const plain = { challenge: null, waitMs: null };
    if (armed !== null) return { by: 'next', code: armed === 'approve' ? '00' : '51', ...plain };
    if (!isCharge) {
      if (card.mode === 'challenge' || card.mode === 'hangs') {
        const challenge = { hangs: card.mode === 'hangs', code: card.code };
        return { by: 'card', code: null, challenge, waitMs: null };
      }
      if (card.code !== '00') return { by: 'card', code: card.code, ...plain };
      const magic = magicVerdict(amount);
      if (magic !== undefined) return magic;
    }
    return { by: 'default', code: '00', ...plain };
  }

  settle(payment: ModelPayment, code: string): void {
    payment.due = null;
    payment.state = code === '00' ? 'approved' : 'declined';
    const type = payment.isAuthorization ? 'Authorization' : 'Purchase';
    const copies = payment.magic === 990_603 ? 3 : 1;
    this.tell(type, payment.state === 'approved' ? 'Approved' : 'Declined', payment.amount, copies);
    if (payment.state !== 'approved' || payment.isAuthorization) return;
    payment.captured = payment.amount;
    if (payment.session !== null) payment.session.paidBy = payment;
  }

  endRefund(refund: ModelRefund, succeeds: boolean): void {
    refund.result = succeeds ? 'done' : 'failed';
    this.tell('Refund', succeeds ? 'Approved' : 'Declined', refund.amount);
  }

  tell(type: string, status: string, amount: number, copies = 1): void {
    this.events.push(`${type} ${status} ${amount} x${copies}`);
  }

  sessionState(session: ModelSession): 'PAID' | 'EXPIRED' | 'PENDING' {
    if (session.paidBy !== null) return 'PAID';
    return this.now >= session.expiresAt ? 'EXPIRED' : 'PENDING';
  }

  /** What may still be refunded. */
  refundable({ captured, refunds }: ModelPayment): number {
    return refunds.reduce(
      (left, { amount, result }) => (result === 'failed' ? left : left - amount),
      captured,
    );
  }

  /** Why a token charges nothing, or null. */
  tokenFault(origin: ModelPayment, tokenOf: ModelPayment): string | null {
    const isGood =
      origin === tokenOf &&
      origin.token !== null &&
      origin.state === 'approved' &&
      !origin.isVoided;
    if (!isGood) return 'Invalid token';
    if (origin.isRevoked) return 'Token was revoked';
    return this.now >= origin.createdAt + 8760 * hourMs ? 'Token has expired' : null;
  }

  /** The status row that the wire has to show. */
  row(payment: ModelPayment): Record<string, string> {
    const { state, captured, isVoided, refunds, amount } = payment;
    const refunded = refunds.reduce(
      (sum, one) => (one.result === 'done' ? sum + one.amount : sum),
      0,
    );
    const lags = payment.magic === 990_930 && this.now < payment.createdAt + 30_000;
    const status =
      state === 'declined' || isVoided ? 'FAILED' : captured > 0 ? 'SUCCESS' : 'PENDING';
    const paymentStatus = { FAILED: 'DECLINED', SUCCESS: 'APPROVED', PENDING: 'PENDING' }[status];
    const refundStatus = refunded === 0 ? 'NONE' : refunded === captured ? 'FULL' : 'PARTIAL';
    return {
      amount: decimal(captured > 0 ? captured : amount),
      transactionStatus: lags ? 'PENDING' : status,
      paymentStatus: lags ? 'PENDING' : paymentStatus,
      refundStatus: lags ? 'NONE' : refundStatus,
      totalRefundAmount: decimal(lags ? 0 : refunded),
    };
  }
}

export function cardOf(index: number): ModelCard {
  const card = modelCards[index];
  if (card === undefined) throw new Error(`There is no card ${index}.`);
  return card;
}

function decimal(minor: number): string {
  return (minor / 100).toFixed(2);
}

/** Undefined: not magic. */
function magicVerdict(amount: number): ModelVerdict | null | undefined {
  const by = 'magic-amount' as const;
  const plain = { by, challenge: null, waitMs: null };
  switch (amount) {
    case 990_051:
      return { ...plain, code: '51' };
    case 990_151:
      return { by, code: null, challenge: { hangs: false, code: '51' }, waitMs: null };
    case 990_200:
      return { by, code: '00', challenge: null, waitMs: 0 };
    case 990_301:
      return { by, code: '05', challenge: null, waitMs: 60_000 };
    case 990_500:
      return null;
    case 990_501:
    case 990_603:
    case 990_801:
    case 990_802:
    case 990_930:
      return { ...plain, code: '00' };
    default:
      return undefined;
  }
}
