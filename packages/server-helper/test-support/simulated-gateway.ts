import { randomUUID } from 'node:crypto';
import { GatewayError, type Outcome } from '../src/gateway/gateway-error.ts';
import type { GatewayClient } from '../src/gateway/gateway-client.ts';
import type { PaymentLink, PaymentLinkInput } from '../src/gateway/schemas/payment-link.ts';
import type { Transaction } from '../src/gateway/schemas/status.ts';
import type { OperationName } from '../src/gateway/operations.ts';
import { sessionId, transactionId } from '../src/ids.ts';
import { formatAmount } from '../src/money.ts';
import { SESSION_LIFETIME_MS } from '../src/payments/attempt.ts';

/** What the simulated gateway does instead of just answering. */
export type GatewayMood =
  | 'well'
  | 'create-refused'
  | 'create-answer-lost'
  | 'status-unreachable'
  | 'status-pending'
  | 'status-wrong-amount'
  | 'status-unknown-words';

/** A session as the gateway knows it. */
export interface SimulatedSession {
  readonly id: string;
  readonly orderId: string;
  readonly amount: string;
  readonly createdAt: number;
  readonly transactions: { id: string; isApproved: boolean }[];
}

/** The gateway's truth, in memory, with moods; for histories that real sockets would be too slow for. */
export class SimulatedGateway implements Pick<
  GatewayClient,
  'createPaymentLink' | 'retrieveStatus'
> {
  mood: GatewayMood = 'well';
  readonly sessions = new Map<string, SimulatedSession>();
  readonly #names = new Set<string>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  async createPaymentLink(input: PaymentLinkInput): Promise<PaymentLink> {
    await Promise.resolve();
    if (this.mood === 'create-refused') throw failure('createPaymentLink', 'rejected');
    if (this.#names.has(input.merchantOrderId)) throw failure('createPaymentLink', 'rejected');
    this.#names.add(input.merchantOrderId);
    const id = randomUUID();
    const { amount } = input;
    const orderId = input.merchantOrderId.split('~')[0] ?? '';
    this.sessions.set(id, {
      id,
      orderId,
      amount: typeof amount === 'string' ? amount : formatAmount(amount.minorUnits),
      createdAt: this.#now(),
      transactions: [],
    });
    await Promise.resolve();
    if (this.mood === 'create-answer-lost') throw failure('createPaymentLink', 'unknown');
    return {
      sessionId: sessionId(id),
      redirectUrl: `https://gateway.example/checkout?sessionId=${id}`,
    };
  }

  async retrieveStatus(id: { sessionId: string } | { transactionId: string }) {
    await Promise.resolve();
    if (this.mood === 'status-unreachable') throw failure('retrieveStatus', 'unknown');
    const session = this.sessions.get('sessionId' in id ? id.sessionId : '');
    if (session === undefined)
      throw new Error('a status was asked with an id that is no session of ours');
    const transactions = session.transactions.map((one) => this.#row(session, one));
    await Promise.resolve();
    return { transactions };
  }

  /** The shopper types a card on the hosted page of a session. */
  pay(id: string, isApproved: boolean): void {
    const session = this.sessions.get(id);
    if (session === undefined || session.transactions.some((one) => one.isApproved)) return;
    if (this.#now() - session.createdAt >= SESSION_LIFETIME_MS) return;
    session.transactions.push({ id: randomUUID(), isApproved });
  }

  /** The gateway takes money after the session's life, against its own word. */
  payLate(id: string): void {
    this.sessions.get(id)?.transactions.push({ id: randomUUID(), isApproved: true });
  }

  #row(
    session: SimulatedSession,
    { id, isApproved }: { id: string; isApproved: boolean },
  ): Transaction {
    const row = {
      transactionId: transactionId(id),
      amount: session.amount,
      transactionStatus: isApproved ? 'SUCCESS' : 'FAILED',
      paymentStatus: isApproved ? 'APPROVED' : 'DECLINED',
      refundStatus: 'NONE',
      totalRefundAmount: '0.00',
    };
    return { ...row, ...this.#distortion(session.amount) };
  }

  #distortion(amount: string): Partial<Transaction> {
    if (this.mood === 'status-pending') {
      return { transactionStatus: 'PENDING', paymentStatus: 'PENDING' };
    }
    if (this.mood === 'status-wrong-amount') return { amount: `1${amount}` };
    return this.mood === 'status-unknown-words' ? { paymentStatus: 'CAPTURED' } : {};
  }
}

function failure(operation: OperationName, outcome: Outcome): GatewayError {
  const code = outcome === 'rejected' ? 'invalid_request' : 'connection_lost';
  return new GatewayError({ code, operation, outcome, message: `${operation} failed` });
}
