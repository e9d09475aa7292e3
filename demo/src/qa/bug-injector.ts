import {
  GatewayError,
  isPaid,
  type MoneyOperation,
  type Payments,
  type RefundRequest,
  type SaleOperation,
  type SaleRequest,
} from '@pay-button/server-helper';
import { json, type Request, Router } from 'express';
import { bodyFields } from '../http.ts';
import { CURRENCY } from '../shop/catalog.ts';
import type { ShopOrder } from '../shop/database.ts';
import type { Shop } from '../shop/orders.ts';
import { type BugId, bugOf } from './bugs.ts';
import { type BrowserReturn, keepLatest } from './console.ts';

/** Reads a webhook before the kit does. */
export const readWebhook = json({ limit: '64kb' });

/** Gives chosen orders a bug of the shop. The kit itself stays as it is. */
export class BugInjector {
  readonly #shop: Shop;
  /** The bug of each affected order, and the price that its browser sent, in halalas. */
  readonly #affected = new Map<string, { bug: BugId; price: number | undefined }>();
  readonly #always: BugId | undefined;

  /**
   * @param shop - With the kit's own verbs.
   * @param always - The bug of every order, from the environment.
   */
  constructor(shop: Shop, always: BugId | undefined) {
    this.#shop = shop;
    this.#always = always;
  }

  has(orderId: string, bug: BugId): boolean {
    return (this.#affected.get(orderId)?.bug ?? this.#always) === bug;
  }

  /** The bug that is on for a visitor. */
  onFor(request: Request): BugId | undefined {
    return bugOf(request) ?? this.#always;
  }

  /** Gives a new order the bug that its shopper turned on. */
  inject(orderId: string, request: Request): void {
    const bug = this.onFor(request);
    if (bug === undefined) return;
    keepLatest(this.#affected, orderId, { bug, price: sentPrice(request.body) });
  }

  /** The order as the shopper pays for it: at the browser's price, where the shop believes that. */
  priced(order: ShopOrder): ShopOrder {
    const price = this.#affected.get(order.orderId)?.price;
    const isBuggy = price !== undefined && this.has(order.orderId, 'trusts-the-price');
    return isBuggy ? { ...order, halalas: price } : order;
  }

  /** The kit's verbs, with the mistakes that a shop makes around them. */
  verbs(): Pick<Payments, 'retrieve' | 'refund' | 'chargeRecurring' | 'sale'> {
    const { payments, database } = this.#shop;
    return {
      retrieve: async (orderId) => {
        const payment = await payments.retrieve(orderId);
        const isBuggy = this.has(orderId, 'failed-on-pending');
        return payment?.state === 'pending' && isBuggy ? { ...payment, state: 'failed' } : payment;
      },
      refund: (orderId, request) =>
        this.has(orderId, 'refunds-with-the-session-id')
          ? refundBySession(payments, orderId, request)
          : payments.refund(orderId, request),
      chargeRecurring: async (orderId, request) => {
        const charge = await payments.chargeRecurring(orderId, request);
        const isBuggy = this.has(orderId, 'recurring-200-is-success');
        if (isBuggy && charge.state === 'failed') await database.shipUnpaid(orderId);
        return charge;
      },
      sale: (orderId, request) =>
        this.has(orderId, 'retries-a-sale')
          ? saleSentTwice(this.#shop, orderId, request)
          : payments.sale(orderId, request),
    };
  }

  /** What a mistaken shop does when a browser comes back from the gateway. */
  async onReturn(orderId: string, address: BrowserReturn['address']): Promise<void> {
    const isTrusted = address === 'success' && this.has(orderId, 'trusts-the-redirect');
    const isApproved =
      this.has(orderId, 'ignores-approved') && (await hasRows(this.#shop, orderId));
    if (isTrusted || isApproved) await this.#shop.database.shipUnpaid(orderId);
  }

  /** The mistakes around the kit's webhook; mounted before its router. */
  webhooks(): Router {
    const { payments, database } = this.#shop;
    const router = Router();
    router.post('/webhook', (request, response, next) => {
      // The kit reads every webhook itself, nonsense included, unless such a bug needs the body.
      if (this.#isAnyOn('believes-webhooks', 'no-deduplication')) {
        readWebhook(request, response, next);
      } else next();
    });
    router.post('/webhook', async (request, _response, next) => {
      const orderId = approvedOrder(request);
      const isShippedAgain =
        this.has(orderId, 'believes-webhooks') ||
        (this.has(orderId, 'no-deduplication') &&
          isPaid((await payments.retrieve(orderId))?.state));
      if (isShippedAgain) await database.shipUnpaid(orderId);
      next();
    });
    return router;
  }

  #isAnyOn(...bugs: readonly BugId[]): boolean {
    const active = [this.#always, ...[...this.#affected.values()].map(({ bug }) => bug)];
    return active.some((bug) => bug !== undefined && bugs.includes(bug));
  }
}

/**
 * The total of the prices that a browser sent beside its lines, in halalas, which a sound shop never
 * reads. `undefined` when a line has none.
 */
function sentPrice(body: unknown): number | undefined {
  const lines = bodyFields(body).value('lines');
  if (!Array.isArray(lines)) return undefined;
  const prices = lines.map((line: unknown) => {
    const fields = bodyFields(line);
    const price = fields.text('price');
    const isPrice = /^\d{1,6}\.\d\d$/.test(price);
    return isPrice ? Number(price.replace('.', '')) * Number(fields.value('quantity')) : NaN;
  });
  const total = prices.reduce((sum, price) => sum + price, 0);
  return Number.isSafeInteger(total) ? total : undefined;
}

/** The id of the checkout session is not the id of the transaction (§2.3). */
async function refundBySession(
  payments: Payments,
  orderId: string,
  { amount }: RefundRequest,
): Promise<MoneyOperation> {
  const sessionId = (await payments.explain(orderId))?.attempts[0]?.sessionId ?? '';
  await payments.gateway.refund({ transactionId: sessionId, amount });
  throw new Error('The gateway took a session for a transaction.');
}

/** A lost answer does not mean that nothing was charged. */
async function saleSentTwice(
  { payments, database }: Shop,
  orderId: string,
  request: SaleRequest,
): Promise<SaleOperation> {
  const made = await payments.sale(orderId, request);
  const order = await database.findOrder(orderId);
  if (made.result !== 'unknown' || order === null) return made;
  const { auth, card } = request;
  const unused = 'http://localhost/';
  await payments.gateway
    .sale({
      orderId: `${orderId}~1`,
      amount: { minorUnits: order.halalas, currency: CURRENCY },
      customer: order.customer,
      auth,
      card,
      successUrl: unused,
      failureUrl: unused,
    })
    .catch((error: unknown) => {
      if (!(error instanceof GatewayError)) throw error;
    });
  return made;
}

async function hasRows({ payments }: Shop, orderId: string): Promise<boolean> {
  const sessionId = (await payments.explain(orderId))?.attempts.at(-1)?.sessionId;
  if (typeof sessionId !== 'string') return false;
  return (await payments.gateway.retrieveStatus({ sessionId })).transactions.length > 0;
}

function approvedOrder(request: Request): string {
  const body = bodyFields(request.body);
  const [orderId = ''] = body.text('merchantOrderId').split('~');
  return /^approved$/i.test(body.text('status')) ? orderId : '';
}
