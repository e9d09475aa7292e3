import { randomUUID } from 'node:crypto';
import { nameOf, PaymentsError } from '../../errors.ts';
import { parseAmount } from '../../money.ts';
import { decideMoney, type MoneyDecision } from '../../payments/money-decision.ts';
import type { Approval, MoneyRequest, Refusal } from '../../payments/refund.ts';
import {
  attemptOf,
  begunAt,
  type Change,
  type Operation,
  type PaymentRecord,
  SENDING_TIMEOUT_MS,
} from '../../payments/record.ts';
import {
  type OperationOutcome,
  recordOutcome,
  reviewSaysRefunded,
} from '../../payments/operation-outcome.ts';
import { changePayment, type BoundElsewhere, loadPayment } from '../change-payment.ts';
import { logLost } from '../checkout/checkout.ts';
import { type PayableOrder, recheckPrice } from '../checkout/load-order.ts';
import { allows, isMoney } from '../../payments/answer.ts';
import type { Attempt } from '../../payments/attempt.ts';
import { checkStatus } from '../confirm/check-status.ts';
import {
  type AskedAttempts,
  lacksEvidence,
  requireFreshEvidence,
} from '../confirm/confirm-order.ts';
import type { FlowContext } from '../flow-context.ts';
import { askStore } from '../waiting.ts';
import { keysOf, madeBy } from '../../gateway/answer.ts';
import { GatewayError } from '../../gateway/gateway-error.ts';
import type { MoneyMove } from '../../gateway/money-moves.ts';
import type { CardInput, Sale } from '../../gateway/sale.ts';
import {
  attemptName,
  chargeName,
  type MerchantOrderId,
  isOfOther,
  transactionId as idOf,
  type TransactionId,
  transactionKey,
} from '../../ids.ts';
import { isStorable } from '../../text.ts';
import {
  decideSale,
  recordSale,
  resolveSale,
  type SaleOutcome,
  type SaleTerms,
} from '../../payments/sale.ts';
import { saleOf, type SaleOperation } from '../views.ts';
import { paymentNamed } from '../list-payments.ts';
import { invalid, readBy, readWhy } from './money-input.ts';

/** The pauses before another try to record an outcome: a hook may lock the order, and a failover takes 30 s. */
const RECORD_PAUSES_MS = [100, 400, 1_500, 4_000, 8_000, 15_000, 15_000];

/** Refusals that no answer of the gateway changes. */
const final: ReadonlySet<Refusal['code']> = new Set([
  'not_found_in_store',
  'request_id_reused',
  'same_person',
]);

type Unowned<T> = T extends unknown ? Omit<T, 'owner'> : never;

/** A money operation, or the approval of one, as a person asks for it. */
export type MoneyCall = Unowned<MoneyRequest | Approval> & {
  /** The text of a recurring charge that the customer reads. */
  readonly description?: string | undefined;
};

/**
 * Runs a money operation: the operation is committed first, then it is sent once, then its outcome is
 * committed. A proposal ends with its commit, and its approval takes the same way from there. A call that finds the operation in the store, after a crash too, never sends it.
 *
 * @returns the operation as recorded; for a repeated key, the same operation.
 */
export async function moneyOperation<Tx>(
  context: FlowContext<Tx>,
  orderId: string,
  { description, ...unowned }: MoneyCall,
): Promise<Operation> {
  const request: MoneyRequest | Approval = { ...unowned, owner: randomUUID() };
  const before = await loadPayment(context, orderId);
  if (before === null) throw noPayment();
  const first = decideMoney(before, request, context.clock.now());
  if (first.kind === 'repeat') return first.operation;
  if (first.kind === 'refuse' && final.has(first.code)) throw refused(first);
  // Nothing is sent by a proposal: the gateway is asked when it is approved.
  const answered =
    first.kind === 'propose' ? request : await informed(context, before, request, first);
  // The price of an authorization that no evidence has shown was never asked again.
  const isUnshown = answered.kind === 'capture' && before.payment.transactionId === null;
  const price = isUnshown ? { price: await recheckPrice(context, orderId) } : {};
  const known = { ...answered, ...price };
  let recurringToken = '';
  const { decision, record } = await changePayment(context, orderId, (current, now) => {
    if (current === null) throw noPayment();
    const decided = decideMoney(current, known, now);
    if (decided.kind === 'send' && request.kind === 'recurring') {
      recurringToken = context.recurringTokens.open(orderId, current.payment.recurringToken ?? '');
    }
    return decided;
  });
  if (decision.kind === 'refuse') throw refused(decision);
  const { operation } = decision;
  if (decision.kind === 'propose') return operation;
  if (decision.kind === 'repeat' && !wasCommittedByUs(operation, request.owner)) return operation;
  const sending = {
    recurringToken,
    description: description ?? `${orderId} ${operation.requestId}`,
    keys: attemptOf(record, operation.attemptNumber)?.keys,
  };
  const outcome = await send(context, operation, sending);
  return recordOperation(context, operation, outcome, (current, now, boundElsewhere) => {
    const named = 'transactionId' in outcome ? outcome.transactionId : undefined;
    const isTaken = named !== undefined && boundElsewhere.has(named);
    const recorded = isTaken ? { ...outcome, transactionId: undefined } : outcome;
    return recordOutcome(current, operation.id, recorded, now);
  });
}

/**
 * Asks the gateway before an operation is sent: what was refunded or captured elsewhere is better known before than
 * guessed after. Without an answer it goes on, since the gateway itself refuses an amount that is too large.
 *
 * Before a refund it is asked although it was asked a moment ago: a refund made elsewhere since then
 * would be taken for this one, should the answer to this one be lost.
 */
async function informed<Tx>(
  context: FlowContext<Tx>,
  { payment: { orderId } }: PaymentRecord,
  request: MoneyRequest | Approval,
  first: MoneyDecision,
): Promise<MoneyRequest | Approval> {
  const ignoresGap = request.kind === 'refund' || request.kind === 'approve';
  const { attemptNumber, transactionId } = first.kind === 'send' ? first.operation : {};
  const question = { orderId, attemptNumber, everySession: true, ignoresGap };
  const { asked } = await checkStatus(context, question);
  const key = transactionKey(transactionId ?? '');
  // An answer without the transaction's own row shows no total of it.
  const isTotalKnown =
    asked !== null &&
    allows[asked.answer.kind].isFull &&
    asked.answer.rows.some((row) => isMoney(row) && transactionKey(row.transactionId) === key);
  return ignoresGap ? { ...request, isTotalUnknown: !isTotalKnown } : request;
}

/** Whether this call committed the operation and sent nothing yet: a failed commit may be stored. */
const wasCommittedByUs = (operation: Operation, owner: string): boolean =>
  operation.owner === owner && operation.state === 'sending';

/** Whether others may take the operation of a process that stood still for interrupted, and ask for it anew. */
const isTooLate = ({ clock }: Pick<FlowContext<never>, 'clock'>, operation: Operation): boolean =>
  Math.abs(clock.now() - begunAt(operation)) >= SENDING_TIMEOUT_MS / 3;

const notSent = { kind: 'failed', reason: 'interrupted' } as const;

/**
 * Records a sent operation's outcome, with tries for a while: a lost one leaves it unknown.
 *
 * @throws {@link PaymentsError} `outcome_not_recorded`.
 */
async function recordOperation<Tx>(
  context: FlowContext<Tx>,
  { orderId, id }: Operation,
  outcome: { readonly kind: string },
  decide: (record: PaymentRecord, now: number, boundElsewhere: BoundElsewhere) => Change | null,
): Promise<Operation> {
  const { clock, logger } = context;
  for (const pause of [...RECORD_PAUSES_MS, null]) {
    try {
      const { record } = await changePayment(context, orderId, (current, now, known) =>
        current === null ? null : decide(current, now, known),
      );
      return operationIn(record, id);
    } catch (error) {
      const fields = { orderId, operationId: id, outcome: outcome.kind, error: nameOf(error) };
      logger.error(fields, 'the outcome of a money operation could not be recorded');
    }
    if (pause !== null) await clock.sleep(pause);
  }
  const words =
    'The operation was sent, and its outcome could not be recorded. Ask again with the same key.';
  throw new PaymentsError('outcome_not_recorded', words);
}

const refused = ({ code, message }: Refusal): PaymentsError => new PaymentsError(code, message);

export const noPayment = (): PaymentsError =>
  new PaymentsError('order_not_found', 'There is no payment of such an order.');

/** The operation of a record. @throws {@link PaymentsError} `order_not_found` without it. */
function operationIn(record: PaymentRecord | null, id: string): Operation {
  const operation = record?.operations.find((one) => one.id === id);
  if (operation === undefined) throw noPayment();
  return operation;
}

/** What a request has that its operation does not hold: of a recurring charge its token and text. */
interface Sending {
  readonly recurringToken: string;
  readonly description: string;
  /** Marks of the API keys whose account has the transaction. */
  readonly keys: Attempt['keys'];
}

/**
 * Sends an operation to the gateway, in the only POST that it ever gets.
 *
 * @returns the outcome. A lost or unreadable answer is `unknown`, never an error.
 */
async function send<Tx>(
  context: FlowContext<Tx>,
  operation: Operation,
  sending: Sending,
): Promise<OperationOutcome> {
  if (isTooLate(context, operation)) return notSent;
  try {
    return await post(context.gateway, operation, sending);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { code, outcome, httpStatus, gatewayMessages } = error;
    const { orderId, id, kind } = operation;
    context.logger.warn(
      { orderId, operationId: id, kind, code, outcome, httpStatus, gatewayMessages },
      'a money operation was not taken on',
    );
    // One of this name was made before, by a record that a restored database has lost.
    const isOpen = outcome === 'unknown' || code === 'order_name_taken';
    return { kind: isOpen ? 'unknown' : 'failed', reason: code };
  }
}

const accepted = (reference: string | null) => ({ kind: 'accepted', reference }) as const;
const contradicting = { kind: 'unknown', reason: 'contradicting_words' } as const;

// An answer that names another order's payment says nothing of this money.
const movedBy = ({ orderId: said, paymentId }: MoneyMove, name: MerchantOrderId) =>
  isOfOther(said, name) ? contradicting : accepted(paymentId);

async function post(
  gateway: FlowContext<unknown>['gateway'],
  { kind, orderId, requestId, transactionId, amount, attemptNumber }: Operation,
  { recurringToken, description, keys }: Sending,
): Promise<OperationOutcome> {
  const name = attemptName(orderId, attemptNumber);
  const transaction = { transactionId: transactionId ?? '' };
  const by = madeBy(keys);
  switch (kind) {
    case 'refund': {
      const answer = await gateway.refund({ ...transaction, amount }, by);
      const said = parseAmount(answer.amount) ?? amount.minorUnits;
      return said === amount.minorUnits ? accepted(answer.refundId) : contradicting;
    }
    case 'capture':
      return movedBy(await gateway.capture({ ...transaction, amount }, by), name);
    case 'void':
      return movedBy(await gateway.void(transaction, by), name);
    case 'recurring': {
      const order = { number: chargeName(orderId, requestId), amount, description };
      const input = { ...transaction, recurringToken, amount, order };
      const { result, paymentId, transactionId: own } = await gateway.chargeRecurring(input, by);
      if (result === 'success') return { ...accepted(paymentId), transactionId: own };
      return result === 'declined' ? { kind: 'failed', reason: 'declined' } : contradicting;
    }
    case 'sale':
      throw new TypeError('A sale is sent by sendSale.');
  }
}

/**
 * Charges or authorizes a card, once. The order is paid when the status says so, as by a link; after
 * a challenge, when the shopper's return or a background check has asked.
 */
export async function sale<Tx>(
  context: FlowContext<Tx>,
  order: PayableOrder,
  unowned: Omit<SaleTerms, 'owner'>,
  card: CardInput,
): Promise<SaleOperation> {
  const terms: SaleTerms = { ...unowned, owner: randomUUID() };
  const decision = await reserveSale(context, order, terms);
  if (decision.kind === 'refuse') throw new PaymentsError(decision.code, decision.message);
  const { operation } = decision;
  if (decision.kind === 'repeat' && !wasCommittedByUs(operation, terms.owner)) {
    return saleOf(operation, null);
  }
  // The challenge is not stored, so only this call has it.
  const { outcome, html } = await sendSale(context, order, operation, terms, card);
  const isHeld = outcome.kind === 'success' && terms.auth === 'authorize';
  // Where the merchant does not say the price, a person must decide about the money.
  const price = isHeld ? await recheckPrice(context, order.orderId).catch(() => null) : undefined;
  const recorded = await recordOperation(context, operation, outcome, (current, now, bound) =>
    // A transaction of another order is none of this sale's.
    recordSale(current, operation.id, bound.size > 0 ? contradicting : outcome, now, price),
  );
  const isPending = outcome.kind === 'success' && recorded.state === 'pending';
  return saleOf(isPending ? await confirmedSale(context, recorded) : recorded, html);
}

/** The sale after its status was asked for. A failure is no error of the card: it is asked again. */
async function confirmedSale<Tx>(context: FlowContext<Tx>, sold: Operation): Promise<Operation> {
  const { id, orderId, attemptNumber } = sold;
  try {
    const { record } = await checkStatus(context, { orderId, attemptNumber });
    return operationIn(record, id);
  } catch (error) {
    const fields = { orderId, operationId: id, error: nameOf(error) };
    context.logger.warn(fields, 'a sale that was sent could not be confirmed yet');
    return sold;
  }
}

/** Commits the sale's operation. No card is charged before the gateway has answered about an open link. */
async function reserveSale<Tx>(context: FlowContext<Tx>, order: PayableOrder, terms: SaleTerms) {
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
async function sendSale<Tx>(
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
    return { outcome: saleOutcomeOf(answer, name, sealed), html };
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

function saleOutcomeOf(answer: Sale, name: MerchantOrderId, sealed: string | null): SaleOutcome {
  const { result, transactionId, paymentId } = answer;
  if (isOfOther(answer.orderId, name)) return contradicting;
  if (result === 'declined') return { kind: 'declined' };
  // A success that names no transaction cannot be asked about.
  if (transactionId === null) return { kind: 'unknown', reason: 'unreadable_answer' };
  const keys = keysOf(answer);
  return { kind: result, transactionId, reference: paymentId, recurringToken: sealed, keys };
}

/**
 * The word of a person about an operation. `withdrawn` is said of a proposal alone: a person who takes
 * back what another one approves in that moment must not call it failed, since it is being sent.
 */
export type FoundOutcome = 'succeeded' | 'failed' | 'withdrawn';

/** Records what a person found out about an unknown outcome, or a withdrawal; the first is final. */
export async function resolveOperation<Tx>(
  context: FlowContext<Tx>,
  operationId: string,
  outcome: FoundOutcome,
  why: string,
  { by, transactionId: id }: Partial<Record<'by' | 'transactionId', string | undefined>>,
): Promise<Operation> {
  if (!['succeeded', 'failed', 'withdrawn'].includes(outcome)) {
    throw invalid('outcome', 'outcome must be "succeeded", "failed" or "withdrawn".');
  }
  const ofSale = id === undefined ? null : idOf(id);
  const kind = outcome === 'withdrawn' ? 'failed' : outcome;
  const found = { kind, reason: readWhy(why), by: readBy(by) } as const;
  const orderId = await orderOf(context, operationId);
  const before = await loadPayment(context, orderId);
  const known = operationIn(before, operationId);
  // What was taken may have gone back since; where a review says so, an older answer may hide that.
  const isDoubted = before !== null && reviewSaysRefunded(before, known);
  const { kind: of, attemptNumber } = known;
  const question = { orderId, attemptNumber, everySession: true, ignoresGap: true };
  const isTaking = of === 'capture' && known.state === 'unknown' && outcome === 'succeeded';
  const { asked } = isTaking ? await checkStatus(context, question) : { asked: null };
  const told = { ...found, isDoubted, rows: asked?.answer.rows };
  const { record } = await changePayment(context, orderId, (current, now) => {
    if (current === null) throw noPayment();
    const operation = operationIn(current, operationId);
    const { state, sentAt } = operation;
    const ended = state === 'failed' && sentAt === null ? 'withdrawn' : state;
    if (ended === outcome) return null;
    refuseWhereKnown(ended, outcome);
    if (operation.kind !== 'sale') return recordOutcome(current, operationId, told, now);
    if (kind === 'succeeded') checkTransactionOfSale(current, ofSale);
    return resolveSale(current, operation, found, ofSale, now);
  });
  return operationIn(record, operationId);
}

/** Finds the order of an operation. @throws {@link PaymentsError} `not_found_in_store`. */
export async function orderOf<Tx>(
  { store }: FlowContext<Tx>,
  operationId: unknown,
): Promise<string> {
  if (isStorable(operationId)) {
    const named = paymentNamed({ kind: 'operation', name: operationId });
    const [record] = await askStore(() => store.list(named));
    if (record !== undefined) return record.payment.orderId;
  }
  throw new PaymentsError('not_found_in_store', 'There is no such money operation.');
}

/** A sale that was made needs its transaction, and no money that a person decides about anyway. */
function checkTransactionOfSale({ ledger }: PaymentRecord, ofSale: TransactionId | null): void {
  const key = transactionKey(ofSale ?? '');
  const row = ledger.find(({ transactionId }) => transactionKey(transactionId) === key);
  if (ofSale !== null && row?.kind !== 'discrepancy') return;
  const words =
    'A sale that was made needs its transaction’s id, from the gateway’s dashboard: its status decides then. Of money that has a review of its own the review decides: accept or refund it there, and call the sale failed.';
  throw invalid('transactionId', words);
}

function refuseWhereKnown(known: Operation['state'] | FoundOutcome, outcome: FoundOutcome): void {
  if (known === 'sending') {
    throw new PaymentsError('operation_in_progress', 'It is being sent. Ask again in a minute.');
  }
  if (known === 'succeeded' || known === 'failed' || known === 'withdrawn') {
    throw new PaymentsError('operation_resolved', `It is known already: it is ${known}.`);
  }
  if (known === 'proposed' && outcome !== 'withdrawn') {
    throw invalid('outcome', 'It is only proposed, and was not sent: approve it, or withdraw it.');
  }
  if (known !== 'proposed' && outcome === 'withdrawn') {
    throw new PaymentsError('operation_resolved', `It was sent, and is ${known} now.`);
  }
}
