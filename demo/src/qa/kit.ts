import { createRequire } from 'node:module';
import { html } from '@lit-labs/ssr';
import { describeEntry, type Order } from '@pay-button/server-helper';
import { type Express, type Request, type RequestHandler, type Response, Router } from 'express';
import { testCard } from '../admin/api.ts';
import { bodyFields, formField, isOpening, readForm, sameSiteOnly, setCookie } from '../http.ts';
import {
  type Html,
  ownFormsOnly,
  SCRIPTS_COOKIE,
  sendErrorPage,
  sendPage,
  setFoot,
  type View,
} from '../pages/page.ts';
import type { ShopOrder } from '../shop/database.ts';
import { findOwnOrder, payableOrder, placeOrder, type Shop } from '../shop/orders.ts';
import { languageOf } from '../texts/language.ts';
import type { Texts } from '../texts/shop.ts';
import { BugInjector, bugOf, bugSwitch, readWebhook } from './bugs.ts';
import { isProfile, type QaTools, TestConsole } from './console.ts';
import { bugsPage, drawer, orderOfPath, personasPage, sourceComparison } from './pages.ts';
import { findPersona, type Persona } from './personas.ts';

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
    const { readFirst, onWebhook, onReturn } = this.#bugs;
    app.use('/pay', testConsole.watchReturns(onReturn));
    app.post('/pay/webhook', readFirst, onWebhook, acknowledgeOthers);
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
    const sources = await this.testConsole.sourcesOf(orderId);
    return (view) => sourceComparison(view, sources);
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

/** The drawer's tools and the testers' own pages. */
function qaRouter(shop: Shop, testConsole: TestConsole): Router {
  const router = Router();
  router.use('/qa', ownFormsOnly(shop.publicUrl));
  toolRoutes(router, shop, testConsole);
  router.get('/qa/report', async (request, response) => {
    response.set('Cache-Control', 'no-store').type('text/plain');
    response.send(await bugReport(shop, testConsole, request));
  });
  router.get('/bugs', (request, response) => {
    sendPage(request, response, (view) => bugsPage(view, bugOf(request)));
  });
  router.get('/personas', (request, response) => sendPage(request, response, personasPage));
  const refuse = (request: Request, response: Response) =>
    sendErrorPage(request, response, 'forbidden');
  const openedOnly = sameSiteOnly(shop.publicUrl, refuse, isOpening);
  router.get('/personas/:id', openedOnly, async (request, response) => {
    const id = String(request.params['id']);
    const persona = findPersona(id);
    if (persona === undefined) return sendErrorPage(request, response, 'notFound');
    const { profile = 'healthy', outcome = '', language } = persona;
    await testConsole.setProfile(profile);
    await testConsole.decideNext(outcome);
    const start = await begin(shop, persona, request, response);
    const lang = language === undefined ? '' : `&lang=${language}`;
    response.redirect(303, `${start}?persona=${id}${lang}`);
  });
  return router;
}

/** The result of a tool: the name of a notice. */
type Done = keyof Texts['qa']['notices'];
type Tool = (request: Request) => Promise<Done>;

/** Each tool does its work and leads back to the page that it was used on. */
function toolRoutes(router: Router, { warn }: Shop, testConsole: TestConsole): void {
  const tools: Readonly<Record<string, Tool>> = {
    apply: async (request) => {
      const profile = formField(request, 'fault');
      const isNew = profile !== testConsole.sandbox.profile;
      if (isNew && isProfile(profile)) await testConsole.setProfile(profile);
      return (await testConsole.decideNext(formField(request, 'outcome'))) ? 'outcome' : 'applied';
    },
    clock: async () => {
      await testConsole.expireLinks();
      return 'leapt';
    },
    'replay-webhook': async (request) => {
      const orderId = formField(request, 'order') || undefined;
      return (await testConsole.replayWebhook(orderId)) ? 'replayed' : 'none';
    },
    reset: async () => {
      await testConsole.reset();
      return 'emptied';
    },
  };
  for (const [name, tool] of Object.entries(tools)) {
    router.post(`/qa/${name}`, readForm, async (request, response) => {
      const done = await tool(request).catch((error: unknown): Done => {
        warn(`The tool ${name} failed`, error);
        return 'failed';
      });
      response.redirect(303, `${backOf(request)}?qa=${done}`);
    });
  }
}

/** The page that the tool was used on; only a path of this shop. */
function backOf(request: Request): string {
  const path = formField(request, 'back');
  return /^\/(?![/\\])[\w/~.%-]*$/.test(path) ? path : '/';
}

/** The customer and the card of every persona. */
const customer = { name: 'Noura Alqahtani', email: 'noura@example.com', phone: '0512345678' };
const card = { ...testCard, number: '4111111111111111', holderName: customer.name };

/** Prepares a persona's order. @returns the page where the persona starts */
async function begin(
  shop: Shop,
  { hasNoOrder, scriptless, isPaid }: Persona,
  request: Request,
  response: Response,
): Promise<string> {
  setCookie(response, SCRIPTS_COOKIE, scriptless === true ? 'off' : 'on', 1);
  if (hasNoOrder === true) return '/';
  const input = { lines: [{ sku: 'coffee', quantity: 1 }], customer };
  const orderId = await placeOrder(shop, [request, response], input);
  if (isPaid !== true) return `/orders/${orderId}`;
  const sale = { auth: 'capture', card, recurring: true } as const;
  await shop.payments.sale(orderId, { ...sale, requestId: `persona-${orderId}` });
  return `/admin/orders/${orderId}`;
}

const require = createRequire(import.meta.url);
const packages = ['widget', 'server-helper', 'gateway-sandbox'];

function versionOf(name: string): string {
  const { version } = require(`@pay-button/${name}/package.json`) as { readonly version: string };
  return `${name} ${version}`;
}

/**
 * Everything that a developer asks for first, as text to paste into an issue. It holds no customer's
 * data, no card and no key; of an order only what its own shopper may see.
 */
async function bugReport(shop: Shop, testConsole: TestConsole, request: Request): Promise<string> {
  const { page } = request.query;
  const path = typeof page === 'string' && page.startsWith('/') ? page.slice(0, 200) : '/';
  const { sandbox } = testConsole;
  const facts = [
    ['Page', path],
    ['Browser', (request.get('User-Agent') ?? '').slice(0, 200)],
    ['Language', (request.get('Accept-Language') ?? '').slice(0, 100)],
    ['Versions', packages.map(versionOf).join(', ')],
    ['Sandbox clock', sandbox.now],
    ['Faults', sandbox.profile],
    ['Bug switch', bugOf(request) ?? 'none'],
  ];
  const head = facts.map(([name, fact]) => `- ${name}: ${fact}`).join('\n');
  const order = await orderPart(shop, testConsole, request, orderOfPath(path));
  return `## What happened\n\n\n## What I expected\n\n\n## Facts\n\n${head}\n${order}`;
}

async function orderPart(
  { database }: Shop,
  testConsole: TestConsole,
  request: Request,
  orderId: string | undefined,
): Promise<string> {
  if (orderId === undefined) return '';
  if ((await findOwnOrder({ database }, orderId, request)) === null) return '';
  const [{ returned, delivery, explain }, fulfilments, requests] = await Promise.all([
    testConsole.sourcesOf(orderId),
    database.countFulfilments(orderId),
    testConsole.requestsAbout(orderId),
  ]);
  const timeline = explain?.timeline.map((entry) => `- ${entry.at} ${describeEntry(entry)}`) ?? [];
  const calls = requests.map(
    ({ at, operation, status, decidedBy, faults }) =>
      `- ${at} ${operation} ${status} (${[decidedBy, ...faults].join(', ')})`,
  );
  return [
    `\n## Order ${orderId}\n`,
    `- State: ${explain?.payment.state ?? 'unpaid'}, shipped ${fulfilments} time(s)`,
    `- Browser came back by: ${returned === undefined ? 'nothing' : `${returned.address}, sent to ${returned.sentTo}`}`,
    `- Last webhook: ${delivery === undefined ? 'none' : `${delivery.type} ${delivery.status}`}`,
    `\n### Timeline\n\n${timeline.join('\n')}`,
    `\n### Calls to the gateway\n\n${calls.join('\n')}\n`,
  ].join('\n');
}
