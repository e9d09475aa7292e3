import { randomUUID } from 'node:crypto';
import { type Request, type Response, Router } from 'express';
import { bugOf } from '../bugs/bug-cookie.ts';
import { bugsPage } from '../bugs/bugs-page.ts';
import { setCookie } from '../http/cookies.ts';
import { welcomeVisitor } from '../http/visitor.ts';
import { type OrderBook, placeOrder } from '../orders/place-order.ts';
import { sendErrorPage } from '../pages/error-page.ts';
import { sendPage, viewFor } from '../pages/page.ts';
import { SCRIPTS_COOKIE } from '../pages/scripts.ts';
import { findPersona, type Persona } from './personas.ts';
import { personasPage } from './personas-page.ts';
import type { QaDesk } from './qa-desk.ts';
import type { QaParts } from './qa-parts.ts';

/** What the testers' own pages work with. */
export interface QaPagesParts extends OrderBook, Pick<QaParts, 'payments'> {
  readonly desk: QaDesk;
  readonly onPlaced: (orderId: string, request: Request) => void;
}

/** Whoever a persona is, the shop knows them by this. */
const customer = { name: 'Noura Alqahtani', email: 'noura@example.com', phone: '0512345678' };
const testCard = {
  number: '4111111111111111',
  expiryMonth: '12',
  expiryYear: '2039',
  cvv: '123',
  holderName: 'Noura Alqahtani',
};

/** The pages that only testers need. */
export function qaPages(parts: QaPagesParts): Router {
  const router = Router();
  router.get('/personas', (request, response) => {
    const view = viewFor(request, response);
    sendPage(response, 200, view, personasPage(view));
  });
  router.get('/personas/:id', async (request, response) => {
    const persona = findPersona(request.params.id);
    if (persona === undefined) return sendErrorPage(request, response, 'notFound');
    response.redirect(303, await become(parts, persona, request, response));
  });
  router.get('/bugs', (request, response) => {
    const view = viewFor(request, response);
    sendPage(response, 200, view, bugsPage(view, bugOf(request)));
  });
  return router;
}

/** Sets the scene. @returns where the story begins */
async function become(
  { desk, payments, onPlaced, ...book }: QaPagesParts,
  { id, sku, outcome, weather, language, scriptless, isPaid }: Persona,
  request: Request,
  response: Response,
): Promise<string> {
  setCookie(response, SCRIPTS_COOKIE, scriptless === true ? 'off' : 'on', 1);
  const wish = language === undefined ? '' : `&lang=${language}`;
  await desk.setWeather(weather ?? 'healthy');
  if (outcome !== undefined) await desk.decideNext(outcome);
  if (sku === undefined) return `/?persona=${id}${wish}`;
  const owner = welcomeVisitor(request, response);
  const input = { lines: [{ sku, quantity: 1 }], customer };
  const orderId = await placeOrder(book, owner, input, randomUUID());
  onPlaced(orderId, request);
  if (isPaid !== true) return `/orders/${orderId}?persona=${id}${wish}`;
  const requestId = `persona-${orderId}`;
  await payments.sale(orderId, { auth: 'capture', card: testCard, recurring: true, requestId });
  return `/admin/orders/${orderId}?persona=${id}${wish}`;
}
