import { PaymentsError } from '../../errors.ts';
import { GatewayError } from '../../gateway/gateway-error.ts';
import type { PaymentLink } from '../../gateway/schemas/payment-link.ts';
import { formatAmount } from '../../money.ts';
import type { Attempt } from '../../payments/attempt.ts';
import { apply } from '../../payments/audit.ts';
import {
  abandonAttempt,
  decideLink,
  openAttempt,
  refusalOf,
  type LinkRefusal,
  type OfferedAttempt,
} from '../../payments/link-decision.ts';
import { nextCheck } from '../../payments/watch-schedule.ts';
import type { Change, PaymentRecord } from '../../payments/payment-record.ts';
import { commitChange, recordAfter } from '../commit-change.ts';
import type { CommitResult } from '../../stores/store.ts';
import type { FlowContext } from '../flow-context.ts';
import type { PayableOrder } from './payable-order.ts';
import { loadRecovered, recovered } from '../recover.ts';

/** Between two looks at a link that another process is making. */
const WAIT_STEP_MS = 100;
/** A payment that changes under us this often is someone's fault. */
const MAX_CONFLICTS = 20;
/** How long a shopper waits for another process's link before we say so. */
const MAX_WAIT_MS = 8_000;

const refusals: Readonly<Record<LinkRefusal, string>> = {
  already_paid: 'The order is paid already.',
  in_review: 'The order’s payment is being reviewed by a person.',
  order_cancelled: 'The order was cancelled.',
};

/**
 * Gives an order its payment link: the live one again, or a new one.
 *
 * @param askGateway - Confirms the order, however recently it was asked about.
 * @throws {@link PaymentsError} `already_paid`, `in_review`, `order_cancelled`,
 * `attempt_in_progress`, `store_unavailable`.
 * @throws {@link GatewayError} when the gateway refused or did not answer. No money moved, and the
 * next call makes a fresh attempt.
 */
export async function ensureLink<Tx>(
  context: FlowContext<Tx>,
  order: PayableOrder,
  askGateway: () => Promise<unknown>,
): Promise<OfferedAttempt> {
  const { clock } = context;
  const giveUpAt = clock.now() + MAX_WAIT_MS;
  let hasAsked = false;
  // Most orders are new, and reserving tells of one that is not: that saves the question before.
  let record: PaymentRecord | null = null;
  let isStale = false;
  for (let tries = 0; tries < MAX_CONFLICTS;) {
    if (isStale) record = await loadRecovered(context, order.orderId);
    isStale = true;
    const now = clock.now();
    const decision = decideLink(record, order.orderId, order.amount, now);
    if (decision.kind === 'offer') return decision.attempt;
    if (decision.kind === 'refuse') {
      throw new PaymentsError(decision.code, refusals[decision.code]);
    }
    if (decision.kind === 'wait') {
      if (now >= giveUpAt) throw inProgress();
      await clock.sleep(WAIT_STEP_MS);
    } else if (!hasAsked && record?.attempts.some(({ state }) => state === 'open') === true) {
      // An older link may have been paid a moment ago; a second one would invite a second charge.
      hasAsked = true;
      await askGateway();
    } else {
      tries += 1;
      const { attempt, change } = decision;
      const result = await commitChange(context, change);
      if (result.outcome === 'committed') {
        return createLink(context, order, attempt, apply(record, change));
      }
      record = await recovered(context, await recordAfter(context, change, result));
      isStale = false;
    }
  }
  throw inProgress();
}

async function createLink<Tx>(
  context: FlowContext<Tx>,
  { orderId, amount, customer }: PayableOrder,
  attempt: Attempt,
  reserved: PaymentRecord,
): Promise<OfferedAttempt> {
  const { gateway, addresses } = context;
  let link: PaymentLink;
  try {
    link = await gateway.createPaymentLink({
      merchantOrderId: attempt.merchantOrderId,
      amount: formatAmount(amount.minorUnits),
      currency: amount.currency,
      customer,
      ...addresses.returnUrls(orderId),
    });
  } catch (error) {
    const wasRefused = error instanceof GatewayError && error.outcome === 'rejected';
    await abandon(context, reserved, attempt, wasRefused ? 'closed' : 'lost');
    throw error;
  }
  return open(context, reserved, attempt, link);
}

/** Records the link before anyone learns its address, so that no payable link is ever unwatched. */
async function open<Tx>(
  context: FlowContext<Tx>,
  reserved: PaymentRecord,
  attempt: Attempt,
  link: PaymentLink,
): Promise<OfferedAttempt> {
  const { clock, random } = context;
  let record = reserved;
  for (let tries = 0; tries < MAX_CONFLICTS; tries += 1) {
    const { payment, attempts } = record;
    const stored = attempts.find(({ number }) => number === attempt.number);
    if (stored?.state === 'open') return { ...stored, ...link };
    if (stored?.state !== 'creating') throw inProgress();
    const refusal = refusalOf(record);
    if (refusal !== null) {
      // Paid or given up while the link was being made: nobody gets its address.
      await abandon(context, record, attempt, 'lost');
      throw new PaymentsError(refusal, refusals[refusal]);
    }
    const now = clock.now();
    const next = openAttempt(
      payment,
      attempt,
      link,
      now,
      nextCheck(attempt.createdAt, now, random()),
    );
    const result = await commitChange(context, next.change);
    if (result.outcome === 'committed') return next.attempt;
    record = await existingAfter(context, next.change, result);
  }
  throw inProgress();
}

/** Marks an attempt that has no link. If this fails too, the attempt times out by itself. */
async function abandon<Tx>(
  context: FlowContext<Tx>,
  reserved: PaymentRecord,
  attempt: Attempt,
  state: 'closed' | 'lost',
): Promise<void> {
  try {
    let record = reserved;
    for (let tries = 0; tries < MAX_CONFLICTS; tries += 1) {
      const change = abandonAttempt(record.payment, attempt, state, context.clock.now());
      const result = await commitChange(context, change);
      if (result.outcome === 'committed') return;
      record = await existingAfter(context, change, result);
    }
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error;
    const { orderId, number } = attempt;
    context.logger.warn(
      { orderId, attempt: number, code: error.code },
      'an attempt stays open-ended',
    );
  }
}

async function existingAfter<Tx>(
  context: FlowContext<Tx>,
  change: Change,
  result: CommitResult,
): Promise<PaymentRecord> {
  const record = await recordAfter(context, change, result);
  if (record !== null) return record;
  throw new PaymentsError(
    'store_unavailable',
    'The payments store lost a record it had committed.',
  );
}

function inProgress(): PaymentsError {
  return new PaymentsError(
    'attempt_in_progress',
    'A payment link for this order is being made elsewhere. Try again in a moment.',
  );
}
