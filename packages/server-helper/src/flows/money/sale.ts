import { randomUUID } from 'node:crypto';
import { PaymentsError } from '../../errors.ts';
import { GatewayError } from '../../gateway/gateway-error.ts';
import type { CardInput, Sale } from '../../gateway/schemas/sale.ts';
import { formatAmount } from '../../money.ts';
import { apply } from '../../payments/audit.ts';
import type { Operation } from '../../payments/operation.ts';
import { decideSale, type SaleOutcome, type SaleTerms } from '../../payments/sale-decision.ts';
import { recordSale } from '../../payments/sale-outcome.ts';
import type { PaymentRecord } from '../../payments/payment-record.ts';
import { commitChange } from '../commit-change.ts';
import { confirm } from '../confirm/confirm.ts';
import { confirmEvery } from '../confirm/confirm-every.ts';
import type { FlowContext } from '../flow-context.ts';
import { isOwn, keyOfAnother, recordOperation } from './money-operation.ts';
import type { PayableOrder } from '../checkout/payable-order.ts';
import { loadRecovered } from '../recover.ts';

const MAX_CONFLICTS = 20;

/** A sale as it stands. */
export interface SaleResult {
  readonly operation: Operation;
  /** The issuer's challenge; kept nowhere, so only the call that sent the sale has it. */
  readonly html: string | null;
}

/**
 * Charges or authorizes a card, once. The order is paid when the status says so, as by a link; after
 * a challenge, when the shopper's return or the watch has asked.
 *
 * @throws {@link PaymentsError} `already_paid`, `in_review`, `order_cancelled`,
 * `operation_in_progress`, `request_id_reused`, `store_unavailable`: nothing was sent.
 * `outcome_not_recorded`: it was.
 */
export async function sale<Tx>(
  context: FlowContext<Tx>,
  order: PayableOrder,
  unowned: Omit<SaleTerms, 'owner'>,
  card: CardInput,
): Promise<SaleResult> {
  const terms: SaleTerms = { ...unowned, owner: randomUUID() };
  const { record, operation, isOurs } = await reserve(context, order, terms);
  if (!isOurs) return { operation, html: null };
  const { outcome, html } = await send(context, order, { record, operation, terms, card });
  const recorded = await recordOperation(context, operation, outcome, (current, now) =>
    recordSale(current, operation.id, outcome, now),
  );
  if (outcome.kind !== 'success' || recorded.state !== 'pending')
    return { operation: recorded, html };
  const { orderId, attemptNumber } = operation;
  const { record: confirmed } = await confirm(context, { orderId, attemptNumber });
  return {
    operation: confirmed?.operations.find(({ id }) => id === operation.id) ?? recorded,
    html,
  };
}

async function reserve<Tx>(context: FlowContext<Tx>, order: PayableOrder, terms: SaleTerms) {
  let hasAsked = false;
  for (let tries = 0; tries < MAX_CONFLICTS; tries += 1) {
    const record = await loadRecovered(context, order.orderId);
    const decision = decideSale(record, order, terms, context.clock.now());
    if (decision.kind === 'refuse') throw new PaymentsError(decision.code, decision.message);
    if (decision.kind === 'repeat') {
      const { operation } = decision;
      return { record, operation, isOurs: isOwn(operation, terms.owner) };
    }
    if (!hasAsked && record?.attempts.some(({ state }) => state === 'open') === true) {
      // An open link may have been paid a moment ago; a sale beside it would charge twice.
      hasAsked = true;
      await confirmEvery(context, order.orderId);
      continue;
    }
    const { operation, change } = decision;
    const { outcome } = await commitChange(context, change);
    if (outcome === 'committed') return { record: apply(record, change), operation, isOurs: true };
    if (outcome === 'operation_taken') throw keyOfAnother();
  }
  throw new PaymentsError('operation_in_progress', 'The payment keeps changing. Try again.');
}

interface Sending {
  readonly record: PaymentRecord | null;
  readonly operation: Operation;
  readonly terms: SaleTerms;
  readonly card: CardInput;
}

/** The one POST. The card goes to the gateway and nowhere else. */
async function send<Tx>(
  { gateway, addresses, logger }: FlowContext<Tx>,
  { orderId, amount, customer }: PayableOrder,
  { record, operation, terms, card }: Sending,
): Promise<{ readonly outcome: SaleOutcome; readonly html: string | null }> {
  const attempt = record?.attempts.find(({ number }) => number === operation.attemptNumber);
  try {
    const answer = await gateway.sale({
      orderId: attempt?.merchantOrderId ?? '',
      amount: formatAmount(amount.minorUnits),
      currency: amount.currency,
      auth: terms.auth,
      recurring: terms.recurring,
      card,
      customer,
      ...addresses.returnUrls(orderId),
    });
    return { outcome: outcomeOf(answer), html: answer.html };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { code, outcome, httpStatus } = error;
    logger.warn(
      { orderId, operationId: operation.id, code, outcome, httpStatus },
      'a sale has no answer',
    );
    const kind = outcome === 'unknown' ? 'unknown' : 'failed';
    return { outcome: { kind, reason: code }, html: null };
  }
}

function outcomeOf({ result, transactionId, paymentId }: Sale): SaleOutcome {
  if (result === 'declined') return { kind: 'declined' };
  // A success that names no transaction cannot be asked about.
  if (transactionId === null) return { kind: 'unknown', reason: 'unreadable_answer' };
  return { kind: result, transactionId, reference: paymentId };
}
