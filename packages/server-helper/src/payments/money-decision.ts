import { transactionKey } from '../ids.ts';
import { formatAmount } from '../money.ts';
import { changeOf } from './draft.ts';
import { SENDING_TIMEOUT_MS, type Operation } from './operation.ts';
import { refuse, targetOf, type MoneyRequest, type Refusal } from './money-target.ts';
import type { Change, PaymentRecord } from './payment-record.ts';

/** The decision about a money operation. */
export type MoneyDecision =
  /** The operation exists already, and its state is the answer. */
  | { readonly kind: 'repeat'; readonly operation: Operation }
  | Refusal
  /** Commit the change, then send the operation, once. */
  | { readonly kind: 'send'; readonly operation: Operation; readonly change: Change };

/**
 * Decides whether a money operation is sent. Pure. Of several calls, the one that commits the
 * change sends the operation.
 */
export function decideMoney(
  record: PaymentRecord,
  request: MoneyRequest,
  now: number,
): MoneyDecision {
  const terms = termsOf(request);
  const former = record.operations.find(({ id }) => id === request.id);
  if (former !== undefined) return repeatOf(former, terms);
  const target = targetOf(record, request);
  if ('kind' in target) return target;
  const { attempt, transactionId, limitMinorUnits, baselineMinorUnits } = target;
  const isBusy = record.operations.some(
    (operation) => operation.attemptNumber === attempt.number && operation.state === 'sending',
  );
  if (isBusy) {
    return refuse(
      'operation_in_progress',
      'Another operation on this transaction is under way. Try again in a moment.',
    );
  }
  const { amount } = record.payment;
  if (target.amountMinorUnits > limitMinorUnits) {
    return refuse(
      'amount_too_large',
      `At most ${formatAmount(Math.max(0, limitMinorUnits))} ${amount.currency} is left, counting what is under way or unknown.`,
    );
  }
  const operation = newOperation(
    record,
    { ...request, terms },
    {
      attemptNumber: attempt.number,
      transactionId,
      minorUnits: target.amountMinorUnits,
      baselineMinorUnits,
    },
    now,
  );
  // If this process dies, the status check at this time finds the operation.
  const checkAt = Math.min(attempt.nextCheckAt ?? Infinity, now + SENDING_TIMEOUT_MS);
  const change = changeOf(record.payment, [{ ...attempt, nextCheckAt: checkAt }], {}, now);
  return { kind: 'send', operation, change: { ...change, operations: [operation] } };
}

/** What became of an operation that was asked for before, if it was the same. */
export function repeatOf(former: Operation, terms: string): MoneyDecision {
  if (former.terms === terms) return { kind: 'repeat', operation: former };
  return refuse(
    'request_id_reused',
    'This requestId was used for another operation. Give each operation a key of its own.',
  );
}

/** An operation that is about to be sent. */
export function newOperation(
  { payment }: Pick<PaymentRecord, 'payment'>,
  request: Pick<Operation, 'id' | 'kind' | 'requestId' | 'owner' | 'terms'>,
  about: Pick<Operation, 'attemptNumber' | 'transactionId' | 'baselineMinorUnits'> & {
    readonly minorUnits: number;
  },
  now: number,
): Operation {
  const { id, kind, requestId, owner, terms } = request;
  const { minorUnits, ...rest } = about;
  return {
    id,
    orderId: payment.orderId,
    kind,
    state: 'sending',
    requestId,
    ...rest,
    amount: { minorUnits, currency: payment.amount.currency },
    terms,
    owner,
    reference: null,
    reason: null,
    resolvedBy: null,
    createdAt: now,
    updatedAt: now,
  };
}

function termsOf(request: MoneyRequest): string {
  if (request.kind === 'void') return 'void';
  const amount = formatAmount(request.amountMinorUnits);
  if (request.kind !== 'refund') return `${request.kind} ${amount}`;
  const { transactionId, operationId } = request;
  const of = operationId ?? (transactionId === null ? undefined : transactionKey(transactionId));
  return of === undefined ? `refund ${amount}` : `refund ${amount} ${of}`;
}
