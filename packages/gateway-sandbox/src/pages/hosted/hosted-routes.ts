import express from 'express';
import type { Router } from 'express';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { readForm } from '../form.ts';
import { leaveFor } from '../leave.ts';
import { noteVisit } from '../note-visit.ts';
import { pageAddress, sessionIdOf, showHosted } from './show-hosted.ts';
import { submitPayment } from './submit-payment.ts';

/** The hosted page: `GET /checkout?sessionId=…`, its form, and the drawer's "expire now". */
export function hostedRoutes(parts: SandboxParts): Router {
  const { machine, tenants } = parts;
  const router = express.Router();
  router.get('/checkout', async (request, response) => {
    await machine.settled();
    noteVisit(parts, 'page-opened', sessionIdOf(request));
    const fill = Number(request.query['card'] ?? Number.NaN);
    showHosted(parts, request, response, { fill: Number.isInteger(fill) ? fill : null });
  });
  router.post('/checkout', readForm, async (request, response) => {
    await submitPayment(parts, request, response);
  });
  router.post('/checkout/expire', readForm, async (request, response) => {
    const sessionId = sessionIdOf(request);
    const tenant = tenants.ofSession(sessionId);
    await machine.execute({ kind: 'expire-session', tenant, sessionId });
    leaveFor(response, pageAddress(request));
  });
  return router;
}
