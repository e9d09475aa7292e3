import type { OperationKind, OperationState, PaymentRecord } from '../../payments/record.ts';
import type { NoticeName } from '../texts/notices.ts';

/** What the page says about an operation that was asked for. */
export const noticeOf = ({ state }: { readonly state: OperationState }): NoticeName =>
  `operation_${state}`;

/**
 * The notice of an operation that this request made before; `null` where it made none.
 *
 * @param terms - What the form asks for. Two people who asked for different things in one state have one
 * request between them: the second is told that theirs was not done.
 */
export function formerNotice(
  { operations }: PaymentRecord,
  requestId: string,
  terms: {
    readonly kind: OperationKind;
    readonly minorUnits?: number;
    readonly transactionId?: string | undefined;
  },
): NoticeName | null {
  const former = operations.find((one) => one.requestId === requestId);
  if (former === undefined) return null;
  const { kind, minorUnits = former.amount.minorUnits, transactionId } = terms;
  const isSame =
    former.kind === kind &&
    former.amount.minorUnits === minorUnits &&
    (transactionId === undefined || former.transactionId === transactionId);
  return isSame ? noticeOf(former) : 'other_meanwhile';
}

/** Every operation of an order ends this state, so that two questions in it start one at most. */
export const stateOf = ({ payment, operations }: PaymentRecord): string =>
  `${payment.orderId}\0${operations.length}`;
