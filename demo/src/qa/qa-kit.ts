import { html } from '@lit-labs/ssr';
import type { Order } from '@pay-button/server-helper';
import { type Express, json, type Request, type RequestHandler } from 'express';
import { BugInjector } from '../bugs/bug-injector.ts';
import { bugSwitch } from '../bugs/bugs.ts';
import { bodyFields } from '../http/body.ts';
import type { ShopOrder } from '../orders/order.ts';
import { type Html, setFoot, type View } from '../pages/page.ts';
import { languageOf } from '../texts/language.ts';
import { drawer, orderOfPath } from './drawer.ts';
import { findPersona } from './personas.ts';
import { qaPages, qaRouter } from './qa-routes.ts';
import type { QaTools } from './sandbox-watch.ts';
import { sourceComparison } from './source-comparison.ts';
import { type QaDependencies, TestConsole } from './test-console.ts';

/** Everything that a shop has only because its gateway is the sandbox. */
export class QaKit {
  readonly testConsole: TestConsole;
  /** What the tools replace or add in the shop's own code. */
  readonly hooks: {
    readonly onPlaced: (orderId: string, request: Request) => void;
    readonly isOpenToAll: (orderId: string) => boolean;
    readonly compareSources: (view: View, orderId: string) => Promise<Html>;
  };
  readonly #shop: QaDependencies;
  readonly #bugs: BugInjector;
  readonly #apiKey: string;

  constructor(tools: QaTools, shop: QaDependencies) {
    const sound = { ...shop, payments: { ...shop.payments } };
    this.#shop = shop;
    this.#apiKey = tools.apiKey;
    this.#bugs = new BugInjector(sound, shop.bug);
    this.testConsole = new TestConsole(tools, sound);
    // In place: the back office acts through the very object that createPayments made.
    Object.assign(shop.payments, this.#bugs.verbs());
    this.hooks = {
      onPlaced: (orderId, request) => this.#bugs.inject(orderId, request),
      isOpenToAll: (orderId) => this.#bugs.has(orderId, 'shows-orders-to-strangers'),
      compareSources: (view, orderId) => this.#compareSources(view, orderId),
    };
  }

  /** Mounts the routes that come before the kit's router and the shop's pages. */
  mount(app: Express): void {
    const { testConsole } = this;
    const parts = { ...this.#shop, ...this.hooks, testConsole };
    app.use(bugSwitch);
    app.post('/pay/checkout', async (_request, _response, next) => {
      await testConsole.followClock();
      next();
    });
    app.use('/pay', testConsole.returns.watch());
    app.use('/pay', this.#bugs.routes(testConsole.returns));
    app.use('/pay/webhook', acknowledgeOthers);
    app.use('/qa', qaRouter(parts));
    app.use(qaPages(parts));
    setFoot(app, (view, request) => this.#foot(view, request));
  }

  /** The order as the shopper pays for it; only a bug changes its price. */
  priced(order: ShopOrder): ShopOrder {
    return this.#bugs.priced(order);
  }

  /** The sandbox's page takes a language; the gateway's specification has no field for one. */
  pageFor(request: Request | undefined): Pick<Order, 'pageQuery'> {
    return request === undefined ? {} : { pageQuery: { lang: languageOf(request) } };
  }

  async #compareSources(view: View, orderId: string): Promise<Html> {
    const [delivery, explain] = await Promise.all([
      this.testConsole.lastDelivery(orderId),
      this.#shop.payments.explain(orderId),
    ]);
    const returned = this.testConsole.returns.of(orderId);
    return sourceComparison(view, { returned, delivery, explain });
  }

  #foot(view: View, request: Request): Html {
    const { sandbox, sandboxUrl } = this.testConsole;
    const bug = this.#bugs.onFor(request);
    const done = request.query['qa'];
    const steps = findPersona(request.query['persona'])?.steps[view.language];
    const notices = Object.entries(view.texts.qa.notices);
    const notice = steps ?? notices.find(([name]) => name === done)?.[1];
    const orderId = orderOfPath(view.path);
    return html`${drawer(view, { sandbox, sandboxUrl, notice, orderId, bug })}
    ${bug === 'key-in-the-front-end' ? html`<meta name="gateway-key" content=${this.#apiKey} />` : ''}`;
  }
}

/**
 * Acknowledges the webhooks of declines and of challenges under way without a status check: the
 * shopper may try another card a second later, and the kit waits five seconds after each check. The
 * return, the background work and every other webhook still cause one.
 */
const acknowledgeOthers: RequestHandler = (request, response, next) => {
  if (request.headers['x-sandbox-delivery'] === undefined) return next();
  readJson(request, response, (error: unknown) => {
    const isApproved = /^approved$/i.test(bodyFields(request.body).text('status'));
    // The kit too acknowledges an unreadable webhook: it names no order.
    if (error === undefined && isApproved) next();
    else response.status(200).json({});
  });
};

const readJson = json({ limit: '64kb' });
