import {
  GatewayError,
  isPaid,
  type MoneyOperation,
  type Payments,
  type RefundRequest,
  type SaleOperation,
  type SaleRequest,
} from '@pay-button/server-helper';
import { json, type Request, type RequestHandler } from 'express';
import { bodyFields, readCookie, setCookie } from '../http.ts';
import { CURRENCY } from '../shop/catalog.ts';
import type { ShopOrder } from '../shop/database.ts';
import type { Shop } from '../shop/orders.ts';
import { type Bilingual, both } from '../texts/language.ts';

/** A mistake that shops make, which a tester can turn on. */
export interface Bug {
  readonly name: Bilingual;
  /** What a tester sees while it is on. */
  readonly symptom: Bilingual;
  /** What a sound shop does instead. */
  readonly expected: Bilingual;
  /** The journey that fails while it is on, word for word. */
  readonly caughtBy: string;
}

/** Every switch, by its id. `e2e/journeys/bugs.all.test.ts` turns each on and expects the named journey to fail. */
export const bugs = {
  'trusts-the-redirect': {
    name: { en: 'Trusts the redirect', ar: 'يصدّق إعادة التوجيه' },
    symptom: both(`Opening the success address gets the goods without a payment.
      من يفتح عنوان النجاح يحصل على البضاعة دون أن يدفع.`),
    expected: both(`The return is a reason to ask the gateway; only its status answer ships.
      العودة سبب لسؤال البوابة، ولا شحن إلا بجوابها عن الحالة.`),
    caughtBy: 'a success address opened without paying ships nothing',
  },
  'ignores-approved': {
    name: { en: 'Ignores APPROVED', ar: 'يتجاهل APPROVED' },
    symptom: both(`A declined payment is shipped, because there is a transaction.
      تُشحن دفعة مرفوضة لمجرد وجود عملية.`),
    expected: both(`Money is a row that says SUCCESS and APPROVED, both.
      الدفع المؤكد هو عملية حالتها SUCCESS و APPROVED معًا.`),
    caughtBy: 'a declined payment ships nothing',
  },
  'no-deduplication': {
    name: { en: 'No de-duplication', ar: 'لا يمنع التكرار' },
    symptom: both(`A webhook that comes twice ships twice.
      إشعار يصل مرتين يشحن مرتين.`),
    expected: both(`An order is shipped once, in the commit that records its payment.
      يُشحن الطلب مرة واحدة مع تسجيل دفعته.`),
    caughtBy: 'a webhook that comes again ships nothing again',
  },
  'believes-webhooks': {
    name: { en: 'Believes webhooks', ar: 'يصدّق الإشعارات' },
    symptom: both(`Anyone can post "Approved" and gets the goods.
      أي شخص يرسل «Approved» يحصل على البضاعة.`),
    expected: both(`A webhook is a reason to ask the gateway, and nothing in it is used.
      الإشعار سبب لسؤال البوابة، ولا يُؤخذ بشيء مما فيه.`),
    caughtBy: 'a forged webhook ships nothing',
  },
  'recurring-200-is-success': {
    name: { en: 'HTTP 200 recurring is success', ar: 'رمز 200 يعني نجاح التجديد' },
    symptom: both(`A declined renewal is delivered, because the gateway answered 200.
      يُسلَّم تجديد مرفوض لأن البوابة ردّت بالرمز 200.`),
    expected: both(`A renewal succeeded only if result and status both say SUCCESS.
      لا ينجح التجديد إلا إذا كانت النتيجة والحالة معًا SUCCESS.`),
    caughtBy: 'a renewal that the bank declines ships nothing',
  },
  'refunds-with-the-session-id': {
    name: { en: 'Refunds with the session id', ar: 'يسترد بمعرّف الجلسة' },
    symptom: both(`No refund goes through; the gateway knows no such transaction.
      لا يتم أي استرداد، فالبوابة لا تعرف عملية بهذا المعرّف.`),
    expected: both(`A refund names the gateway’s transaction id.
      يُطلب الاسترداد بمعرّف العملية لدى البوابة.`),
    caughtBy: 'the admin refunds a part, and then the rest',
  },
  'retries-a-sale': {
    name: { en: 'Retries a sale after a time-out', ar: 'يكرر الخصم بعد انقطاع الرد' },
    symptom: both(`When an answer is lost, the card is charged twice.
      إذا ضاع الرد خُصم المبلغ من البطاقة مرتين.`),
    expected: both(`A sale is sent once, ever; a lost answer stays unknown until evidence ends it.
      يُرسل الخصم مرة واحدة فقط، وتبقى نتيجته مجهولة حتى يثبتها دليل.`),
    caughtBy: 'a sale whose answer is lost charges the card once',
  },
  'trusts-the-price': {
    name: { en: 'Trusts the price from the browser', ar: 'يصدّق السعر القادم من المتصفح' },
    symptom: both(`An order sent with a price of its own is paid and shipped at that price.
      إذا أرسل المتصفح سعرًا مع الطلب، دُفع الطلب وشُحن بذلك السعر.`),
    expected: both(`A price comes from the shop’s own catalog and order only.
      السعر من كتالوج المتجر وسجل الطلب لديه، ولا يُؤخذ من أي مكان آخر.`),
    caughtBy: 'a price sent by the browser changes nothing',
  },
  'key-in-the-front-end': {
    name: { en: 'Key in the front end', ar: 'المفتاح في الواجهة' },
    symptom: both(`The gateway’s API key is in the page.
      مفتاح البوابة موجود في الصفحة.`),
    expected: both(`The key never leaves the server.
      لا يغادر المفتاح الخادم أبدًا.`),
    caughtBy: 'no page and no script holds the gateway’s key',
  },
  'failed-on-pending': {
    name: { en: 'Marks failed on PENDING', ar: 'يعدّ المعلّق فاشلًا' },
    symptom: both(`A payment that the bank still checks is shown as declined.
      دفعة لا يزال البنك يتحقق منها تُعرض على أنها مرفوضة.`),
    expected: both(`A payment without an outcome is pending.
      الدفعة التي لم تُعرف نتيجتها بعد هي قيد الانتظار.`),
    caughtBy: 'a payment whose 3-D Secure page hangs is pending',
  },
  'shows-orders-to-strangers': {
    name: { en: 'Shows orders to strangers', ar: 'يعرض الطلبات للغرباء' },
    symptom: both(`Guessing an order’s address shows its name and goods.
      من يخمّن عنوان طلب يرى الاسم والمشتريات.`),
    expected: both(`An order is a 404 for everyone but its shopper.
      لا يرى الطلب إلا صاحبه، ولغيره صفحة 404.`),
    caughtBy: 'a stranger sees nothing of an order, paid or not',
  },
} as const satisfies Readonly<Record<string, Bug>>;

export type BugId = keyof typeof bugs;

export const bugIds = Object.keys(bugs) as BugId[];

/** Reads the id of a bug; `undefined` for every other text. */
export function readBug(text: unknown): BugId | undefined {
  return bugIds.find((id) => id === text);
}

const COOKIE = 'shop_bug';
const COOKIE_DAYS = 1;

/** The switch that a visitor has turned on by `?bug=`. */
export function bugOf(request: Request): BugId | undefined {
  return readBug(request.query['bug']) ?? readBug(readCookie(request, COOKIE));
}

/** Takes `?bug=<id>` on any page; every other word turns it off. */
export const bugSwitch: RequestHandler = (request, response, next) => {
  const { bug } = request.query;
  if (typeof bug === 'string') setCookie(response, COOKIE, readBug(bug) ?? 'none', COOKIE_DAYS);
  next();
};

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
  readonly onReturn = async (orderId: string, address: 'success' | 'failure'): Promise<void> => {
    const isTrusted = address === 'success' && this.has(orderId, 'trusts-the-redirect');
    const isApproved =
      this.has(orderId, 'ignores-approved') && (await hasRows(this.#shop, orderId));
    if (isTrusted || isApproved) await this.#shop.database.shipUnpaid(orderId);
  };

  /** Reads webhooks for the bugs that need their body; else the kit does it all, nonsense included. */
  readonly readFirst: RequestHandler = (request, response, next) => {
    const active = new Set([this.#always, ...[...this.#affected.values()].map(({ bug }) => bug)]);
    const isNeeded = active.has('believes-webhooks') || active.has('no-deduplication');
    if (isNeeded) readWebhook(request, response, next);
    else next();
  };

  /** What a mistaken shop does when a webhook comes. */
  readonly onWebhook: RequestHandler = async (request, _response, next) => {
    const { payments, database } = this.#shop;
    const orderId = approvedOrder(request);
    const isShippedAgain =
      this.has(orderId, 'believes-webhooks') ||
      (this.has(orderId, 'no-deduplication') && isPaid((await payments.retrieve(orderId))?.state));
    if (isShippedAgain) await database.shipUnpaid(orderId);
    next();
  };
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

const MAX_ORDERS = 1_000;

/** Stores the latest of an order, and forgets the oldest order of too many. */
export function keepLatest<Value>(all: Map<string, Value>, orderId: string, value: Value): void {
  all.delete(orderId);
  all.set(orderId, value);
  const [oldest] = all.keys();
  if (all.size > MAX_ORDERS && oldest !== undefined) all.delete(oldest);
}
