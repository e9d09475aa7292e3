import { json, type Request, Router } from 'express';
import { bodyFields } from '../admin/body-fields.ts';
import type { BrowserReturns } from '../qa/browser-returns.ts';
import type { Saboteur, Victims } from './saboteur.ts';

/** The mistakes around the kit's routes; mounted before them. The kit itself stays as it is. */
export function buggyRoutes(saboteur: Saboteur, victims: Victims, returns: BrowserReturns): Router {
  const router = Router();
  const { database, payments } = victims;
  returns.onReturn(async (orderId, { told }) => {
    if (told === 'success' && saboteur.has(orderId, 'trusts-the-redirect')) {
      await database.shipUnpaid(orderId);
    }
    if (saboteur.has(orderId, 'ignores-approved') && (await hasRows(payments, orderId))) {
      await database.shipUnpaid(orderId);
    }
  });
  // Without such a bug nobody but the kit reads a webhook: it takes nonsense without a fault.
  const reader = json({ limit: '64kb' });
  router.post('/webhook', (request, response, next) => {
    if (saboteur.plagues('believes-webhooks', 'no-deduplication')) reader(request, response, next);
    else next();
  });
  router.post('/webhook', async (request, _response, next) => {
    const orderId = approvedOrder(request);
    const isPaid = async () => (await payments.retrieve(orderId))?.state === 'paid';
    if (saboteur.has(orderId, 'believes-webhooks')) await database.shipUnpaid(orderId);
    if (saboteur.has(orderId, 'no-deduplication') && (await isPaid())) {
      await database.shipUnpaid(orderId);
    }
    next();
  });
  return router;
}

async function hasRows(payments: Victims['payments'], orderId: string): Promise<boolean> {
  const sessionId = (await payments.explain(orderId))?.attempts.at(-1)?.sessionId;
  if (typeof sessionId !== 'string') return false;
  return (await payments.gateway.retrieveStatus({ sessionId })).transactions.length > 0;
}

function approvedOrder(request: Request): string {
  const body = bodyFields(request.body);
  const [orderId = ''] = body.text('merchantOrderId').split('~');
  return /^approved$/i.test(body.text('status')) ? orderId : '';
}
