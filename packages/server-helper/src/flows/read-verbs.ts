import { checkOrderId } from '../ids.ts';
import { explain, type Explanation } from './explain.ts';
import { listPayments, type PaymentList, type PaymentQuery } from './list-payments.ts';
import { figuresOf, type Figures, type FiguresQuery } from './figures.ts';
import type { Run } from './money/money-verbs.ts';

/** The verbs that read what is stored, and ask nobody. */
export interface ReadVerbs {
  /**
   * Payments as last verified, the latest created first, a page at a time. Pages hold each payment
   * once, however many are added or change meanwhile; a new one comes before the first page.
   *
   * @throws {@link PaymentsError} `invalid_query`, `invalid_order`, `store_unavailable`.
   * @example
   * const { payments: reviews, nextCursor } = await payments.list({ state: 'review', limit: 20 });
   */
  list(query?: PaymentQuery): Promise<PaymentList>;
  /**
   * Money taken and refunded, how payments ended and how long they took, by day. Reads every movement
   * and payment of the span, a day at a time; the sums are those of the ledger.
   *
   * @throws {@link PaymentsError} `invalid_query`, `store_unavailable`.
   * @example
   * const { days, total } = await payments.figures({ since: '2026-11-01', until: '2026-12-01' });
   */
  figures(query: FiguresQuery): Promise<Figures>;
  /**
   * Everything about an order's payment: attempts, timeline, money operations, review items and
   * effects; `null` when it never had one. Does not ask the gateway.
   *
   * @throws {@link PaymentsError} `invalid_order`, `store_unavailable`.
   */
  explain(orderId: string): Promise<Explanation | null>;
}

/** Makes the verbs that read. */
export const readVerbs = <Tx>(run: Run<Tx>): ReadVerbs => ({
  list: (query = {}) => run((context) => listPayments(context, query)),
  figures: (query) => run((context) => figuresOf(context, query)),
  explain: (orderId) => run((context) => explain(context, checkOrderId(orderId))),
});
