import { html } from '@lit-labs/ssr';
import type { Payments } from '@pay-button/server-helper';
import { type NextFunction, type Request, type Response, Router, urlencoded } from 'express';
import { isSignedIn } from '../admin-pages/admin-door.ts';
import { statusOf } from '../api/api-errors.ts';
import { encodeBasket, type Line } from '../basket/basket.ts';
import { basketOf, keepBasket } from '../basket/basket-cookie.ts';
import type { ShopDatabase } from '../database/shop-database.ts';
import { sameSiteOnly } from '../http/same-site.ts';
import { welcomeVisitor } from '../http/visitor.ts';
import type { Warn } from '../http/warn.ts';
import { findStanding, type OrderShelf } from '../orders/orders.ts';
import { isPaid, type OrderStanding } from '../orders/standing.ts';
import { addPosted, setPosted } from './basket-forms.ts';
import { basketPage } from './basket-page.ts';
import { sendErrorPage } from './error-page.ts';
import { orderPage } from './order-page.ts';
import { type Html, type Page, sendPage, type View, viewFor } from './page.ts';
import { blankEntries, postOrder } from './place-order-form.ts';
import { retryPage, thanksPage, waitPage } from './return-pages.ts';
import { storefront } from './storefront.ts';

/** What the pages work with. */
export interface PagesParts {
  readonly database: Pick<ShopDatabase<never>, 'saveOrder' | 'findOrder'>;
  readonly payments: Pick<Payments, 'retrieve' | 'statusUrl'>;
  readonly publicUrl: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly adminToken: string;
  /** Whether the pages may show a test card, because the gateway is the sandbox. */
  readonly showsTestCard: boolean;
  readonly isOpenToAll?: OrderShelf['isOpenToAll'];
  /** Told of every order that was placed. */
  readonly onPlaced?: ((orderId: string, request: Request) => void) | undefined;
  /** What three sources say about an order's payment, for testers. */
  readonly truths?: ((view: View, orderId: string) => Promise<Html>) | undefined;
  readonly warn: Warn;
}

/** The shop for people: every page, every form, and a page for everything that goes wrong. */
export function pagesRouter(parts: PagesParts): Router {
  const router = Router();
  const form = urlencoded({ extended: false, limit: '16kb' });
  router.use(
    sameSiteOnly(new URL(parts.publicUrl).origin, (request, response) => {
      sendErrorPage(request, response, 'forbidden');
    }),
  );
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
  router.post('/orders', form, (request, response) => postOrder(parts, request, response));
  orderPages(router, parts);
  router.use((request, response) => {
    sendErrorPage(request, response, 'notFound');
  });
  router.use(pageErrors(parts.warn));
  return router;
}

/** The pages of one order. Each is there for the visitor who placed it, and for nobody else. */
function orderPages(router: Router, parts: PagesParts): void {
  const { payments, showsTestCard } = parts;
  const pages: Readonly<Record<string, (view: View, standing: OrderStanding) => Page>> = {
    '/orders/:orderId': (view, standing) => orderPage(view, standing, showsTestCard),
    '/wait/:orderId': (view, standing) =>
      waitPage(view, standing, payments.statusUrl(standing.order.orderId)),
    '/thanks/:orderId': thanksPage,
    '/retry/:orderId': retryPage,
  };
  for (const [path, page] of Object.entries(pages)) {
    router.get<{ orderId: string }>(path, async (request, response) => {
      const { orderId } = request.params;
      const standing = await findStanding(parts, orderId, request);
      // An admin who passed 3-D Secure for a shopper comes back here as everybody does.
      const isAdmin = standing === null && isSignedIn(request, parts.adminToken);
      if (isAdmin) return response.redirect(303, `/admin/orders/${orderId}`);
      if (standing === null) return sendErrorPage(request, response, 'notFound');
      const bought = isPaid(standing) && emptyBasket(request, response, standing.order.lines);
      const view = viewFor(request, response);
      const wantsTruths = request.query['truths'] !== undefined;
      const truths = wantsTruths ? await parts.truths?.(view, orderId) : undefined;
      const told = page(view, standing);
      const body = truths === undefined ? told.body : html`${told.body}${truths}`;
      sendPage(response, 200, bought ? { ...view, pieces: 0 } : view, { ...told, body });
    });
  }
}

/** Empties a basket that holds just what was bought; a new choice made meanwhile stays. */
function emptyBasket(request: Request, response: Response, bought: readonly Line[]): boolean {
  if (encodeBasket(basketOf(request)) !== encodeBasket(bought)) return false;
  keepBasket(response, []);
  return true;
}

function pageErrors(warn: Warn) {
  return (error: unknown, request: Request, response: Response, next: NextFunction): void => {
    if (response.headersSent) return next(error);
    const isTheirs = statusOf(error) < 500;
    if (!isTheirs) warn(`${request.method} of a page failed`, error);
    sendErrorPage(request, response, isTheirs ? 'badRequest' : 'failed');
  };
}
