import { PaymentsError } from '../../errors.ts';
import { changeOf } from '../../payments/draft.ts';
import type {
  Operation,
  PaymentEvent,
  PaymentRecord,
  ReviewItem,
  ReviewReason,
} from '../../payments/record.ts';
import {
  type Acceptance,
  acceptMoney,
  deniedBy,
  moneyOfReview,
} from '../../payments/accept-money.ts';
import {
  type Decision,
  orderOfReview,
  type Resolution,
  resolveReview,
  reviewId,
} from '../../payments/reviews.ts';
import { changePayment, loadPayment } from '../change-payment.ts';
import { recheckPrice } from '../checkout/load-order.ts';
import { isOrderId } from '../../ids.ts';
import { decimalOf } from '../../money.ts';
import { isStorable } from '../../text.ts';
import { checkStatus } from '../confirm/check-status.ts';
import { MAX_COUNTED, type Store } from '../../stores/store.ts';
import type { FlowContext } from '../flow-context.ts';
import { askStore, loadRecord } from '../waiting.ts';
import { invalid, readBy, readWhy } from './money-input.ts';
import { paymentNamed } from '../list-payments.ts';
import { iso } from '../views.ts';
import type { Run } from './money-verbs.ts';

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
      readonly kind: 'proposal';
      /** The operation, which `payments.approve` sends and `payments.resolveOperation` takes back. */
      readonly id: string;
      readonly orderId: string;
      /** Decimal string with two decimals. */
      readonly amount: string;
      readonly currency: string;
      readonly requestedBy: string | null;
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
   * What a person must review, oldest first: discrepancies, unknown outcomes, proposed refunds, dead letters.
   *
   * @param options - `limit`: at most so many of each kind, 1 to 1,000. Defaults to 100.
   * @throws {@link PaymentsError} `invalid_operation`, `store_unavailable`.
   */
  list(options?: { readonly limit?: number | undefined }): Promise<readonly ReviewEntry[]>;
  /**
   * Accepts the money of a discrepancy, or late money, as the order's payment: by the amount that really
   * came, in one commit with `inTransaction` and the `paid` event (`authorized` for a held amount). The
   * open reviews of this money end with it. Accepted again, it changes nothing.
   *
   * The gateway is asked first whether the money is still there, and `loadOrder` for the price, as for every payment.
   * A price or a missing order that no review of this money mentions is a new review, to be accepted then.
   *
   * @param id - Of a review of money. Money in another currency, or of another order, is refused.
   * @param why - What they found; it is stored.
   * @param options - `by`: who decided, in 1 to 200 characters; it is stored.
   * @throws {@link PaymentsError} `not_found_in_store`, `invalid_operation`, `already_paid`,
   * `wrong_state`, `in_review` (the order has changed since), `not_confirmed` (the gateway does not
   * show the money now), `operation_in_progress` (a refund of it, also one that waits for
   * approval), `hook_failed`, `store_unavailable`.
   * @example
   * await payments.review.accept(id, 'The customer pays the rest in the shop.', { by: 'Noura' });
   */
  accept(id: string, why: string, options?: { readonly by?: string | undefined }): Promise<void>;
  /**
   * Takes a review off the list that a person has resolved. It moves no money, and makes nothing paid.
   *
   * @param why - What they found; it is stored.
   * @param options - `by`: who decided, in 1 to 200 characters; it is stored.
   * @param options - `reopen`: whether an order in `review` may be paid anew, once nothing else
   * about it is open; a discrepancy that is found meanwhile ends that. While the order is in `review`
   * with nothing open, a resolved item can be resolved again with it. Refund the money of a discrepancy
   * first: the shopper would pay a second time.
   * @throws {@link PaymentsError} `not_found_in_store`, `invalid_operation` (of an `unknown_outcome`,
   * which `payments.resolveOperation` ends), `store_unavailable`.
   */
  resolve(
    id: string,
    why: string,
    options?: { readonly reopen?: boolean | undefined; readonly by?: string | undefined },
  ): Promise<void>;
  /**
   * Hands a dead letter to its handler anew, with as many tries as at first, also where its money went back.
   *
   * @param options - `by`: who asks for it, in 1 to 200 characters; the order's timeline names them.
   * @throws {@link PaymentsError} `not_found_in_store`, `invalid_operation` for a wrong name,
   * `store_unavailable`.
   */
  redeliver(eventId: string, options?: { readonly by?: string | undefined }): Promise<void>;
}

/** Makes the verbs of the review list. */
export function reviewVerbs<Tx>(run: Run<Tx>): ReviewVerbs {
  return {
    list: ({ limit = DEFAULT_LIMIT } = {}) => run(({ store }) => list(store, limit)),
    accept: (id, why, { by } = {}) =>
      run(async (context) => accept(context, { id, why: readWhy(why), by: readBy(by) })),
    resolve: (id, why, { reopen = false, by } = {}) =>
      run(async (context) =>
        resolve(context, { id, why: readWhy(why), by: readBy(by), reopens: reopen }),
      ),
    redeliver: (eventId, { by } = {}) =>
      run(async (context) => redeliver(context, eventId, readBy(by))),
  };
}

async function list(
  store: Pick<FlowContext<unknown>['store'], 'list' | 'deadLetters'>,
  limit: number,
): Promise<readonly ReviewEntry[]> {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw invalid('limit', `limit must be a whole number of 1 to ${MAX_LIMIT}.`);
  }
  const [reviewed, letters, proposed] = await askStore(() =>
    Promise.all([
      store.list({ of: 'open reviews', limit }),
      store.deadLetters(limit),
      openProposals({ store }, limit),
    ]),
  );
  const open = reviewed.flatMap(({ reviews }) => reviews.filter((one) => one.resolvedAt === null));
  const matters = oldest(open, limit).map((item): ReviewEntry => ({
    kind: 'payment',
    id: reviewId(item),
    orderId: item.orderId,
    reason: item.reason,
    about: item.subject,
    createdAt: iso(item.createdAt),
  }));
  const dead = letters.map(({ event, tries }): ReviewEntry => ({
    kind: 'dead_letter',
    id: event.id,
    orderId: event.orderId,
    event,
    tries,
    createdAt: event.occurredAt,
  }));
  const proposals = proposed.map((one): ReviewEntry => ({
    kind: 'proposal',
    id: one.id,
    orderId: one.orderId,
    amount: decimalOf(one.amount.minorUnits),
    currency: one.amount.currency,
    requestedBy: one.requestedBy,
    createdAt: iso(one.createdAt),
  }));
  return [...matters, ...proposals, ...dead].toSorted((a, b) =>
    a.createdAt < b.createdAt ? -1 : 1,
  );
}

const oldest = <T extends { readonly createdAt: number }>(all: readonly T[], limit: number) =>
  all.toSorted((a, b) => a.createdAt - b.createdAt).slice(0, limit);

/** The operations that wait for another person's approval, the oldest first. */
export async function openProposals(
  { store }: { readonly store: Pick<FlowContext<unknown>['store'], 'list'> },
  limit = MAX_COUNTED,
): Promise<readonly Operation[]> {
  const all = (await store.list({ of: 'proposals', limit })).flatMap((one) => one.operations);
  const open = all.filter(({ state }) => state === 'proposed');
  return oldest(open, limit);
}

/** The entry of an id, however many are older; `undefined` for a matter that does not wait. */
export async function findEntry(
  { store }: { readonly store: Pick<Store<unknown>, 'list' | 'load' | 'history'> },
  id: string,
): Promise<ReviewEntry | undefined> {
  if (!isStorable(id)) return undefined;
  const [named] = await askStore(() => store.list(paymentNamed({ kind: 'operation', name: id })));
  // Other ids begin with their order's and a slash, which no order id has in it.
  const record = named ?? (await loadRecord(store, orderOfReview(id)));
  if (record === null) return undefined;
  const { events } = await askStore(() => store.history(record.payment.orderId));
  const ofOrder = {
    list: async () => [record],
    deadLetters: async () => events.filter(({ outcome }) => outcome === 'dead'),
  };
  return (await list(ofOrder, MAX_LIMIT)).find((one) => one.id === id);
}

/** Whether an event tells of money that went back in full since, or that is in doubt: its handler may ship unpaid. */
export const isOutdated = (entry: ReviewEntry | undefined, record: PaymentRecord | null): boolean =>
  entry?.kind === 'dead_letter' &&
  ['paid', 'authorized', 'captured'].includes(entry.event.type) &&
  (['refunded', 'voided'].includes(record?.payment.state ?? '') || isDoubted(record) === true);

const isDoubted = (record: PaymentRecord | null): boolean | undefined =>
  record?.reviews.some((one) => one.reason === 'payment_contradiction' && one.resolvedAt === null);

/** Delivers a dead letter anew, and logs that. */
async function redeliver<Tx>(context: FlowContext<Tx>, eventId: string, by: string | null) {
  const missing = notFound('There is no dead letter of this id.');
  const entry = await findEntry(context, eventId);
  if (entry?.kind !== 'dead_letter') throw missing;
  await changePayment(context, entry.orderId, (record, now) => {
    if (record === null) throw missing;
    return { ...changeOf(record.payment, [], {}, now), redelivers: { eventId, by } };
  });
}

function orderOf(id: string): string {
  const orderId = orderOfReview(id);
  if (isOrderId(orderId)) return orderId;
  throw noReview();
}

async function resolve<Tx>(context: FlowContext<Tx>, resolution: Resolution): Promise<void> {
  const orderId = orderOf(resolution.id);
  await changePayment(context, orderId, (record, now) => {
    const item = record?.reviews.find((one) => reviewId(one) === resolution.id);
    if (item?.reason === 'unknown_outcome' && item.resolvedAt === null) {
      throw invalid('id', 'Say what became of the operation by payments.resolveOperation.');
    }
    const change = record && resolveReview(record, resolution, now);
    if (change === null) throw noReview();
    return change;
  });
}

/**
 * The gateway is asked about the money, and the merchant for the price, once and outside of every
 * transaction: the money may have been refunded or reversed since it was found.
 */
async function accept<Tx>(context: FlowContext<Tx>, decision: Decision): Promise<void> {
  const orderId = orderOf(decision.id);
  const found = await loadPayment(context, orderId);
  if (found === null) throw noReview();
  const { row } = moneyOfReview(found, decision.id);
  // As if the order cost what came: the merchant is asked last.
  if (refuseOrEnd(acceptMoney(found, decision, row?.amount, context.clock.now()))) return;
  const { attemptNumber } = row ?? {};
  const question = { orderId, attemptNumber, everySession: true, ignoresGap: true };
  const { asked, record: latest } = await checkStatus(context, question);
  const record = latest ?? found;
  const denied = deniedBy(record, decision, asked?.answer ?? null);
  if (denied !== null) refuseOrEnd(denied);
  const isSeen = (one: ReviewItem): boolean =>
    found.reviews.some((known) => reviewId(known) === reviewId(one) && known.said === one.said);
  // What the gateway says against the money by the commit, also in another row, and no person has seen.
  const isAbout = ({ subject, reason }: ReviewItem): boolean =>
    subject === row?.transactionId || reason === 'unreadable_answer';
  const isNews = (one: ReviewItem): boolean => isAbout(one) && one.said !== '' && !isSeen(one);
  const price = await recheckPrice(context, orderId);
  const { decision: last } = await changePayment(
    context,
    orderId,
    (current, now) => {
      if (current?.reviews.some(isNews) === true) throw changedSince();
      return acceptMoney(current ?? record, decision, price, now);
    },
    { record },
  );
  if (!refuseOrEnd(last) && last.kind === 'stop') throw changedSince();
}

const changedSince = (): PaymentsError =>
  new PaymentsError(
    'in_review',
    'The order has changed since: a review says how. Look at it, and accept or resolve it then.',
  );

/** @returns whether nothing is left to do. */
function refuseOrEnd(acceptance: Acceptance): boolean {
  if (acceptance.kind === 'refuse') throw new PaymentsError(acceptance.code, acceptance.message);
  return acceptance.kind === 'repeat';
}

const notFound = (message: string): PaymentsError =>
  new PaymentsError('not_found_in_store', message);

const noReview = (): PaymentsError => notFound('There is no open review item of this id.');
