import { randomUUID } from 'node:crypto';
import { nameOf, PaymentsError } from '../../errors.ts';
import { GatewayError } from '../../gateway/gateway-error.ts';
import { keysOf } from '../../gateway/answer.ts';
import type { CardInput, Sale } from '../../gateway/sale.ts';
import { attemptName, isOfOther, type MerchantOrderId } from '../../ids.ts';
import type { Operation } from '../../payments/record.ts';
import { decideSale, recordSale, type SaleOutcome, type SaleTerms } from '../../payments/sale.ts';
import { changePayment } from '../change-payment.ts';
import { type PayableOrder, recheckPrice } from '../checkout/load-order.ts';
import { logLost } from '../checkout/checkout.ts';
import { checkStatus } from '../confirm/check-status.ts';
import {
  type AskedAttempts,
  lacksEvidence,
  requireFreshEvidence,
} from '../confirm/confirm-order.ts';
import type { FlowContext } from '../flow-context.ts';
import { saleOf, type SaleOperation } from '../views.ts';
import {
  contradicting,
  isTooLate,
  notSent,
  operationIn,
  recordOperation,
  wasCommittedByUs,
} from './money-operation.ts';

/**
 * Charges or authorizes a card, once. The order is paid when the status says so, as by a link; after
 * a challenge, when the shopper's return or a background check has asked.
 *
 * @throws {@link PaymentsError} `already_paid`, `in_review`, `order_cancelled`,
 * `operation_in_progress`, `request_id_reused`, `not_confirmed`, `store_unavailable`: nothing was sent.
 * `outcome_not_recorded`: it was.
 */
export async function sale<Tx>(
  context: FlowContext<Tx>,
  order: PayableOrder,
  unowned: Omit<SaleTerms, 'owner'>,
  card: CardInput,
): Promise<SaleOperation> {
  const terms: SaleTerms = { ...unowned, owner: randomUUID() };
  const decision = await reserve(context, order, terms);
  if (decision.kind === 'refuse') throw new PaymentsError(decision.code, decision.message);
  const { operation } = decision;
  if (decision.kind === 'repeat' && !wasCommittedByUs(operation, terms.owner)) {
    return saleOf(operation, null);
  }
  // The challenge is not stored, so only this call has it.
  const { outcome, html } = await send(context, order, operation, terms, card);
  const isHeld = outcome.kind === 'success' && terms.auth === 'authorize';
  // Where the merchant does not say the price, a person must decide about the money.
  const price = isHeld ? await recheckPrice(context, order.orderId).catch(() => null) : undefined;
  const recorded = await recordOperation(context, operation, outcome, (current, now, bound) =>
    // A transaction of another order is none of this sale's.
    recordSale(current, operation.id, bound.size > 0 ? contradicting : outcome, now, price),
  );
  const isPending = outcome.kind === 'success' && recorded.state === 'pending';
  return saleOf(isPending ? await confirmed(context, recorded) : recorded, html);
}

/**
 * The sale after its status was asked for. A failure here is no error of the charged card: it is asked again.
 */
async function confirmed<Tx>(context: FlowContext<Tx>, recorded: Operation): Promise<Operation> {
  const { id, orderId, attemptNumber } = recorded;
  try {
    const { record } = await checkStatus(context, { orderId, attemptNumber });
    return operationIn(record, id);
  } catch (error) {
    const fields = { orderId, operationId: id, error: nameOf(error) };
    context.logger.warn(fields, 'a sale that was sent could not be confirmed yet');
    return recorded;
  }
}

/** Commits the sale's operation. No card is charged before the gateway has answered about an open link. */
async function reserve<Tx>(context: FlowContext<Tx>, order: PayableOrder, terms: SaleTerms) {
  // Another process may open a link while this one asks about the others.
  let asked: AskedAttempts | undefined;
  for (;;) {
    const { decision } = await changePayment(context, order.orderId, (current, now) => {
      const found = decideSale(current, order, terms, now);
      const asks = found.kind === 'send' && lacksEvidence(current, asked, now);
      return asks ? ({ kind: 'ask' } as const) : found;
    });
    if (decision.kind !== 'ask') return decision;
    asked = await requireFreshEvidence(context, order.orderId, 'no card was charged', asked);
  }
}

/** The only POST of the sale. The card goes to the gateway and nowhere else. */
async function send<Tx>(
  context: FlowContext<Tx>,
  { orderId, amount, customer }: PayableOrder,
  operation: Operation,
  terms: SaleTerms,
  card: CardInput,
): Promise<{ readonly outcome: SaleOutcome; readonly html: string | null }> {
  const { gateway, addresses, logger, recurringTokens } = context;
  if (isTooLate(context, operation)) return { outcome: notSent, html: null };
  const name = attemptName(orderId, operation.attemptNumber);
  try {
    const answer = await gateway.sale({
      orderId: name,
      amount,
      auth: terms.auth,
      recurring: terms.recurring,
      card,
      customer,
      ...addresses.returnUrls(name),
    });
    const { recurringToken: token, html } = answer;
    const sealed = token && recurringTokens.seal(orderId, token);
    return { outcome: outcomeOf(answer, name, sealed), html };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { code, outcome, httpStatus } = error;
    const fields = { orderId, operationId: operation.id, code, outcome, httpStatus };
    logger.warn(fields, 'a sale has no answer');
    const kind = outcome === 'unknown' ? 'unknown' : 'failed';
    const isTaken = code === 'order_name_taken';
    if (isTaken) logLost(context, { orderId, number: operation.attemptNumber }, code);
    const isLost = isTaken && context.isProduction === true;
    return { outcome: { kind, reason: code, isLost }, html: null };
  }
}

function outcomeOf(answer: Sale, name: MerchantOrderId, sealed: string | null): SaleOutcome {
  const { result, transactionId, paymentId } = answer;
  if (isOfOther(answer.orderId, name)) return contradicting;
  if (result === 'declined') return { kind: 'declined' };
  // A success that names no transaction cannot be asked about.
  if (transactionId === null) return { kind: 'unknown', reason: 'unreadable_answer' };
  const keys = keysOf(answer);
  return { kind: result, transactionId, reference: paymentId, recurringToken: sealed, keys };
}
