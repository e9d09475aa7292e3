import { formatAmount } from '../src/money.ts';
import { replay, unwatched } from '../src/payments/audit.ts';
import type { Intent } from '../src/payments/intent.ts';
import { isSettled } from '../src/payments/payment.ts';
import type { PaymentRecord } from '../src/payments/payment-record.ts';
import { ORDER_IDS, type OrderId } from './order-ids.ts';
import type { Simulation } from './simulation.ts';
import type { SimulatedTransaction } from './simulated-transactions.ts';

/** Asked so often that a test framework's assertions would take most of the time. */
function hold(isSo: boolean, rule: string, seen: unknown): void {
  if (!isSo) throw new Error(`${rule}: ${JSON.stringify(seen, null, 2)}`);
}

/** Holds a simulation against what must hold after every step; knows how it stood before. */
export class Invariants {
  readonly #simulation: Simulation;
  readonly #former = new Map<OrderId, PaymentRecord>();

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  async check(): Promise<void> {
    const owners = new Map<string, string>();
    for (const id of ORDER_IDS) {
      const record = await this.#simulation.record(id);
      const ships = this.#simulation.shipped.filter((shipped) => shipped === id).length;
      if (record === null) {
        hold(ships === 0, 'I1: nothing ships without a record', id);
        continue;
      }
      this.#paidOnce(record, ships);
      for (const { transactionId } of record.ledger) {
        hold(!owners.has(transactionId), 'I3: a transaction belongs to one order', record);
        owners.set(transactionId, id);
      }
      this.#forwards(record);
      withinBounds(record);
      this.#former.set(id, record);
    }
    this.#sentOnce();
  }

  /** Paid at most once, and only by what the gateway approved for this order. */
  #paidOnce(record: PaymentRecord, ships: number): void {
    const { payment, ledger, attempts } = record;
    const base = ledger.filter(({ kind }) => kind === 'payment' || kind === 'late');
    hold(base.length === (isSettled(payment.state) ? 1 : 0), 'I2: one paid row, or none', record);
    const shipping = base.filter(({ kind, attemptNumber }) => {
      const attempt = attempts.find(({ number }) => number === attemptNumber);
      return kind === 'payment' && attempt?.kind !== 'authorization';
    });
    hold(ships === shipping.length, 'I2: ships exactly when it is paid', [ships, record]);
    for (const row of base) {
      const session = [...this.#simulation.gateway.sessions.values()].find((one) =>
        one.transactions.some((transaction) => transaction.id === row.transactionId),
      );
      const own = session?.transactions.find((one) => one.id === row.transactionId);
      const attempt = attempts.find(({ number }) => number === row.attemptNumber);
      const asked = attempt?.sessionId ?? attempt?.transactionId;
      const accepted = attempt?.kind === 'authorization' ? /held|captured|voided/ : /captured/;
      hold(
        session?.orderId === payment.orderId &&
          session.amount === formatAmount(payment.amount.minorUnits) &&
          accepted.test(own?.state ?? '') &&
          (asked === session.id || asked === own?.id),
        'I1: paid only by what the gateway approved, for this order and amount',
        [record, session],
      );
    }
  }

  /** Nothing that is certain is taken back. */
  #forwards(record: PaymentRecord): void {
    const { payment, intents } = record;
    const former = this.#former.get(payment.orderId as OrderId);
    if (former === undefined) return;
    const before = former.payment;
    const isForward =
      payment.refundedMinorUnits >= before.refundedMinorUnits &&
      payment.capturedMinorUnits >= before.capturedMinorUnits &&
      (!isSettled(before.state) ||
        (isSettled(payment.state) && payment.transactionId === before.transactionId));
    hold(isForward, 'I4: what is paid, captured and refunded never shrinks', [before, payment]);
    for (const intent of former.intents) {
      const now = intents.find(({ id }) => id === intent.id);
      const isOver = intent.state === 'done' || intent.state === 'failed';
      hold(!isOver || now?.state === intent.state, 'I15: what is known stays', [intent, now]);
      const isLearnt = intent.state === 'unknown' && now?.state !== 'unknown';
      const isFounded = ['evidence', 'seen on the dashboard', 'accepted'].includes(
        now?.reason ?? '',
      );
      hold(!isLearnt || isFounded, 'I15: an unknown outcome stays unknown', [intent, now]);
    }
  }

  /** One POST per intent, ever; each has an amount or a name of its own. */
  #sentOnce(): void {
    const { posts, charges } = this.#simulation.gateway.transactions;
    // A void has no amount, so that one that may follow a failed one would share its name.
    const names = posts
      .filter(({ operation }) => operation !== 'void' && operation !== 'chargeRecurring')
      .map(({ operation, transactionId, minorUnits }) =>
        operation === 'sale' ? transactionId : `${operation} ${transactionId} ${minorUnits}`,
      );
    hold(new Set(names).size === names.length, 'I9: one POST per intent', names);
    hold(new Set(charges).size === charges.length, 'I11: one charge per period', charges);
  }
}

/** Refunds are within what was captured; capture and void exclude each other. */
function withinBounds(record: PaymentRecord): void {
  const { payment, ledger, intents, attempts } = record;
  const live = intents.filter(({ state }) => state !== 'failed');
  for (const { transactionId, amount } of ledger) {
    const isBase = transactionId === payment.transactionId;
    const captured = isBase ? payment.capturedMinorUnits : amount.minorUnits;
    const refunds = live.filter(
      (one) => one.kind === 'refund' && one.transactionId === transactionId,
    );
    hold(sumOf(refunds) <= captured, 'I9: refunds are within what was captured', record);
  }
  for (const { number } of attempts) {
    const held = live.filter(
      ({ kind, attemptNumber }) =>
        attemptNumber === number && (kind === 'capture' || kind === 'void'),
    );
    hold(held.length <= 1, 'I10: capture or void, not both', record);
  }
  const { capturedMinorUnits, amount } = payment;
  hold(capturedMinorUnits <= amount.minorUnits, 'I10: captured within the amount', record);
}

/** What a refunded order's end must show: the gateway's own total, and no made refund missed. */
export function expectRefundsFound(
  { payment, intents }: PaymentRecord,
  transaction: SimulatedTransaction | undefined,
): void {
  const made = transaction?.refunds ?? [];
  const total = made.reduce((sum, { minorUnits }) => sum + minorUnits, 0);
  hold(payment.refundedMinorUnits === total, 'the refunded total is the gateway’s', [
    made,
    payment,
  ]);
  const own = intents.filter(
    (one) => one.kind === 'refund' && one.transactionId === transaction?.id,
  );
  for (const intent of own) {
    const isMade = made.some(({ minorUnits }) => minorUnits === intent.amount.minorUnits);
    const allowed = isMade ? ['done', 'pending', 'unknown'] : ['failed', 'unknown'];
    hold(allowed.includes(intent.state), 'a refund is what became of it', [intent, made]);
  }
}

const sumOf = (intents: readonly Intent[]): number =>
  intents.reduce((sum, { amount }) => sum + amount.minorUnits, 0);

/** I16: the log gives the record. Rows of one moment may come in another order than they did. */
export async function expectReplays(simulation: Simulation): Promise<void> {
  for (const id of ORDER_IDS) {
    const record = await simulation.record(id);
    const { log } = await simulation.history(id);
    const kept = record && { ...record, attempts: record.attempts.map(unwatched) };
    const [built, stored] = [linesOf(replay(log)), linesOf(kept)];
    hold(built === stored, 'I16: the log gives the record', [built, stored]);
  }
}

function linesOf(record: PaymentRecord | null): string {
  if (record === null) return '';
  const { payment, attempts, ledger, reviews, intents } = record;
  const rows = [payment, ...attempts, ...ledger, ...reviews, ...intents];
  const lines = rows.map((row) => JSON.stringify(Object.entries(row).toSorted(byName)));
  return lines.toSorted().join('\n');
}

const byName = ([left]: [string, unknown], [right]: [string, unknown]): number =>
  left < right ? -1 : 1;
