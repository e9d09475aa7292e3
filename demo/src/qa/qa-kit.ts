import { html } from '@lit-labs/ssr';
import type { Payments } from '@pay-button/server-helper';
import type { Express, Request } from 'express';
import { bugSwitch } from '../bugs/bug-cookie.ts';
import { buggyPayments } from '../bugs/buggy-payments.ts';
import { buggyRoutes } from '../bugs/buggy-routes.ts';
import { Saboteur } from '../bugs/saboteur.ts';
import type { ShopOrder } from '../orders/order.ts';
import { type Html, setFoot, type View } from '../pages/page.ts';
import { drawer } from './drawer.ts';
import { orderOfPath } from './order-of-path.ts';
import { patience } from './patience.ts';
import { findPersona } from './personas.ts';
import { QaDesk } from './qa-desk.ts';
import { qaPages } from './qa-pages.ts';
import type { QaParts } from './qa-parts.ts';
import { qaRouter } from './qa-router.ts';
import type { QaTools } from './qa-tools.ts';
import { truthsPanel } from './truths.ts';

/** What testers' tools change in the shop. */
export interface QaSeams {
  readonly payments: Payments;
  readonly onPlaced: (orderId: string, request: Request) => void;
  readonly isOpenToAll: (orderId: string) => boolean;
  readonly truths: (view: View, orderId: string) => Promise<Html>;
}

/** Everything that a shop has only because its gateway is the sandbox. */
export class QaKit {
  readonly desk: QaDesk;
  /** The kit's verbs as the shop's pages use them: with the bugs that are turned on. */
  readonly payments: Payments;
  readonly #parts: QaParts;
  readonly #saboteur: Saboteur;
  readonly #apiKey: string;

  constructor(tools: QaTools, parts: QaParts) {
    this.#parts = parts;
    this.#apiKey = tools.apiKey;
    this.#saboteur = new Saboteur(parts.bug);
    this.desk = new QaDesk(tools, parts);
    this.payments = buggyPayments(this.#saboteur, parts);
  }

  /** Mounts what has to come before the kit's router and the shop's pages. */
  mount(app: Express): void {
    const { desk } = this;
    const parts = { ...this.#parts, desk, payments: this.payments };
    app.use(bugSwitch);
    app.use('/pay', desk.returns.watch());
    app.use('/pay', buggyRoutes(this.#saboteur, this.#parts, desk.returns));
    app.use('/pay/webhook', patience);
    app.use('/qa', qaRouter(parts));
    app.use(qaPages({ ...parts, onPlaced: this.seams.onPlaced }));
    setFoot(app, (view, request) => this.#foot(view, request));
  }

  /** Where the shop's own code lets testers in: the bugs, and the truths on the order's page. */
  get seams(): QaSeams {
    const saboteur = this.#saboteur;
    return {
      payments: this.payments,
      onPlaced: (orderId, request) => saboteur.plague(orderId, request),
      isOpenToAll: (orderId) => saboteur.has(orderId, 'shows-orders-to-strangers'),
      truths: (view, orderId) => this.#truths(view, orderId),
    };
  }

  /** The order as it will be paid: as it is, unless a bug says otherwise. */
  priced(order: ShopOrder): ShopOrder {
    return this.#saboteur.priced(order);
  }

  async #truths(view: View, orderId: string): Promise<Html> {
    const { desk } = this;
    const [delivery, explain] = await Promise.all([
      desk.lastDelivery(orderId),
      this.#parts.payments.explain(orderId),
    ]);
    return truthsPanel(view, { returned: desk.returns.of(orderId), delivery, explain });
  }

  #foot(view: View, request: Request): Html {
    const { weather, sandboxUrl } = this.desk;
    const { qa } = view.texts;
    const bug = this.#saboteur.onFor(request);
    const done = request.query['qa'];
    const steps = findPersona(request.query['persona'])?.steps[view.language];
    const notice = steps ?? Object.entries(qa.notices).find(([name]) => name === done)?.[1];
    const orderId = orderOfPath(view.path);
    const leak = bug === 'key-in-the-front-end' ? this.#apiKey : undefined;
    return html`${drawer(view, { weather, sandboxUrl, notice, orderId, bug })}
    ${leak === undefined ? '' : html`<meta name="gateway-key" content=${leak} />`}`;
  }
}
