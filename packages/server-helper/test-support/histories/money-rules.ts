import type { Operation, PaymentRecord } from '../../src/payments/record.ts';
import { APPROVER, WITHDRAWN } from '../money-steps.ts';
import type { SimulatedGateway } from '../simulated-gateway.ts';
import type { SeenPost, SimulatedTransaction } from '../simulated-transactions.ts';
import { hold } from './hold.ts';

/** One POST per operation, ever; each has an amount or a name of its own. */
export function postsHold({ transactions: { posts, charges } }: SimulatedGateway): void {
  // A void has no amount, so that one that may follow a failed one would share its name.
  const names = posts
    .filter(({ operation }) => operation !== 'void' && operation !== 'chargeRecurring')
    .map(({ operation, transactionId, minorUnits }) =>
      operation === 'sale' ? transactionId : `${operation} ${transactionId} ${minorUnits}`,
    );
  hold(new Set(names).size === names.length, 'I9: one POST per operation', names);
  hold(new Set(charges).size === charges.length, 'I11: one charge per period', charges);
}

/** Whatever moves money was written down, and approved where it was proposed, before it was sent. */
export function operationsHold(posts: readonly SeenPost[], operations: readonly Operation[]): void {
  for (const { operation, transactionId, minorUnits } of posts) {
    if (operation !== 'refund' && operation !== 'capture') continue;
    const isKnown = operations.some(
      (one) =>
        one.kind === operation &&
        one.transactionId === transactionId &&
        one.amount.minorUnits === minorUnits &&
        one.sentAt !== null,
    );
    hold(isKnown, 'I9: an operation is stored before its POST', [
      operation,
      transactionId,
      operations,
    ]);
  }
}

/** A proposal is sent by the approval of the other person, or withdrawn. */
export function proposalHolds(former: Operation, now: Operation | undefined): void {
  if (former.state !== 'proposed') return;
  const isWithdrawn = now?.state === 'failed' && now.sentAt === null && now.reason === WITHDRAWN;
  const isApproved = now?.sentAt !== null && now?.approvedBy === APPROVER;
  const holds = now?.state === 'proposed' || isWithdrawn || isApproved;
  hold(holds, 'I9: another person approves what one proposed', [former, now]);
}

/** A charge is done if and only if the gateway's two words say so. */
export function chargesHold(
  { operations }: PaymentRecord,
  { transactions }: SimulatedGateway,
): void {
  for (const operation of operations) {
    if (operation.kind !== 'recurring') continue;
    const isDone = transactions.isDone(operation);
    const isTrue =
      operation.state === 'succeeded' ? isDone : operation.state === 'failed' ? !isDone : true;
    hold(isTrue, 'I11: a charge is what the gateway says of it', operation);
  }
}

/** Refunds are within what was captured; capture and void exclude each other. */
export function withinBounds(record: PaymentRecord): void {
  const { payment, ledger, operations, attempts } = record;
  const live = operations.filter(({ state }) => state !== 'failed' && state !== 'proposed');
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
export function refundsFound(
  { payment, operations }: PaymentRecord,
  transaction: SimulatedTransaction | undefined,
): void {
  const made = transaction?.refunds ?? [];
  const total = made.reduce((sum, { minorUnits }) => sum + minorUnits, 0);
  // What the gateway calls failed shows no refunds that count.
  const isShown = transaction?.state !== 'reversed';
  hold(
    !isShown || payment.refundedMinorUnits === total,
    'I9: the refunded total is the gateway’s',
    [made, payment],
  );
  const own = operations.filter(
    (one) => one.kind === 'refund' && one.transactionId === transaction?.id,
  );
  for (const operation of own) {
    const alike = made.filter(({ minorUnits }) => minorUnits === operation.amount.minorUnits);
    const isMade = alike.some(({ isElsewhere }) => isElsewhere !== true);
    const allowed = isMade
      ? ['succeeded', 'pending', 'unknown']
      : ['failed', 'unknown', 'proposed'];
    // A total cannot tell a refund whose answer was lost from one as great on the dashboard.
    if (!isMade && alike.length > 0) allowed.push('succeeded');
    hold(allowed.includes(operation.state), 'I9: a refund is what became of it', [operation, made]);
  }
}

const sumOf = (operations: readonly Operation[]): number =>
  operations.reduce((sum, { amount }) => sum + amount.minorUnits, 0);
