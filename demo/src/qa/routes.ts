import { randomUUID } from 'node:crypto';
import { type Request, type Response, Router, urlencoded } from 'express';
import { isOpening, sameSiteOnly } from '../http/guards.ts';
import { formField, setCookie, welcomeVisitor } from '../http/requests.ts';
import { ownFormsOnly, SCRIPTS_COOKIE, sendErrorPage, sendPage } from '../pages/page.ts';
import { placeOrder, type Shop } from '../shop/orders.ts';
import { bugOf } from './bugs.ts';
import { readOutcome, readProfile, type TestConsole } from './console.ts';
import { bugsPage, personasPage } from './pages.ts';
import { findPersona, type Persona } from './personas.ts';
import { bugReport } from './report.ts';

/** The drawer's tools and the testers' own pages. */
export function qaRouter(shop: Shop, testConsole: TestConsole): Router {
  const router = Router();
  router.use('/qa', ownFormsOnly(shop.publicUrl));
  toolRoutes(router, shop, testConsole);
  router.get('/qa/report', async (request, response) => {
    response.set('Cache-Control', 'no-store').type('text/plain');
    response.send(await bugReport({ ...shop, testConsole }, request));
  });
  router.get('/bugs', (request, response) => {
    sendPage(request, response, (view) => bugsPage(view, bugOf(request)));
  });
  router.get('/personas', (request, response) => sendPage(request, response, personasPage));
  const refuse = (request: Request, response: Response) =>
    sendErrorPage(request, response, 'forbidden');
  const openedOnly = sameSiteOnly(shop.publicUrl, refuse, isOpening);
  router.get('/personas/:id', openedOnly, async (request, response) => {
    const persona = findPersona(request.params['id']);
    if (persona === undefined) return sendErrorPage(request, response, 'notFound');
    await prepare(testConsole, persona);
    response.redirect(303, await begin(shop, persona, request, response));
  });
  return router;
}

/** The result of a tool: the name of a notice. */
type Done = 'applied' | 'outcome' | 'leapt' | 'replayed' | 'none' | 'emptied' | 'failed';
type Tool = (request: Request) => Promise<Done>;

/** Each tool does its work and leads back to the page that it was used on. */
function toolRoutes(router: Router, { warn }: Shop, testConsole: TestConsole): void {
  const tools: Readonly<Record<string, Tool>> = {
    apply: async (request) => {
      const outcome = readOutcome(formField(request, 'outcome'));
      const profile = readProfile(formField(request, 'fault'));
      if (profile !== undefined && profile !== testConsole.sandbox.profile)
        await testConsole.setProfile(profile);
      if (outcome === undefined) return 'applied';
      await testConsole.decideNext(outcome);
      return 'outcome';
    },
    clock: async () => {
      await testConsole.expireLinks();
      return 'leapt';
    },
    'replay-webhook': async (request) => {
      const orderId = formField(request, 'order') || undefined;
      return (await testConsole.replayWebhook(orderId)) ? 'replayed' : 'none';
    },
    reset: async () => {
      await testConsole.reset();
      return 'emptied';
    },
  };
  const form = urlencoded({ extended: false, limit: '16kb' });
  for (const [name, tool] of Object.entries(tools)) {
    router.post(`/qa/${name}`, form, async (request, response) => {
      const done = await tool(request).catch((error: unknown): Done => {
        warn(`The tool ${name} failed`, error);
        return 'failed';
      });
      response.redirect(303, `${backOf(request)}?qa=${done}`);
    });
  }
}

/** The page that the tool was used on; only a path of this shop. */
function backOf(request: Request): string {
  const path = formField(request, 'back');
  return /^\/(?![/\\])[\w/~.%-]*$/.test(path) ? path : '/';
}

/** Puts the faults of a persona in force. */
async function prepare(testConsole: TestConsole, { profile, outcome }: Persona): Promise<void> {
  await testConsole.setProfile(profile ?? 'healthy');
  if (outcome !== undefined) await testConsole.decideNext(outcome);
}

/** The customer and the card of every persona. */
const customer = { name: 'Noura Alqahtani', email: 'noura@example.com', phone: '0512345678' };
const testCard = {
  number: '4111111111111111',
  expiryMonth: '12',
  expiryYear: '2039',
  cvv: '123',
  holderName: 'Noura Alqahtani',
};

/** Prepares a persona's order. @returns the address where the persona starts */
async function begin(
  shop: Shop,
  { id, sku, language, scriptless, isPaid }: Persona,
  request: Request,
  response: Response,
): Promise<string> {
  setCookie(response, SCRIPTS_COOKIE, scriptless === true ? 'off' : 'on', 1);
  const query = `?persona=${id}${language === undefined ? '' : `&lang=${language}`}`;
  if (sku === undefined) return `/${query}`;
  const owner = welcomeVisitor(request, response);
  const input = { lines: [{ sku, quantity: 1 }], customer };
  const orderId = await placeOrder(shop, owner, input, randomUUID());
  shop.onPlaced?.(orderId, request);
  if (isPaid !== true) return `/orders/${orderId}${query}`;
  const requestId = `persona-${orderId}`;
  const sale = { auth: 'capture', card: testCard, recurring: true, requestId } as const;
  await shop.payments.sale(orderId, sale);
  return `/admin/orders/${orderId}${query}`;
}
