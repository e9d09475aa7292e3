import { randomUUID } from 'node:crypto';
import { type NextFunction, type Request, type Response, Router, urlencoded } from 'express';
import { bugOf } from '../bugs/bugs.ts';
import { formField } from '../http/body.ts';
import { setCookie, welcomeVisitor } from '../http/cookies.ts';
import type { Warn } from '../http/problem.ts';
import { openedOnly } from '../http/same-site.ts';
import { type NewOrderDependencies, placeOrder } from '../orders/orders.ts';
import { SCRIPTS_COOKIE, ownFormsOnly, sendErrorPage, sendPage, viewFor } from '../pages/page.ts';
import { bugReport, type ReportParts } from './bug-report.ts';
import { readOutcome, readProfile } from './outcomes.ts';
import { findPersona, type Persona } from './personas.ts';
import type { TestConsole, QaDependencies } from './test-console.ts';
import { bugsPage, personasPage } from './tiles.ts';

/** What the drawer's forms work with. */
interface QaRouterParts extends ReportParts {
  readonly publicUrl: string;
  readonly warn: Warn;
}

/** The result of a tool: the name of a notice. */
type Done = 'applied' | 'outcome' | 'leapt' | 'replayed' | 'none' | 'emptied' | 'failed';
type Tool = (request: Request) => Promise<Done>;

/** The drawer's tools. Each does its work and leads back to the page that it was used on. */
export function qaRouter(parts: QaRouterParts): Router {
  const { testConsole, warn } = parts;
  const router = Router();
  const form = urlencoded({ extended: false, limit: '16kb' });
  router.use(ownFormsOnly(parts.publicUrl));
  for (const [name, tool] of Object.entries(toolsOf(testConsole))) {
    router.post(`/${name}`, form, async (request, response) => {
      const done = await tool(request).catch((error: unknown): Done => {
        warn(`The tool ${name} failed`, error);
        return 'failed';
      });
      response.redirect(303, `${backOf(request)}?qa=${done}`);
    });
  }
  router.get('/report', async (request, response) => {
    response.set('Cache-Control', 'no-store').type('text/plain');
    response.send(await bugReport(parts, request));
  });
  router.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    warn('A tool failed', error);
    sendErrorPage(request, response, 'failed');
  });
  return router;
}

function toolsOf(testConsole: TestConsole): Readonly<Record<string, Tool>> {
  return {
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
}

/** The page that the tool was used on; only a path of this shop. */
function backOf(request: Request): string {
  const path = formField(request, 'back');
  return /^\/(?![/\\])[\w/~.%-]*$/.test(path) ? path : '/';
}

/** What the testers' own pages work with. */
interface QaPagesParts extends NewOrderDependencies, Pick<QaDependencies, 'payments'> {
  readonly publicUrl: string;
  readonly testConsole: TestConsole;
  readonly onPlaced: (orderId: string, request: Request) => void;
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

/** The pages for testers. */
export function qaPages(parts: QaPagesParts): Router {
  const router = Router();
  router.get('/personas', (request, response) => {
    const view = viewFor(request, response);
    sendPage(response, 200, view, personasPage(view));
  });
  const opened = openedOnly(new URL(parts.publicUrl).origin, (request, response) => {
    sendErrorPage(request, response, 'forbidden');
  });
  router.get('/personas/:id', opened, async (request, response) => {
    const persona = findPersona(request.params['id']);
    if (persona === undefined) return sendErrorPage(request, response, 'notFound');
    response.redirect(303, await become(parts, persona, request, response));
  });
  router.get('/bugs', (request, response) => {
    const view = viewFor(request, response);
    sendPage(response, 200, view, bugsPage(view, bugOf(request)));
  });
  return router;
}

/** Prepares a persona's order and faults. @returns the address where the persona starts */
async function become(
  { testConsole, payments, onPlaced, ...shop }: QaPagesParts,
  { id, sku, outcome, profile, language, scriptless, isPaid }: Persona,
  request: Request,
  response: Response,
): Promise<string> {
  setCookie(response, SCRIPTS_COOKIE, scriptless === true ? 'off' : 'on', 1);
  const wish = language === undefined ? '' : `&lang=${language}`;
  await testConsole.setProfile(profile ?? 'healthy');
  if (outcome !== undefined) await testConsole.decideNext(outcome);
  if (sku === undefined) return `/?persona=${id}${wish}`;
  const owner = welcomeVisitor(request, response);
  const input = { lines: [{ sku, quantity: 1 }], customer };
  const orderId = await placeOrder(shop, owner, input, randomUUID());
  onPlaced(orderId, request);
  if (isPaid !== true) return `/orders/${orderId}?persona=${id}${wish}`;
  const requestId = `persona-${orderId}`;
  await payments.sale(orderId, { auth: 'capture', card: testCard, recurring: true, requestId });
  return `/admin/orders/${orderId}?persona=${id}${wish}`;
}
