import type { MoneyOperation, SaleOperation } from '@pay-button/server-helper';
import { type Request, type Response, Router } from 'express';
import { readSale } from '../admin/sale-input.ts';
import { bodyFields } from '../admin/body-fields.ts';
import { sendErrorPage } from '../pages/error-page.ts';
import { formField } from '../pages/form-field.ts';
import type { AdminPagesParts } from './admin-pages-parts.ts';
import { phoneCards } from './money-forms.ts';

type OrderRequest = Request<{ orderId: string }>;
type Verb = (orderId: string, request: OrderRequest) => Promise<MoneyOperation>;

/** The forms that move money. Each does it once and leads back to the order. */
export function moneyActions(parts: AdminPagesParts): Router {
  const { database, payments } = parts;
  const router = Router();
  const verbs: Readonly<Record<string, Verb>> = {
    'refund/confirmed': (orderId, request) => payments.refund(orderId, asked(request)),
    capture: (orderId, request) => payments.capture(orderId, asked(request)),
    void: (orderId, request) => payments.void(orderId, asked(request)),
    recurring: (orderId, request) =>
      payments.chargeRecurring(orderId, {
        amount: asked(request).amount,
        periodKey: formField(request, 'periodKey').trim(),
      }),
  };
  for (const [name, verb] of Object.entries(verbs)) {
    router.post(`/orders/:orderId/${name}`, async (request: OrderRequest, response) => {
      const { orderId } = request.params;
      if ((await database.findOrder(orderId)) === null) {
        return sendErrorPage(request, response, 'notFound');
      }
      const operation = await verb(orderId, request);
      response.redirect(303, `/admin/orders/${orderId}?done=${noticeOf(operation)}`);
    });
  }
  router.post('/orders/:orderId/sale', (request: OrderRequest, response) =>
    sell(parts, request, response),
  );
  return router;
}

async function sell(
  { database, payments, gatewayOrigins }: AdminPagesParts,
  request: OrderRequest,
  response: Response,
): Promise<void> {
  const { orderId } = request.params;
  const card = formField(request, 'card');
  const number = Object.entries(phoneCards).find(([name]) => name === card)?.[1];
  const sale = readSale(
    bodyFields({
      auth: formField(request, 'auth'),
      card: { number },
      recurringInit: formField(request, 'recurring') !== '',
      requestId: formField(request, 'requestId'),
    }),
  );
  const isThere = (await database.findOrder(orderId)) !== null;
  if (!isThere) return sendErrorPage(request, response, 'notFound');
  if (sale === undefined) return sendErrorPage(request, response, 'badRequest');
  const made = await payments.sale(orderId, sale);
  if (made.html === null) {
    response.redirect(303, `/admin/orders/${orderId}?done=${noticeOfSale(made)}`);
    return;
  }
  // The gateway's own page: it may run its script and post itself to the issuer, and nothing else.
  response.set(
    'Content-Security-Policy',
    `default-src 'none'; script-src 'unsafe-inline'; form-action ${gatewayOrigins.join(' ')}; base-uri 'none'; frame-ancestors 'none'`,
  );
  response.type('html').send(made.html);
}

function asked(request: Request): { readonly amount: string; readonly requestId: string } {
  return {
    amount: formField(request, 'amount').trim(),
    requestId: formField(request, 'requestId'),
  };
}

function noticeOf({ kind, state, reason }: MoneyOperation): string {
  if (state === 'unknown') return 'unknown';
  if (state === 'failed') return reason === 'declined' ? 'declined' : 'refused';
  return kind;
}

function noticeOfSale(made: SaleOperation): string {
  return made.result === 'rejected' ? 'refused' : noticeOf(made);
}
