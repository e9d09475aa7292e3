import { GatewayError, type Outcome } from '../src/gateway/gateway-error.ts';
import type { OperationName } from '../src/gateway/gateway-error.ts';
import type { MoneyMove, RecurringCharge, Refund } from '../src/gateway/money-moves.ts';
import type { Transaction } from '../src/gateway/status.ts';
import { chargeName, transactionId } from '../src/ids.ts';
import { decimalOf, parseAmount } from '../src/money.ts';
import type { Operation } from '../src/payments/record.ts';

/**
 * What becomes of a call that moves money: the gateway does it and answers, refuses it, does it and
 * the answer is lost, or it is lost on its way.
 */
export type MoneyMood = 'well' | 'refused' | 'answer-lost' | 'request-lost';

/** How a recurring charge ends. */
export type ChargeEnd = RecurringCharge['result'];

/** A transaction as the gateway knows it. */
export interface SimulatedTransaction {
  readonly id: string;
  readonly authorizedMinorUnits: number;
  /**
   * `challenge` while the shopper has not passed 3-D Secure, `held` until a capture or a void,
   * `reversed` when money that came is called failed.
   */
  state: 'declined' | 'challenge' | 'held' | 'captured' | 'voided' | 'reversed';
  capturedMinorUnits: number;
  readonly isAuthorization: boolean;
  readonly recurringToken: string | null;
  readonly refunds: {
    readonly minorUnits: number;
    isSettled: boolean;
    /** A person made it on the dashboard. */
    readonly isElsewhere?: true;
  }[];
}

/** A call that the gateway saw, done or not. */
export interface SeenPost {
  readonly operation: OperationName;
  readonly transactionId: string;
  readonly minorUnits: number;
}

/** The gateway's transactions, and the operations that move their money. */
export class SimulatedTransactions {
  mood: MoneyMood = 'well';
  /** Whether a refund shows in the total at once, or when {@link settleRefunds} is called. */
  settlesRefundsAtOnce = true;
  readonly posts: SeenPost[] = [];
  readonly charges: string[] = [];
  /** How a recurring charge ends; `unknown` takes the money, and says two things about it. */
  chargeEnd: ChargeEnd = 'success';
  readonly #all = new Map<string, SimulatedTransaction>();
  readonly #newId: () => string;

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  get(id: string): SimulatedTransaction | undefined {
    return this.#all.get(id);
  }

  add(
    minorUnits: number,
    state: SimulatedTransaction['state'],
    isAuthorization = false,
  ): SimulatedTransaction {
    const transaction: SimulatedTransaction = {
      id: this.#newId(),
      authorizedMinorUnits: minorUnits,
      state,
      capturedMinorUnits: state === 'captured' ? minorUnits : 0,
      isAuthorization,
      recurringToken: state === 'declined' ? null : `token-${this.#all.size}`,
      refunds: [],
    };
    this.#all.set(transaction.id, transaction);
    return transaction;
  }

  /** Whether an operation was really made: its amount, which is its own, tells it apart. */
  isDone({ kind, transactionId: id, amount, requestId, orderId }: Operation): boolean {
    const transaction = this.#all.get(id ?? '');
    switch (kind) {
      case 'refund':
        return transaction?.refunds.some((one) => one.minorUnits === amount.minorUnits) === true;
      case 'capture':
        return transaction?.state === 'captured' || transaction?.state === 'reversed';
      case 'void':
        return transaction?.state === 'voided';
      case 'recurring':
        return this.charges.includes(chargeName(orderId, requestId));
      case 'sale':
        return transaction !== undefined && transaction.state !== 'declined';
    }
  }

  /** What was refunded too late to be in the answer settles now. */
  settleRefunds(): void {
    for (const { refunds } of this.#all.values()) {
      for (const refund of refunds) refund.isSettled = true;
    }
  }

  /** A person refunds on the gateway's dashboard; what is left at most. */
  refundOnDashboard(transaction: SimulatedTransaction, minorUnits: number): void {
    const most = Math.min(minorUnits, refundable(transaction));
    if (most > 0) {
      transaction.refunds.push({ minorUnits: most, isSettled: true, isElsewhere: true });
    }
  }

  async refund(id: string, amount: string): Promise<Refund> {
    const minorUnits = parseAmount(amount) ?? 0;
    const refundId = await this.#move('refund', id, minorUnits, (transaction) => {
      const { refunds } = transaction;
      if (minorUnits > refundable(transaction)) return false;
      refunds.push({ minorUnits, isSettled: this.settlesRefundsAtOnce });
      return true;
    });
    return { result: 'accepted', refundId, referenceId: 'r', paymentId: '1', amount };
  }

  async capture(id: string, amount: string): Promise<MoneyMove> {
    const minorUnits = parseAmount(amount) ?? 0;
    return moved(
      await this.#move('capture', id, minorUnits, (transaction) => {
        const { state, authorizedMinorUnits } = transaction;
        if (state !== 'held' || minorUnits > authorizedMinorUnits) return false;
        transaction.state = 'captured';
        transaction.capturedMinorUnits = minorUnits;
        return true;
      }),
    );
  }

  async void(id: string): Promise<MoneyMove> {
    return moved(
      await this.#move('void', id, 0, (transaction) => {
        if (transaction.state !== 'held') return false;
        transaction.state = 'voided';
        return true;
      }),
    );
  }

  async chargeRecurring(id: string, token: string, number: string): Promise<RecurringCharge> {
    let result: ChargeEnd = 'declined';
    const paymentId = await this.#move('chargeRecurring', id, 0, (transaction) => {
      result = transaction.recurringToken === token ? this.chargeEnd : 'declined';
      if (result !== 'declined') this.charges.push(number);
      return true;
    });
    return { result, paymentId, declineReason: null };
  }

  /** Counts the call, then lets the mood decide what becomes of it. */
  async #move(
    operation: OperationName,
    id: string,
    minorUnits: number,
    work: (transaction: SimulatedTransaction) => boolean,
  ): Promise<string> {
    await Promise.resolve();
    this.posts.push({ operation, transactionId: id, minorUnits });
    const { mood } = this;
    if (mood === 'refused') throw failure(operation, 'rejected');
    if (mood === 'request-lost') throw failure(operation, 'unknown');
    const transaction = this.#all.get(id);
    if (transaction === undefined) throw failure(operation, 'rejected');
    const isDone = work(transaction);
    await Promise.resolve();
    if (mood === 'answer-lost') throw failure(operation, 'unknown');
    if (!isDone) throw failure(operation, 'rejected');
    return `${operation}-${this.posts.length}`;
  }
}

function refundable({ state, refunds, capturedMinorUnits }: SimulatedTransaction): number {
  const refunded = refunds.reduce((sum, one) => sum + one.minorUnits, 0);
  return state === 'captured' ? capturedMinorUnits - refunded : 0;
}

/** A transaction as a status answer shows it. */
export function rowOf(transaction: SimulatedTransaction): Transaction {
  const { state, capturedMinorUnits, authorizedMinorUnits, recurringToken } = transaction;
  const isMoney = state === 'captured';
  const isOver = state === 'declined' || state === 'voided' || state === 'reversed';
  const total = transaction.refunds
    .filter(({ isSettled }) => isSettled)
    .reduce((sum, { minorUnits }) => sum + minorUnits, 0);
  const refundStatus = total === 0 ? 'NONE' : total === capturedMinorUnits ? 'FULL' : 'PARTIAL';
  return {
    transactionId: transactionId(transaction.id),
    amount: decimalOf(isMoney ? capturedMinorUnits : authorizedMinorUnits),
    transactionStatus: isMoney ? 'SUCCESS' : isOver ? 'FAILED' : 'PENDING',
    paymentStatus: isMoney ? 'APPROVED' : isOver ? 'DECLINED' : 'PENDING',
    refundStatus,
    totalRefundAmount: decimalOf(total),
    ...(isMoney && recurringToken !== null ? { recurringToken } : {}),
  };
}

function moved(paymentId: string): MoneyMove {
  return {
    result: 'accepted',
    rrn: null,
    orderId: null,
    paymentId,
    cardBrand: null,
    declineReason: null,
  };
}

/** An error as the client throws it. */
export function failure(operation: OperationName, outcome: Outcome): GatewayError {
  const code = outcome === 'rejected' ? 'invalid_request' : 'connection_lost';
  return new GatewayError({ code, operation, outcome, message: `${operation} failed` });
}
