import type { Payments } from '@pay-button/server-helper';
import { json, type Request, type Response, Router } from 'express';
import { bodyFields, jsonOnly } from '../http/body.ts';
import { notFound, sendProblem, type Warn } from '../http/problem.ts';
import {
  type AdminOrderDependencies,
  findAdminOrder,
  listedOrder,
  listStandings,
  paymentStates,
  readState,
  detailedOrder,
  reconcile,
} from './admin-orders.ts';
import { adminErrors } from './admin-problem.ts';
import { portalApi } from './portal-api.ts';
import { moneyVerbs, readSale } from './money-verbs.ts';
import { bearsAdminToken } from './sign-in.ts';

/** What the admin's API works with. */
export interface AdminParts extends AdminOrderDependencies {
  readonly payments: Payments;
  readonly adminToken: string;
  readonly warn: Warn;
}

/** The admin's shop for programs: every request bears the admin's token. */
export function adminApi(parts: AdminParts): Router {
  const router = Router();
  router.use((request, response, next) => {
    response.set('Cache-Control', 'no-store');
    if (bearsAdminToken(request, parts.adminToken)) next();
    else sendUnauthorized(response);
  });
  router.use(jsonOnly, json({ limit: '16kb' }));
  router.get('/orders', (request, response) => sendList(parts, request, response));
  router.get('/orders/:orderId', async (request, response) => {
    const found = await findAdminOrder(parts, request.params.orderId);
    if (found === null) notFound(request, response);
    else response.json(detailedOrder(found));
  });
  router.post('/reconcile', async (_request, response) => {
    response.json(await reconcile(parts));
  });
  router.post('/sales', (request, response) => sendSale(parts, request, response));
  moneyRoutes(router, parts);
  router.use(portalApi(parts.payments.gateway));
  router.use(notFound);
  router.use(adminErrors(parts.warn));
  return router;
}

/** Money operations of one order. Each answers with the operation: look at its `state`. */
function moneyRoutes(router: Router, { database, payments }: AdminParts): void {
  for (const [name, verb] of Object.entries(moneyVerbs(payments))) {
    router.post<{ orderId: string }>(`/orders/:orderId/${name}`, async (request, response) => {
      const { orderId } = request.params;
      if ((await database.findOrder(orderId)) === null) return notFound(request, response);
      response.json(await verb(orderId, bodyFields(request.body)));
    });
  }
}

async function sendList(parts: AdminParts, request: Request, response: Response): Promise<void> {
  const { state } = request.query;
  const wanted = readState(state);
  if (state !== undefined && wanted === undefined) {
    sendProblem(response, {
      status: 422,
      code: 'unknown_state',
      title: 'There is no such state',
      detail: `A payment is one of: ${paymentStates.join(', ')}.`,
      field: 'state',
    });
    return;
  }
  const standings = await listStandings(parts);
  const orders = standings.filter((one) => wanted === undefined || one.state === wanted);
  response.json({ orders: orders.map(listedOrder) });
}

async function sendSale(parts: AdminParts, request: Request, response: Response): Promise<void> {
  const body = bodyFields(request.body);
  const orderId = body.text('orderId');
  if ((await parts.database.findOrder(orderId)) === null) return notFound(request, response);
  const sale = readSale(body);
  if (sale !== undefined) {
    response.json(await parts.payments.sale(orderId, sale));
    return;
  }
  sendProblem(response, {
    status: 422,
    code: 'invalid_operation',
    title: 'The operation was not done',
    detail: 'auth must be "authorize" (or "Y") or "capture" (or "N").',
    field: 'auth',
  });
}

function sendUnauthorized(response: Response): void {
  response.set('WWW-Authenticate', 'Bearer realm="admin"');
  sendProblem(response, {
    status: 401,
    code: 'unauthorized',
    title: 'This needs the admin’s token',
    detail: 'Send "Authorization: Bearer <token>". The shop prints its token at start.',
  });
}
