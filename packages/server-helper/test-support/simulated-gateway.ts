import { randomUUID } from 'node:crypto';
import type { FlowContext } from '../src/flows/flow-context.ts';
import type { AmountInput } from '../src/gateway/fields.ts';
import type {
  CaptureInput,
  RecurringChargeInput,
  RefundInput,
  VoidInput,
} from '../src/gateway/money-moves.ts';
import type { PaymentLink, PaymentLinkInput } from '../src/gateway/payment-links.ts';
import type { Sale, SaleInput } from '../src/gateway/sale.ts';
import { sessionId, transactionId } from '../src/ids.ts';
import { decimalOf, parseAmount } from '../src/money.ts';
import { SESSION_LIFETIME_MS } from '../src/payments/attempt.ts';
import { answerOf, type GatewayMood, notFound, shownRows, wordsOf } from './simulated-answers.ts';
import {
  failure,
  type SimulatedTransaction,
  SimulatedTransactions,
} from './simulated-transactions.ts';

/** A session as the gateway knows it, or a sale, which has one transaction. */
export interface SimulatedSession {
  readonly id: string;
  /** The merchant order id that it was made with. */
  readonly name: string;
  readonly orderId: string;
  readonly amount: string;
  readonly currency: string | undefined;
  readonly createdAt: number;
  readonly transactions: SimulatedTransaction[];
}

/** How a sale ends: at once, after a challenge that the shopper passes or fails, or in a decline. */
export type SaleEnd = 'success' | 'redirect' | 'declined';

type Asked = FlowContext<unknown>['gateway'];

/** The gateway's truth, in memory, with moods; for histories that real sockets would be too slow for. */
export class SimulatedGateway implements Asked {
  mood: GatewayMood = 'well';
  saleEnd: SaleEnd = 'success';
  /** Whether its status call answers transactions too, and rows name their payment. */
  answersTransactions = false;
  /** Whether its answers come in forms that the specification does not have. */
  writesOddly = false;
  readonly sessions = new Map<string, SimulatedSession>();
  readonly transactions: SimulatedTransactions;
  /** When each session's status was answered last. */
  readonly answeredAt = new Map<string, number>();
  /** Sessions that a status answer has shown a row of, its own or a stray one. */
  readonly shown = new Set<string>();
  /** Every row that a status answer has shown. */
  readonly words = new Set<string>();
  /** Ids that it was asked about and never gave away. */
  readonly strangeIds: string[] = [];
  /** Which transactions the shop has bound to their order. */
  isBound: (transaction: string) => boolean = () => false;
  readonly #names = new Set<string>();
  readonly #now: () => number;
  readonly #newId: () => string;

  constructor(now: () => number, newId: () => string = randomUUID) {
    this.#now = now;
    this.#newId = newId;
    this.transactions = new SimulatedTransactions(newId);
  }

  async createPaymentLink(input: PaymentLinkInput): Promise<PaymentLink> {
    await Promise.resolve();
    if (this.mood === 'create-refused') throw failure('createPaymentLink', 'rejected');
    if (this.#names.has(input.merchantOrderId)) throw failure('createPaymentLink', 'rejected');
    const { id } = this.#open(input.merchantOrderId, textOf(input.amount), currencyOf(input));
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
    const session =
      'sessionId' in id
        ? this.sessions.get(id.sessionId)
        : [...this.sessions.values()].find(({ transactions }) =>
            transactions.some((one) => one.id === id.transactionId),
          );
    if (session === undefined) {
      this.strangeIds.push(JSON.stringify(id));
      throw new Error('a status was asked with an id that is none of ours');
    }
    // A part of an answer says nothing of the money that it leaves out.
    if (this.mood !== 'status-partial') this.answeredAt.set(session.id, this.#now());
    const isTransaction = this.answersTransactions && 'transactionId' in id;
    if (this.mood === 'status-not-found' && !isTransaction) throw notFound();
    const all = [...session.transactions, ...this.#strayed(session)];
    const rows = all.flatMap((one) =>
      shownRows(this.mood, one, session, this.isBound(one.id)).map((row) =>
        this.answersTransactions && session.transactions.includes(one)
          ? { ...row, merchantOrderId: session.name }
          : row,
      ),
    );
    for (const row of rows) this.words.add(wordsOf(row));
    if (rows.length > 0) this.shown.add(session.id);
    await Promise.resolve();
    return answerOf(this.mood, rows, this.writesOddly);
  }

  refund(input: RefundInput) {
    return this.transactions.refund(input.transactionId, textOf(input.amount));
  }

  capture(input: CaptureInput) {
    return this.transactions.capture(input.transactionId, textOf(input.amount));
  }

  void(input: VoidInput) {
    return this.transactions.void(input.transactionId);
  }

  chargeRecurring({ transactionId: id, recurringToken, order }: RecurringChargeInput) {
    return this.transactions.chargeRecurring(id, recurringToken, order.number);
  }

  async sale(input: SaleInput): Promise<Sale> {
    await Promise.resolve();
    const { mood } = this.transactions;
    const minorUnits = parseAmount(textOf(input.amount)) ?? 0;
    this.transactions.posts.push({ operation: 'sale', transactionId: input.orderId, minorUnits });
    if (mood === 'refused' || this.#names.has(input.orderId)) throw failure('sale', 'rejected');
    if (mood === 'request-lost') throw failure('sale', 'unknown');
    const session = this.#open(input.orderId, textOf(input.amount), currencyOf(input));
    const isHeld = input.auth === 'authorize';
    const paid = isHeld ? 'held' : 'captured';
    const states = { success: paid, redirect: 'challenge', declined: 'declined' } as const;
    const transaction = this.transactions.add(minorUnits, states[this.saleEnd], isHeld);
    session.transactions.push(transaction);
    await Promise.resolve();
    if (mood === 'answer-lost') throw failure('sale', 'unknown');
    return {
      result: this.saleEnd,
      transactionId: this.saleEnd === 'declined' ? null : transactionId(transaction.id),
      paymentId: '1',
      orderId: input.orderId,
      recurringToken: null,
      html: this.saleEnd === 'redirect' ? '<form></form>' : null,
      declineReason: null,
    };
  }

  /**
   * The shopper types a card on the hosted page of a session, or passes a sale's challenge.
   *
   * @param oddMinorUnits - What a gateway with a fault of its own takes instead.
   */
  pay(id: string, isApproved: boolean, oddMinorUnits: number | null = null): void {
    const session = this.sessions.get(id);
    if (session === undefined || this.#now() - session.createdAt >= SESSION_LIFETIME_MS) return;
    const [first] = session.transactions;
    if (first?.state === 'challenge') return passChallenge(first, isApproved);
    if (session.transactions.some(({ state }) => state !== 'declined')) return;
    this.#charge(session, isApproved ? 'captured' : 'declined', oddMinorUnits);
  }

  /** The gateway takes money once more for a session, or after the session's life. */
  payLate(id: string): void {
    const session = this.sessions.get(id);
    if (session !== undefined) this.#charge(session, 'captured');
  }

  #charge(
    session: SimulatedSession,
    state: SimulatedTransaction['state'],
    oddMinorUnits: number | null = null,
  ): void {
    const minorUnits = oddMinorUnits ?? parseAmount(session.amount) ?? 0;
    session.transactions.push(this.transactions.add(minorUnits, state));
  }

  #open(merchantOrderId: string, amount: string, currency: string | undefined): SimulatedSession {
    this.#names.add(merchantOrderId);
    const orderId = merchantOrderId.split('~')[0] ?? '';
    const createdAt = this.#now();
    const name = merchantOrderId;
    const id = this.#newId();
    const session = { id, name, orderId, amount, currency, createdAt, transactions: [] };
    this.sessions.set(id, session);
    return session;
  }

  #strayed({ orderId }: SimulatedSession): readonly SimulatedTransaction[] {
    if (this.mood !== 'status-of-another') return [];
    const others = [...this.sessions.values()].filter((one) => one.orderId !== orderId);
    return others.flatMap(({ transactions }) => transactions).filter(({ id }) => this.isBound(id));
  }
}

function passChallenge(transaction: SimulatedTransaction, isApproved: boolean): void {
  const isHeld = transaction.isAuthorization;
  transaction.state = isApproved ? (isHeld ? 'held' : 'captured') : 'declined';
  if (transaction.state === 'captured') {
    transaction.capturedMinorUnits = transaction.authorizedMinorUnits;
  }
}

const textOf = (amount: AmountInput): string =>
  typeof amount === 'string' ? amount : decimalOf(amount.minorUnits);

const currencyOf = ({ amount, currency }: PaymentLinkInput | SaleInput): string | undefined =>
  typeof amount === 'string' ? currency : amount.currency;
