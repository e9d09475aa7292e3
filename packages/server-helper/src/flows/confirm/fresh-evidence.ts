import { PaymentsError } from '../../errors.ts';
import { isEndedByTime, type Attempt } from '../../payments/attempt.ts';
import type { PaymentRecord } from '../../payments/payment-record.ts';
import { hasMoney } from '../../payments/payment.ts';
import { CHECK_GAP_MS } from '../../stores/store.ts';
import type { FlowContext } from '../flow-context.ts';
import { confirmOrder, type ShareCheck, type WaitOptions } from './confirm-order.ts';

/**
 * Asks about every link, however recently: each may have been paid since. A gateway that hangs
 * is waited for longer than a checkout lasts, so that its shopper learns of a time-out.
 */
const wait: WaitOptions = { deadlineMs: 3 * CHECK_GAP_MS, onThrottled: 'ask-each-link' };

/**
 * Requires an answer of the gateway about every link of an order that may be paid, to a question that was
 * asked after this call began. Without one, a shopper who has paid could be asked for the money again.
 *
 * @param consequence - What is not done without it, such as "it was not cancelled".
 * @returns for an order without such a link, and for one that has its money by now.
 * @throws {@link PaymentsError} `not_confirmed`, `store_unavailable`.
 */
export async function requireFreshEvidence<Tx>(
  context: FlowContext<Tx>,
  shareCheck: ShareCheck,
  orderId: string,
  consequence: string,
): Promise<void> {
  const { record, hasEvidence } = await confirmOrder(context, shareCheck, orderId, wait);
  if (record === null || hasMoney(record.payment.state) || hasEvidence) return;
  if (payableAttempts(record).length === 0) return;
  throw new PaymentsError(
    'not_confirmed',
    `The gateway did not say whether the order was paid, so ${consequence}. Try again in a moment.`,
  );
}

/** The attempts of a record that may be paid, by their numbers: the open ones, and those ended by time. */
export const payableAttempts = (record: PaymentRecord | null): readonly number[] => {
  const mayBePaid = (one: Attempt): boolean => one.state === 'open' || isEndedByTime(one);
  return record?.attempts.filter(mayBePaid).map(({ number }) => number) ?? [];
};

/** The attempts that the gateway was asked about, and when it had answered. */
export interface AskedAttempts {
  readonly numbers: readonly number[];
  readonly answeredAt: number;
}

export const noneAsked: AskedAttempts = { numbers: [], answeredAt: -Infinity };

/** A commit that waits for longer than this takes no money by the answers from before. */
const EVIDENCE_AGE_MS = 30_000;

/** Whether the gateway is to be asked about attempts that may be paid before more money may be taken. */
export function lacksEvidence(
  payable: readonly number[],
  { numbers, answeredAt }: AskedAttempts,
  now: number,
): boolean {
  if (payable.length === 0) return false;
  return now - answeredAt >= EVIDENCE_AGE_MS || payable.some((number) => !numbers.includes(number));
}
