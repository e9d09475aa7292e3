import { randomUUID } from 'node:crypto';
import { html } from '@lit-labs/ssr';
import type { Payments } from '@pay-button/server-helper';
import { type NextFunction, type Request, type Response, Router, urlencoded } from 'express';
import { type AdminSessionParts, isSignedIn } from '../admin/admin-sessions.ts';
import {
  addToBasket,
  basketOf,
  decodeBasket,
  encodeBasket,
  isQuantity,
  keepBasket,
  MAX_QUANTITY,
  type Line,
  setQuantity,
} from '../basket/basket.ts';
import { findProduct } from '../catalog/catalog.ts';
import type { ShopDatabase } from '../database/shop-database.ts';
import { formField } from '../http/body.ts';
import { welcomeVisitor } from '../http/cookies.ts';
import { statusOf, type Warn } from '../http/problem.ts';
import { readOrder } from '../orders/order-input.ts';
import { hasReceipt, type OrderStanding, type Receipt } from '../orders/order.ts';
import { findOwnStandings, findStanding, type OrderLookup, placeOrder } from '../orders/orders.ts';
import { receiptOf } from '../orders/receipts.ts';
import { basketPage, type CheckoutEntries } from './basket-page.ts';
import { myOrdersPage } from './my-orders.ts';
import { orderPage, retryPage, thanksPage, waitPage } from './order-pages.ts';
import {
  type Html,
  type Page,
  ownFormsOnly,
  sendErrorPage,
  sendPage,
  type View,
  viewFor,
} from './page.ts';
import { storefront } from './storefront.ts';

/** What the pages work with. */
interface PagesParts extends AdminSessionParts {
  readonly database: AdminSessionParts['database'] &
    Pick<
      ShopDatabase<never>,
      'saveOrder' | 'findOrder' | 'ordersOf' | 'findReceipt' | 'saveReceipt'
    >;
  readonly payments: Pick<Payments, 'retrieve' | 'statusUrl' | 'explain' | 'gateway'>;
  readonly publicUrl: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Whether the pages may show a test card, because the gateway is the sandbox. */
  readonly showsTestCard: boolean;
  readonly isOpenToAll?: OrderLookup['isOpenToAll'];
  /** Called for every order that was placed. */
  readonly onPlaced?: ((orderId: string, request: Request) => void) | undefined;
  /** Compares the sources about an order's payment, for testers. */
  readonly compareSources?: ((view: View, orderId: string) => Promise<Html>) | undefined;
  readonly warn: Warn;
}

/** The shop's pages and forms, and a page for every error. */
export function pagesRouter(parts: PagesParts): Router {
  const router = Router();
  const form = urlencoded({ extended: false, limit: '16kb' });
  router.use(ownFormsOnly(parts.publicUrl));
  router.get('/', (request, response) => {
    const { added } = request.query;
    const view = viewFor(request, response);
    sendPage(response, 200, view, storefront(view, typeof added === 'string' ? added : undefined));
  });
  router.get('/basket', (request, response) => {
    // A session from here on: two quick clicks on the form then come from one visitor.
    welcomeVisitor(request, response);
    const view = viewFor(request, response);
    sendPage(response, 200, view, basketPage(view, basketOf(request), blankEntries()));
  });
  router.post('/basket/add', form, addPosted);
  router.post('/basket/set', form, setPosted);
  router.get('/orders', async (request, response) => {
    const view = viewFor(request, response);
    sendPage(response, 200, view, myOrdersPage(view, await findOwnStandings(parts, request)));
  });
  router.post('/orders', form, (request, response) => postOrder(parts, request, response));
  orderPages(router, parts);
  router.use((request, response) => {
    sendErrorPage(request, response, 'notFound');
  });
  return router;
}

type OrderPage = (view: View, standing: OrderStanding, paid: Receipt | null) => Page;

/** The pages of one order. Only the visitor who placed the order sees them. */
function orderPages(router: Router, parts: PagesParts): void {
  const { payments, showsTestCard } = parts;
  const pages: Readonly<Record<string, OrderPage>> = {
    '/orders/:orderId': (view, standing, paid) => orderPage(view, standing, paid, showsTestCard),
    '/wait/:orderId': (view, standing) =>
      waitPage(view, standing, payments.statusUrl(standing.order.orderId)),
    '/thanks/:orderId': thanksPage,
    '/retry/:orderId': retryPage,
  };
  for (const [path, page] of Object.entries(pages)) {
    router.get<{ orderId: string }>(path, async (request, response) => {
      const { orderId } = request.params;
      const standing = await findStanding(parts, orderId, request);
      // An admin who passed 3-D Secure for a shopper also comes back to these pages.
      const isAdmin = standing === null && (await isSignedIn(parts, request));
      if (isAdmin) return response.redirect(303, `/admin/orders/${orderId}`);
      if (standing === null) return sendErrorPage(request, response, 'notFound');
      const bought = hasReceipt(standing) && emptyBasket(request, response, standing.order.lines);
      const view = viewFor(request, response);
      const isComparing = request.query['truths'] !== undefined;
      const comparison = isComparing ? await parts.compareSources?.(view, orderId) : undefined;
      const paid = hasReceipt(standing) ? await receiptOf(parts, orderId) : null;
      const content = page(view, standing, paid);
      const shown = comparison === undefined ? content : withComparison(content, comparison);
      sendPage(response, 200, bought ? { ...view, pieces: 0 } : view, shown);
    });
  }
}

function withComparison({ body, styles = [], ...content }: Page, comparison: Html): Page {
  return { ...content, styles: [...styles, 'testers'], body: html`${body}${comparison}` };
}

/** Empties a basket that holds exactly the bought lines; a basket changed meanwhile stays. */
function emptyBasket(request: Request, response: Response, bought: readonly Line[]): boolean {
  if (encodeBasket(basketOf(request)) !== encodeBasket(bought)) return false;
  keepBasket(response, []);
  return true;
}

/** Answers an error of any part of the shop by a page, without its details. */
export function pageErrors(warn: Warn) {
  return (error: unknown, request: Request, response: Response, next: NextFunction): void => {
    if (response.headersSent) return next(error);
    const isTheirs = statusOf(error) < 500;
    if (!isTheirs) warn(`${request.method} of a page failed`, error);
    sendErrorPage(request, response, isTheirs ? 'badRequest' : 'failed');
  };
}

/** Adds one piece to the basket, and returns to the product. */
function addPosted(request: Request, response: Response): void {
  const sku = formField(request, 'sku');
  if (findProduct(sku) === undefined) return sendErrorPage(request, response, 'badRequest');
  keepBasket(response, addToBasket(basketOf(request), sku));
  response.redirect(303, `/?added=${sku}#${sku}`);
}

/** Changes how many pieces the basket holds, or takes them out. */
function setPosted(request: Request, response: Response): void {
  const sku = formField(request, 'sku');
  const count = formField(request, 'quantity');
  const isRemoved = formField(request, 'remove') !== '' || /^0+$/.test(count);
  const step = Number(formField(request, 'step'));
  const quantity = isRemoved ? 0 : Math.min(Number(count) + step, MAX_QUANTITY);
  if (findProduct(sku) === undefined || !(quantity === 0 || isQuantity(quantity))) {
    return sendErrorPage(request, response, 'badRequest');
  }
  keepBasket(response, setQuantity(basketOf(request), sku, quantity));
  response.redirect(303, '/basket');
}

/** An empty form. */
function blankEntries(): CheckoutEntries {
  return { name: '', email: '', phone: '', wrong: [], requestId: randomUUID() };
}

/** Places the order of the posted form, or shows the form again with its errors. */
async function postOrder(parts: PagesParts, request: Request, response: Response): Promise<void> {
  const lines = decodeBasket(formField(request, 'lines'));
  const customer = {
    name: formField(request, 'name'),
    email: formField(request, 'email'),
    phone: formField(request, 'phone'),
  };
  const requestId = formField(request, 'requestId') || randomUUID();
  const reading = readOrder({ lines, customer });
  if (reading.ok) {
    const owner = welcomeVisitor(request, response);
    const orderId = await placeOrder(parts, owner, reading.input, requestId);
    parts.onPlaced?.(orderId, request);
    response.redirect(303, `/orders/${orderId}`);
    return;
  }
  const wrong = reading.complaints.map(({ field }) => field);
  const view = viewFor(request, response);
  // Status 200: browsers report an error status on their console.
  sendPage(response, 200, view, basketPage(view, lines, { ...customer, wrong, requestId }));
}
