import { randomUUID } from 'node:crypto';
import { nameOf, PaymentsError } from '../../errors.ts';
import { apply } from '../../payments/audit.ts';
import type { Operation } from '../../payments/operation.ts';
import { recordOutcome } from '../../payments/operation-outcome.ts';
import { decideMoney } from '../../payments/money-decision.ts';
import type { MoneyRequest, Refusal } from '../../payments/money-target.ts';
import type { Change, PaymentRecord } from '../../payments/payment-record.ts';
import { commitChange } from '../commit-change.ts';
import { confirm, confirmAnew, type ConfirmRequest } from '../confirm/confirm.ts';
import type { FlowContext } from '../flow-context.ts';
import { loadRecovered } from '../recover.ts';
import { sendOperation, type ChargeDetails } from './send-operation.ts';

const MAX_CONFLICTS = 20;
/**
 * An answer that cannot be recorded at once is recorded after one of these pauses, or not at all. A
 * hook of the merchant's may hold the order for seconds.
 */
const RECORD_PAUSES_MS = [100, 400, 1_500, 4_000, 8_000];

type Unowned<T> = T extends unknown ? Omit<T, 'owner'> : never;

/**
 * Runs a money operation: its operation is committed first, then it is sent once, then its outcome is
 * committed. Whoever finds the operation there later, after a crash too, never sends it.
 *
 * @param description - What the customer reads of a recurring charge.
 * @returns the operation as it stands: asked for again with the same key, the same one.
 * @throws {@link PaymentsError} `order_not_found`, `wrong_state`, `amount_too_large`,
 * `operation_in_progress`, `request_id_reused`, `store_unavailable`: nothing was sent.
 * `outcome_not_recorded`: it was.
 */
export async function moneyOperation<Tx>(
  context: FlowContext<Tx>,
  orderId: string,
  unowned: Unowned<MoneyRequest>,
  description?: string,
): Promise<Operation> {
  const request: MoneyRequest = { ...unowned, owner: randomUUID() };
  const before = await loadRecovered(context, orderId);
  if (before === null) throw noPayment();
  const first = decideMoney(before, request, context.clock.now());
  if (first.kind === 'repeat') return first.operation;
  if (first.kind === 'refuse' && first.code === 'request_id_reused') throw refused(first);
  // What was refunded or captured elsewhere is better known before than guessed after. An answer is
  // welcome and not needed: the gateway itself refuses what would be too much.
  const about = first.kind === 'send' ? { attemptNumber: first.operation.attemptNumber } : {};
  const known = await informed(context, request, { orderId, everySession: true, ...about });
  const { record, operation, isOurs } = await reserve(context, orderId, known);
  if (!isOurs) return operation;
  const outcome = await sendOperation(context, operation, chargeOf(record, operation, description));
  return recordOperation(context, operation, outcome, (current, now) =>
    recordOutcome(current, operation.id, outcome, now),
  );
}

/**
 * Asks the gateway before an operation is sent; before a refund also where it was asked a moment ago:
 * what was refunded elsewhere since would else be taken for this refund, should its answer be lost.
 */
async function informed<Tx>(
  context: FlowContext<Tx>,
  request: MoneyRequest,
  question: ConfirmRequest,
): Promise<MoneyRequest> {
  const { asked, record } = await confirm(context, question);
  if (request.kind !== 'refund') return request;
  if (asked !== null) return { ...request, isTotalUnknown: !asked.hasAnswer };
  const attempt = record?.attempts.find(({ number }) => number === question.attemptNumber);
  const isAnswered =
    record !== null && attempt !== undefined && (await confirmAnew(context, record, attempt));
  return { ...request, isTotalUnknown: !isAnswered };
}

/** What the operation's commit left. */
interface Reserved {
  readonly record: PaymentRecord;
  readonly operation: Operation;
  /** Whether this call committed it, and so is the one to send it. */
  readonly isOurs: boolean;
}

async function reserve<Tx>(
  context: FlowContext<Tx>,
  orderId: string,
  request: MoneyRequest,
): Promise<Reserved> {
  for (let tries = 0; tries < MAX_CONFLICTS; tries += 1) {
    const record = await loadRecovered(context, orderId);
    if (record === null) throw noPayment();
    const decision = decideMoney(record, request, context.clock.now());
    if (decision.kind === 'refuse') throw refused(decision);
    if (decision.kind === 'repeat') {
      // A commit that seemed to fail may be there all the same, and still be ours to send.
      const { operation } = decision;
      return { record, operation, isOurs: isOwn(operation, request.owner) };
    }
    const { operation, change } = decision;
    const { outcome } = await commitChange(context, change);
    if (outcome === 'committed') return { record: apply(record, change), operation, isOurs: true };
    if (outcome === 'operation_taken') throw keyOfAnother();
  }
  throw new PaymentsError('operation_in_progress', 'The payment keeps changing. Try again.');
}

/** Whether an operation was committed by this call, which has sent nothing yet. */
export const isOwn = (operation: Operation, owner: string): boolean =>
  operation.owner === owner && operation.state === 'sending';

/**
 * Commits what became of an operation, again and again for a while: an outcome that is lost leaves the
 * operation unknown.
 */
export async function recordOperation<Tx>(
  context: FlowContext<Tx>,
  { orderId, id }: Operation,
  outcome: { readonly kind: string },
  decide: (record: PaymentRecord, now: number) => Change | null,
): Promise<Operation> {
  const { clock, logger } = context;
  for (const pause of [...RECORD_PAUSES_MS, null]) {
    try {
      return await commitOutcome(context, orderId, id, decide);
    } catch (error) {
      const fields = { orderId, operationId: id, outcome: outcome.kind, error: nameOf(error) };
      logger.error(fields, 'the outcome of a money operation could not be recorded');
    }
    if (pause !== null) await clock.sleep(pause);
  }
  throw new PaymentsError(
    'outcome_not_recorded',
    'The operation was sent, and what became of it could not be recorded. Ask again with the same key.',
  );
}

async function commitOutcome<Tx>(
  context: FlowContext<Tx>,
  orderId: string,
  operationId: string,
  decide: (record: PaymentRecord, now: number) => Change | null,
): Promise<Operation> {
  for (let tries = 0; tries < MAX_CONFLICTS; tries += 1) {
    const record = await loadRecovered(context, orderId);
    if (record === null) throw noPayment();
    const change = decide(record, context.clock.now());
    const after = change === null ? record : apply(record, change);
    const isThere =
      change === null || (await commitChange(context, change)).outcome === 'committed';
    const operation = after.operations.find(({ id }) => id === operationId);
    if (isThere && operation !== undefined) return operation;
  }
  throw new PaymentsError('store_unavailable', 'The outcome could not be recorded.');
}

function chargeOf(
  { payment }: PaymentRecord,
  { orderId, requestId }: Operation,
  description: string | undefined,
): ChargeDetails {
  const { recurringToken } = payment;
  return {
    recurringToken: recurringToken ?? '',
    description: description ?? `${orderId} ${requestId}`,
  };
}

/** The error of an operation that is not sent. */
export function refused({ code, message }: Refusal): PaymentsError {
  return new PaymentsError(code, message);
}

/** The error of a key that stands for another order's operation. */
export function keyOfAnother(): PaymentsError {
  return new PaymentsError(
    'request_id_reused',
    'This requestId was used for another order. Give each operation a key of its own.',
  );
}

/** The error of an order that nobody ever tried to pay. */
export function noPayment(): PaymentsError {
  return new PaymentsError('order_not_found', 'There is no payment of such an order.');
}
