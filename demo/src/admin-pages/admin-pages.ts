import { type NextFunction, type Request, type Response, Router, urlencoded } from 'express';
import { findAdminOrder, LISTED_ORDERS, listStandings, readState } from '../admin/admin-orders.ts';
import { problemOf } from '../admin/admin-problem.ts';
import { signedInOnly, signIn, signOut } from '../admin/sign-in.ts';
import { formField } from '../http/body.ts';
import { ownFormsOnly, sendErrorPage, sendPage, viewFor } from '../pages/page.ts';
import { type AdminPagesParts, feedbackOf } from './admin-frame.ts';
import { moneyActions } from './money.ts';
import { adminOrderPage, confirmRefundPage } from './order-page.ts';
import { ordersPage } from './orders-page.ts';
import { portalPages } from './portal.ts';
import { reviewActions } from './reviews.ts';

/** The admin's shop for people: plain pages and forms behind one token. */
export function adminPages(parts: AdminPagesParts): Router {
  const router = Router();
  const form = urlencoded({ extended: false, limit: '16kb' });
  router.use(ownFormsOnly(parts.publicUrl));
  router.post('/sign-in', form, signIn(parts));
  router.post('/sign-out', signOut(parts));
  router.use(signedInOnly(parts), form);
  router.get('/', (request, response) => sendOverview(parts, request, response));
  router.get('/orders/:orderId', (request, response) => sendOrder(parts, request, response));
  router.post('/orders/:orderId/refund', (request, response) =>
    sendConfirmation(parts, request, response),
  );
  router.use(moneyActions(parts), reviewActions(parts.payments), portalPages(parts));
  router.use(failures(parts));
  return router;
}

async function sendOverview(
  parts: AdminPagesParts,
  request: Request,
  response: Response,
): Promise<void> {
  const view = viewFor(request, response);
  const [standings, reviews, seconds] = await Promise.all([
    listStandings(parts),
    parts.payments.review.list(),
    parts.database.confirmSeconds(LISTED_ORDERS),
  ]);
  const state = readState(request.query['state']);
  const page = ordersPage(view, feedbackOf(view, request), { standings, state, reviews, seconds });
  sendPage(response, 200, view, page);
}

async function sendOrder(
  parts: AdminPagesParts,
  request: Request<{ orderId: string }>,
  response: Response,
): Promise<void> {
  const found = await findAdminOrder(parts, request.params.orderId);
  if (found === null) return sendErrorPage(request, response, 'notFound');
  const view = viewFor(request, response);
  sendPage(response, 200, view, adminOrderPage(view, feedbackOf(view, request), found));
}

async function sendConfirmation(
  parts: AdminPagesParts,
  request: Request<{ orderId: string }>,
  response: Response,
): Promise<void> {
  const found = await findAdminOrder(parts, request.params.orderId);
  if (found === null) return sendErrorPage(request, response, 'notFound');
  const amount = formField(request, 'amount').trim();
  const path = `/admin/orders/${found.standing.order.orderId}`;
  if (!/^\d{1,9}\.\d{2}$/.test(amount)) {
    return response.redirect(303, `${path}?problem=invalid_operation`);
  }
  const view = { ...viewFor(request, response), path };
  sendPage(response, 200, view, confirmRefundPage(view, found, amount));
}

/** An operation that the kit or the gateway rejected leads back to its page, which says why. */
function failures({ warn }: Pick<AdminPagesParts, 'warn'>) {
  return (error: unknown, request: Request, response: Response, next: NextFunction): void => {
    if (response.headersSent) return next(error);
    const problem = problemOf(error);
    const order = /^\/orders\/[A-Z0-9]+(?=\/)/.exec(request.path)?.[0] ?? '';
    const page = request.path.startsWith('/portal') ? '/portal' : order;
    if (problem !== undefined && request.method === 'POST') {
      return response.redirect(303, `/admin${page}?problem=${problem.code}`);
    }
    if (problem === undefined) warn('A page of the admin failed', error);
    sendErrorPage(request, response, 'failed');
  };
}
