import type { NextFunction, Request, Response } from 'express';
import { Router, urlencoded } from 'express';
import { sameSiteOnly } from '../http/same-site.ts';
import type { Warn } from '../http/warn.ts';
import { sendErrorPage } from '../pages/error-page.ts';
import { formField } from '../pages/form-field.ts';
import { bugReport } from './bug-report.ts';
import type { QaDesk } from './qa-desk.ts';
import { readOutcome, readProfile } from './outcomes.ts';
import type { ReportParts } from './bug-report.ts';

/** What the drawer's forms work with. */
export interface QaRouterParts extends ReportParts {
  readonly publicUrl: string;
  readonly warn: Warn;
}

/** What a tool did: the name of a notice. */
type Done = 'applied' | 'outcome' | 'leapt' | 'replayed' | 'none' | 'emptied' | 'failed';
type Tool = (request: Request) => Promise<Done>;

/** The drawer's tools. Each does its work and leads back to the page that it was used on. */
export function qaRouter(parts: QaRouterParts): Router {
  const { desk, warn } = parts;
  const router = Router();
  const form = urlencoded({ extended: false, limit: '16kb' });
  router.use(
    sameSiteOnly(new URL(parts.publicUrl).origin, (request, response) => {
      sendErrorPage(request, response, 'forbidden');
    }),
  );
  for (const [name, tool] of Object.entries(toolsOf(desk))) {
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

function toolsOf(desk: QaDesk): Readonly<Record<string, Tool>> {
  return {
    apply: async (request) => {
      const outcome = readOutcome(formField(request, 'outcome'));
      const profile = readProfile(formField(request, 'fault'));
      if (profile !== undefined && profile !== desk.weather.profile) await desk.setWeather(profile);
      if (outcome === undefined) return 'applied';
      await desk.decideNext(outcome);
      return 'outcome';
    },
    clock: async () => {
      await desk.leap();
      return 'leapt';
    },
    'replay-webhook': async (request) => {
      const orderId = formField(request, 'order') || undefined;
      return (await desk.replayWebhook(orderId)) ? 'replayed' : 'none';
    },
    reset: async () => {
      await desk.reset();
      return 'emptied';
    },
  };
}

/** The page that the tool was used on; nothing but a path of this shop. */
function backOf(request: Request): string {
  const path = formField(request, 'back');
  return /^\/(?![/\\])[\w/~.%-]*$/.test(path) ? path : '/';
}
