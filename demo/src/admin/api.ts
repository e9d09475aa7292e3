import { createHash, timingSafeEqual } from 'node:crypto';
import {
  type GatewayClient,
  GatewayError,
  isPaid,
  type Payments,
  PaymentsError,
  type PaymentsErrorCode,
  type SaleRequest,
} from '@pay-button/server-helper';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import {
  apiErrors,
  type BodyFields,
  bodyFields,
  notFound,
  type Problem,
  readJson,
  sendProblem,
} from '../http.ts';
import { CURRENCY, decimal } from '../shop/catalog.ts';
import { type OrderStanding, type Shop, standingOf, standingsOf } from '../shop/orders.ts';
import { textsIn } from '../texts/shop.ts';

/** The lists cover so many of the newest orders; older orders are found by their id. */
const LISTED_ORDERS = 300;

/** Every state that a payment can have: each has a name. */
const paymentStates = Object.keys(textsIn.en.states);

/** The admin's shop for programs: every request bears the admin's token. */
export function adminApi(shop: Shop): Router {
  const router = Router();
  router.use(adminOnly(shop), readJson);
  router.get('/orders', (request, response) => sendList(shop, request, response));
  router.get('/orders/:orderId', async (request, response, next) => {
    const found = await findAdminOrder(shop, request.params.orderId);
    if (found === null) return next();
    const { standing, fulfilments, explain } = found;
    const { lines, customer } = standing.order;
    response.json({ ...listedOrder(standing), fulfilments, lines, customer, explain });
  });
  router.post('/reconcile', async (_request, response) => {
    response.json(await reconcile(shop));
  });
  moneyRoutes(router, shop);
  portalRoutes(router, shop.payments.gateway);
  router.use(notFound, apiErrors(shop.warn, problemOf));
  return router;
}

function adminOnly({ adminToken }: Shop): RequestHandler {
  return (request, response, next) => {
    response.set('Cache-Control', 'no-store');
    const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (isSame(given, adminToken)) return next();
    response.set('WWW-Authenticate', 'Bearer realm="admin"');
    sendProblem(response, {
      status: 401,
      code: 'unauthorized',
      title: 'This needs the admin’s token',
      detail: 'Send "Authorization: Bearer <token>". The shop prints its token at start.',
    });
  };
}

/** Compares secrets in a time that says nothing about them. */
export function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

async function sendList(shop: Shop, request: Request, response: Response): Promise<void> {
  const { state } = request.query;
  if (state !== undefined && !(typeof state === 'string' && paymentStates.includes(state))) {
    sendProblem(response, {
      status: 422,
      code: 'unknown_state',
      title: 'There is no such state',
      detail: `A payment is one of: ${paymentStates.join(', ')}.`,
      field: 'state',
    });
    return;
  }
  const standings = await standingsOf(shop, await shop.database.listOrders(LISTED_ORDERS));
  const wanted = standings.filter((one) => state === undefined || one.state === state);
  response.json({ orders: wanted.map(listedOrder) });
}

/** An order in a list. */
function listedOrder({ order, state, refunded, review, cancelled }: OrderStanding) {
  const { orderId, halalas, placedAt } = order;
  const amount = decimal(halalas);
  return { orderId, amount, currency: CURRENCY, placedAt, state, refunded, cancelled, review };
}

export type AdminOrder = NonNullable<Awaited<ReturnType<typeof findAdminOrder>>>;

/**
 * Finds any shopper's order, with everything that is known of its payment: `explain` is `null` before
 * the shopper first goes to pay.
 */
export async function findAdminOrder({ database, payments }: Shop, orderId: string) {
  const order = await database.findOrder(orderId);
  if (order === null) return null;
  const [fulfilments, explain] = await Promise.all([
    database.countFulfilments(orderId),
    payments.explain(orderId),
  ]);
  return { standing: standingOf(order, explain?.payment ?? null), fulfilments, explain };
}

/**
 * Asks the gateway about every listed order with money, due or not: money may have been refunded
 * elsewhere. Then does the background work that is due.
 */
async function reconcile(shop: Shop) {
  const { database, payments } = shop;
  const standings = await standingsOf(shop, await database.listOrders(LISTED_ORDERS));
  const paid = standings.filter(({ state }) => isPaid(state) || state === 'paid_late');
  await Promise.all(paid.map(({ order }) => payments.confirm(order.orderId)));
  const { checked, delivered } = await payments.tick();
  return { checked: paid.length + checked, delivered };
}

/** What a call of the admin does with a body and the id in its path; the result is the answer. */
type Call = (body: BodyFields, id: string) => Promise<unknown>;

/** Money operations. Each answers with the operation: look at its `state`. */
function moneyRoutes(router: Router, { database, payments }: Shop): void {
  for (const [name, call] of Object.entries(moneyCalls(payments))) {
    router.post<{ orderId: string }>(
      `/orders/:orderId/${name}`,
      async (request, response, next) => {
        const { orderId } = request.params;
        if ((await database.findOrder(orderId)) === null) return next();
        response.json(await call(bodyFields(request.body), orderId));
      },
    );
  }
  router.post('/sales', async (request, response, next) => {
    const body = bodyFields(request.body);
    const orderId = body.text('orderId');
    if ((await database.findOrder(orderId)) === null) return next();
    const sale = readSale(body);
    if (sale !== undefined) return void response.json(await payments.sale(orderId, sale));
    sendProblem(response, {
      status: 422,
      code: 'invalid_operation',
      title: 'The operation was not done',
      detail: 'auth must be "authorize" (or "Y") or "capture" (or "N").',
      field: 'auth',
    });
  });
}

function moneyCalls(payments: Payments): Readonly<Record<string, Call>> {
  const amountOf = (body: BodyFields): string => body.text('amount').trim();
  return {
    refund: (body, orderId) =>
      payments.refund(orderId, {
        amount: amountOf(body),
        requestId: body.text('requestId'),
        transactionId: body.text('transactionId') || undefined,
      }),
    capture: (body, orderId) =>
      payments.capture(orderId, { amount: amountOf(body), requestId: body.text('requestId') }),
    void: (body, orderId) => payments.void(orderId, { requestId: body.text('requestId') }),
    recurring: (body, orderId) =>
      payments.chargeRecurring(orderId, {
        amount: amountOf(body),
        periodKey: body.text('periodKey').trim(),
      }),
  };
}

/** What stands in for the parts of a test card that are left out. */
export const testCard = {
  number: '',
  expiryMonth: '12',
  expiryYear: '2039',
  cvv: '123',
  holderName: 'Test Card',
};

/** How `auth` may be spelt: in words, or as the gateway's flag (§4.4). */
const auths: ReadonlyMap<unknown, SaleRequest['auth']> = new Map([
  ['authorize', 'authorize'],
  ['capture', 'capture'],
  ['Y', 'authorize'],
  ['N', 'capture'],
]);

/**
 * Reads a server-to-server sale. The kit rejects a wrong field and names it.
 *
 * @returns `undefined` when `auth` is unknown.
 */
export function readSale(body: BodyFields): SaleRequest | undefined {
  const auth = auths.get(body.value('auth'));
  if (auth === undefined) return undefined;
  const given = bodyFields(body.value('card'));
  const parts = Object.entries(testCard).map(([name, usual]) => [name, given.text(name) || usual]);
  const recurring = body.value('recurringInit');
  return {
    auth,
    recurring: recurring === true || recurring === 'Y',
    requestId: body.text('requestId'),
    card: Object.fromEntries(parts) as typeof testCard,
  };
}

/** The events of a webhook that names none (assumption N13). */
export const everyEvent = ['Purchase', 'Authorization', 'Capture', 'Refund', 'Void'] as const;

/** The merchant portal's resources, as the gateway's client answers them. */
function portalRoutes(router: Router, gateway: GatewayClient): void {
  const verbs = {
    GET: ['get', 200],
    POST: ['post', 201],
    PATCH: ['patch', 200],
    DELETE: ['delete', 204],
  } as const;
  for (const [name, call] of Object.entries(portalCalls(gateway))) {
    const [verb = '', path = ''] = name.split(' ');
    const [method, status] = verbs[verb as keyof typeof verbs];
    router[method]<{ id?: string }>(path, async ({ body, params }, response) => {
      response.status(status).json(await call(bodyFields(body), params.id ?? ''));
    });
  }
}

type WebhookChange = Parameters<GatewayClient['updateWebhook']>[0];

/** What has the wrong type goes on as it came: the client refuses it and names the field. */
function portalCalls(gateway: GatewayClient): Readonly<Record<string, Call>> {
  return {
    'GET /webhooks': () => gateway.listWebhooks(),
    'POST /webhooks': (body) =>
      gateway.createWebhook({
        url: body.text('url'),
        events: (body.value('events') as WebhookChange['events']) ?? everyEvent,
        active: (body.value('active') as WebhookChange['active']) ?? true,
      }),
    'PATCH /webhooks/:id': (body, id) =>
      gateway.updateWebhook({
        id,
        url: body.text('url') || undefined,
        events: body.value('events') as WebhookChange['events'],
        active: body.value('active') as WebhookChange['active'],
      }),
    'DELETE /webhooks/:id': (_body, id) => gateway.deleteWebhook({ id }),
    'GET /credentials': () => gateway.retrieveCredentials(),
    'POST /credentials/rotate': () => gateway.rotateApiKey(),
    'GET /sdk-tokens': () => gateway.listSdkTokens(),
    'POST /sdk-tokens': (body) =>
      gateway.createSdkToken({
        name: body.text('name'),
        type: body.text('type') || undefined,
        terminalId: body.text('terminalId') || undefined,
      }),
    'PATCH /sdk-tokens/:id': (body, id) =>
      gateway.updateSdkToken({ id, status: body.value('status') as 'ACTIVE' | 'DISABLED' }),
  };
}

/** The status of each error that is not a conflict (409). */
const statuses: Partial<Readonly<Record<PaymentsErrorCode, number>>> = {
  amount_too_large: 422,
  invalid_operation: 422,
  invalid_order: 422,
  not_found_in_store: 404,
  outcome_not_recorded: 503,
  store_unavailable: 503,
};

/**
 * The answer for an error of the kit or its gateway; `undefined` for every other error. Their
 * messages hold no credential, phone or card.
 */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof PaymentsError) {
    // The shop knows the order, so what is missing is a payment.
    const code = error.code === 'order_not_found' ? 'wrong_state' : error.code;
    const status = statuses[error.code] ?? 409;
    const { field, message: detail } = error;
    return { status, code, title: 'The operation was not done', detail, field };
  }
  if (!(error instanceof GatewayError)) return undefined;
  const { code, message: detail } = error;
  return { status: statusOfGateway(error), code, title: 'The gateway did not do it', detail };
}

function statusOfGateway({ code, httpStatus, outcome }: GatewayError): number {
  if (code === 'invalid_input') return 422;
  if (code === 'portal_not_configured') return 409;
  if (code === 'not_found') return 404;
  return outcome === 'rejected' && httpStatus === 400 ? 422 : 502;
}
