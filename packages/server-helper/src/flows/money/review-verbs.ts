import { PaymentsError } from '../../errors.ts';
import type { PaymentEvent, ReviewReason } from '../../payments/payment-record.ts';
import { orderOfReview, resolveReview, reviewId, type Resolution } from '../../payments/review.ts';
import { changePayment } from '../change-payment.ts';
import type { FlowContext } from '../flow-context.ts';
import { invalid } from './money-input.ts';
import type { Run } from './money-verbs.ts';
import { readWhy } from './resolve-operation.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

/** One entry of the review list. */
export type ReviewEntry =
  | {
      readonly kind: 'payment';
      /** The id for {@link ReviewVerbs.resolve}. */
      readonly id: string;
      readonly orderId: string;
      readonly reason: ReviewReason;
      /** The transaction or, for `unknown_outcome`, the operation that `payments.resolveOperation` takes. */
      readonly about: string;
      /** ISO 8601, UTC. */
      readonly createdAt: string;
    }
  | {
      readonly kind: 'dead_letter';
      /** The id for {@link ReviewVerbs.redeliver}. */
      readonly id: string;
      readonly orderId: string;
      readonly event: PaymentEvent;
      readonly tries: number;
      /** ISO 8601, UTC. */
      readonly createdAt: string;
    };

/** The verbs of the review list, for matters that the kit cannot decide. */
export interface ReviewVerbs {
  /**
   * What a person must review: discrepancies, unknown outcomes, and events whose handler failed
   * twenty times. Oldest first.
   *
   * @param options - `limit`: at most so many of each kind, 1 to 1,000. Defaults to 100.
   * @throws {@link PaymentsError} `invalid_operation`, `store_unavailable`.
   */
  list(options?: { readonly limit?: number | undefined }): Promise<readonly ReviewEntry[]>;
  /**
   * Takes a review off the list, because a person has resolved it. It moves no money, and makes nothing
   * paid.
   *
   * @param why - What they found; it is stored.
   * @param options - `reopen`: whether an order in `review` may be paid anew, once nothing else
   * about it is open. Refund the money of a discrepancy first: the shopper would pay a second time.
   * @throws {@link PaymentsError} `not_found_in_store`, `invalid_operation` (of an `unknown_outcome`,
   * which `payments.resolveOperation` ends), `store_unavailable`.
   */
  resolve(
    id: string,
    why: string,
    options?: { readonly reopen?: boolean | undefined },
  ): Promise<void>;
  /**
   * Hands a dead letter to its handler anew, with as many tries as at first.
   *
   * @throws {@link PaymentsError} `not_found_in_store`, `store_unavailable`.
   */
  redeliver(eventId: string): Promise<void>;
}

/** Makes the verbs of the review list. */
export function reviewVerbs<Tx>(run: Run<Tx>): ReviewVerbs {
  return {
    list: ({ limit = DEFAULT_LIMIT } = {}) => run(({ store }) => list(store, limit)),
    resolve: (id, why, { reopen = false } = {}) =>
      run((context) => resolve(context, { id, why: readWhy(why), reopens: reopen })),
    redeliver: (eventId) =>
      run(async ({ store, clock }) => {
        if (await store.redeliver(eventId, clock.now())) return;
        throw notFound('There is no dead letter of this id.');
      }),
  };
}

async function list(
  store: Pick<FlowContext<unknown>['store'], 'openReviews' | 'deadLetters'>,
  limit: number,
): Promise<readonly ReviewEntry[]> {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw invalid('limit', `limit must be a whole number of 1 to ${MAX_LIMIT}.`);
  }
  const matters = (await store.openReviews(limit)).map((item): ReviewEntry => ({
    kind: 'payment',
    id: reviewId(item),
    orderId: item.orderId,
    reason: item.reason,
    about: item.subject,
    createdAt: new Date(item.createdAt).toISOString(),
  }));
  const dead = (await store.deadLetters(limit)).map(({ event, tries }): ReviewEntry => ({
    kind: 'dead_letter',
    id: event.id,
    orderId: event.orderId,
    event,
    tries,
    createdAt: event.occurredAt,
  }));
  return [...matters, ...dead].toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
}

async function resolve<Tx>(context: FlowContext<Tx>, resolution: Resolution): Promise<void> {
  const orderId = orderOfReview(resolution.id);
  await changePayment(context, orderId, (record, now) => {
    const item = record?.reviews.find((one) => reviewId(one) === resolution.id);
    if (item?.reason === 'unknown_outcome' && item.resolvedAt === null) {
      throw invalid('id', 'Say what became of the operation by payments.resolveOperation.');
    }
    if (record === null || item === undefined || item.resolvedAt !== null) {
      throw notFound('There is no open review item of this id.');
    }
    return resolveReview(record, resolution, now);
  });
}

function notFound(message: string): PaymentsError {
  return new PaymentsError('not_found_in_store', message);
}
