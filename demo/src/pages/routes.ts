import { randomUUID } from 'node:crypto';
import { html } from '@lit-labs/ssr';
import {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express';
import { isSignedIn } from '../admin/pages.ts';
import { formField, readForm, statusOf, visitorOf, type Warn, welcomeVisitor } from '../http.ts';
import {
  addToBasket,
  basketOf,
  decodeBasket,
  encodeBasket,
  isQuantity,
  keepBasket,
  MAX_QUANTITY,
  readOrder,
  setQuantity,
} from '../shop/basket.ts';
import { catalog } from '../shop/catalog.ts';
import type { Receipt } from '../shop/database.ts';
import {
  findStanding,
  hasReceipt,
  type OrderStanding,
  placeOrder,
  receiptOf,
  type Shop,
  standingsOf,
} from '../shop/orders.ts';
import { basketPage, storefront } from './goods.ts';
import { myOrdersPage, orderPage, retryPage, thanksPage, waitPage } from './order.ts';
import { type Html, ownFormsOnly, type Page, sendErrorPage, sendPage, type View } from './page.ts';

/** Compares the sources about an order's payment, for testers. */
type CompareSources = (orderId: string) => Promise<(view: View) => Html>;

/** A visitor's list has so many of the newest orders. */
const MOST_ORDERS = 50;

/** The shop's pages and forms, and a page for every address that is none. */
export function pagesRouter(shop: Shop, compareSources?: CompareSources): Router {
  const router = Router();
  router.use(ownFormsOnly(shop.publicUrl));
  router.get('/', (request, response) => {
    const { added } = request.query;
    sendPage(request, response, (view) => storefront(view, added));
  });
  router.get('/basket', (request, response) => {
    // A session from here on: two quick clicks on the form then come from one visitor.
    welcomeVisitor(request, response);
    const blank = { name: '', email: '', phone: '', wrong: [], requestId: randomUUID() };
    sendPage(request, response, (view) => basketPage(view, basketOf(request), blank));
  });
  router.post('/basket/add', readForm, addPosted);
  router.post('/basket/set', readForm, setPosted);
  router.get('/orders', async (request, response) => {
    const owner = visitorOf(request);
    const own = owner === undefined ? [] : await shop.database.ordersOf(owner, MOST_ORDERS);
    const standings = await standingsOf(shop, own);
    sendPage(request, response, (view) => myOrdersPage(view, standings));
  });
  router.post('/orders', readForm, (request, response) => postOrder(shop, request, response));
  orderPages(router, shop, compareSources);
  router.use((request, response) => sendErrorPage(request, response, 'notFound'));
  return router;
}

/** Adds one piece to the basket, and returns to the product. */
const addPosted: RequestHandler = (request, response) => {
  const sku = formField(request, 'sku');
  if (!catalog.has(sku)) return sendErrorPage(request, response, 'badRequest');
  keepBasket(response, addToBasket(basketOf(request), sku));
  response.redirect(303, `/?added=${sku}#${sku}`);
};

/** Changes how many pieces the basket holds, or takes them out. */
const setPosted: RequestHandler = (request, response) => {
  const sku = formField(request, 'sku');
  const count = formField(request, 'quantity');
  const isRemoved = formField(request, 'remove') !== '' || /^0+$/.test(count);
  const step = Number(formField(request, 'step'));
  const quantity = isRemoved ? 0 : Math.min(Number(count) + step, MAX_QUANTITY);
  if (!catalog.has(sku) || !(quantity === 0 || isQuantity(quantity))) {
    return sendErrorPage(request, response, 'badRequest');
  }
  keepBasket(response, setQuantity(basketOf(request), sku, quantity));
  response.redirect(303, '/basket');
};

/** Places the order of the posted form, or shows the form again with its errors. */
async function postOrder(shop: Shop, request: Request, response: Response): Promise<void> {
  const lines = decodeBasket(formField(request, 'lines'));
  const customer = {
    name: formField(request, 'name'),
    email: formField(request, 'email'),
    phone: formField(request, 'phone'),
  };
  const requestId = formField(request, 'requestId') || randomUUID();
  const { input, complaints } = readOrder({ lines, customer });
  if (complaints.length > 0) {
    const entries = { ...customer, wrong: complaints.map(({ field }) => field), requestId };
    // Status 200: browsers report an error status on their console.
    return sendPage(request, response, (view) => basketPage(view, lines, entries));
  }
  const orderId = await placeOrder(shop, [request, response], input, requestId);
  // The order has these goods now; a basket changed meanwhile stays.
  if (encodeBasket(basketOf(request)) === encodeBasket(lines)) keepBasket(response, []);
  response.redirect(303, `/orders/${orderId}`);
}

type OrderPage = (view: View, standing: OrderStanding, paid: Receipt | null) => Page;

/** The pages of one order. Only the visitor who placed the order sees them. */
function orderPages(router: Router, shop: Shop, compareSources?: CompareSources): void {
  const pages: Readonly<Record<string, OrderPage>> = {
    orders: orderPage,
    wait: (view, standing) =>
      waitPage(view, standing, shop.payments.statusUrl(standing.order.orderId)),
    thanks: thanksPage,
    retry: retryPage,
  };
  for (const [name, page] of Object.entries(pages)) {
    router.get<{ orderId: string }>(`/${name}/:orderId`, async (request, response) => {
      const { orderId } = request.params;
      const standing = await findStanding(shop, orderId, request);
      if (standing === null) {
        // An admin who passed 3-D Secure for a shopper also comes back to these pages.
        if (!(await isSignedIn(shop, request))) return sendErrorPage(request, response, 'notFound');
        return response.redirect(303, `/admin/orders/${orderId}`);
      }
      const paid = hasReceipt(standing) ? await receiptOf(shop, orderId) : null;
      const isComparing = request.query['truths'] !== undefined;
      const comparison = isComparing ? await compareSources?.(orderId) : undefined;
      sendPage(request, response, (view) => {
        const content = page(view, standing, paid);
        return comparison === undefined
          ? content
          : { ...content, body: html`${content.body}${comparison(view)}` };
      });
    });
  }
}

/** Answers an error of any part of the shop by a page, without its details. */
export function pageErrors(warn: Warn): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error);
    const isTheirs = statusOf(error) < 500;
    if (!isTheirs) warn(`${request.method} of a page failed`, error);
    sendErrorPage(request, response, isTheirs ? 'badRequest' : 'failed');
  };
}
