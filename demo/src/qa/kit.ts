import { html } from '@lit-labs/ssr';
import type { Order } from '@pay-button/server-helper';
import type { Express, Request, RequestHandler } from 'express';
import { bodyFields } from '../http.ts';
import { type Html, setFoot, type View } from '../pages/page.ts';
import type { ShopOrder } from '../shop/database.ts';
import { payableOrder, type Shop } from '../shop/orders.ts';
import { languageOf } from '../texts/language.ts';
import { BugInjector, readWebhook } from './bug-injector.ts';
import { bugSwitch } from './bugs.ts';
import { type QaTools, TestConsole } from './console.ts';
import { drawer, orderOfPath, sourceComparison } from './pages.ts';
import { findPersona } from './personas.ts';
import { qaRouter } from './routes.ts';

/** Everything that a shop has only because its gateway is the sandbox. */
export class QaKit {
  readonly testConsole: TestConsole;
  /** The shop with what the tools replace or add in its code. */
  readonly shop: Shop;
  readonly #tools: QaTools;
  readonly #bugs: BugInjector;

  constructor(tools: QaTools, shop: Shop) {
    this.#tools = tools;
    this.#bugs = new BugInjector({ ...shop, payments: { ...shop.payments } }, tools.bug);
    this.testConsole = new TestConsole(tools, shop);
    // In place: the back office acts through the very object that createPayments made.
    Object.assign(shop.payments, this.#bugs.verbs());
    this.shop = {
      ...shop,
      onPlaced: (orderId, request) => this.#bugs.inject(orderId, request),
      isOpenToAll: (orderId) => this.#bugs.has(orderId, 'shows-orders-to-strangers'),
    };
  }

  /** Mounts the routes that come before the kit's router and the shop's pages. */
  mount(app: Express): void {
    const { testConsole } = this;
    app.use(bugSwitch);
    // A checkout whose clock moves would end as if the gateway did not answer.
    app.post('/pay/checkout', async (_request, _response, next) => {
      await testConsole.check();
      next();
    });
    const onReturn = testConsole.watchReturns((...back) => void this.#bugs.onReturn(...back));
    app.use('/pay', onReturn, this.#bugs.webhooks());
    app.use('/pay/webhook', acknowledgeOthers);
    app.use(qaRouter(this.shop, testConsole));
    setFoot(app, (view, request) => this.#foot(view, request));
  }

  /**
   * The order as the shopper pays for it; only a bug changes its price. The sandbox's page takes a
   * language; the gateway's specification has no field for one.
   */
  async payableOrder(order: ShopOrder, request: Request | undefined): Promise<Order> {
    const payable = payableOrder(this.#bugs.priced(order));
    if (request === undefined) return payable;
    await this.testConsole.dropDeadLink(order.orderId);
    return { ...payable, pageQuery: { lang: languageOf(request) } };
  }

  /** Compares the sources about an order's payment. */
  readonly compareSources = async (orderId: string): Promise<(view: View) => Html> => {
    const [delivery, explain] = await Promise.all([
      this.testConsole.lastDelivery(orderId),
      this.shop.payments.explain(orderId),
    ]);
    const returned = this.testConsole.returns.get(orderId);
    return (view) => sourceComparison(view, { returned, delivery, explain });
  };

  #foot(view: View, request: Request): Html {
    const { url: sandboxUrl, apiKey } = this.#tools.sandbox;
    const bug = this.#bugs.onFor(request);
    const steps = findPersona(request.query['persona'])?.steps[view.language];
    const notices = new Map<unknown, string>(Object.entries(view.texts.qa.notices));
    const notice = steps ?? notices.get(request.query['qa']);
    const { sandbox } = this.testConsole;
    const orderId = orderOfPath(view.path);
    return html`${drawer(view, { sandbox, sandboxUrl, notice, orderId, bug })}
    ${bug === 'key-in-the-front-end' ? html`<meta name="gateway-key" content=${apiKey} />` : ''}`;
  }
}

/**
 * Acknowledges the webhooks of declines and of challenges under way without a status check: the
 * shopper may try another card a second later, and the kit waits five seconds after each check. The
 * return, the background work and every other webhook still cause one.
 */
const acknowledgeOthers: RequestHandler = (request, response, next) => {
  if (request.headers['x-sandbox-delivery'] === undefined) return next();
  readWebhook(request, response, (error: unknown) => {
    const isApproved = /^approved$/i.test(bodyFields(request.body).text('status'));
    // The kit too acknowledges an unreadable webhook: it names no order.
    if (error === undefined && isApproved) next();
    else response.status(200).json({});
  });
};
