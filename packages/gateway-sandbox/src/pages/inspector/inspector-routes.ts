import express from 'express';
import type { Request, Router } from 'express';
import { defaultTenant } from '../../domain/state.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { readDuration } from '../../routes/control/time-text.ts';
import { travel } from '../../travel.ts';
import { formField, readForm } from '../form.ts';
import { languageOf } from '../language.ts';
import { leaveFor } from '../leave.ts';
import { sendPage } from '../send-page.ts';
import { clockLeaps } from './clock-labels.ts';
import { inspectorPage } from './inspector-page.ts';
import { inspectorAddress } from './view.ts';
import type { View } from './view.ts';

/** The inspector `/_sandbox` and its buttons; the guard turns forms of other sites away. */
export function inspectorRoutes(parts: SandboxParts): Router {
  const { machine } = parts;
  const router = express.Router();
  router.get('/_sandbox', async (request, response) => {
    await machine.settled();
    sendPage(response, inspectorPage(viewOf(parts, request)));
  });
  router.post('/_sandbox/clock', readForm, async (request, response) => {
    const view = viewOf(parts, request);
    const { tenant } = view;
    const action = formField(request, 'action');
    const leap = readDuration(clockLeaps.find((known) => known === action));
    if (action === 'freeze') await machine.execute({ kind: 'freeze-clock', tenant });
    else if (action === 'resume') await machine.execute({ kind: 'resume-clock', tenant });
    else if (leap !== null) await travel(machine, tenant, { byMs: leap });
    leaveFor(response, inspectorAddress(view));
  });
  return router;
}

/** The tenant that the address names; the first for one that nobody opened. */
function viewOf(parts: SandboxParts, request: Request): View {
  const { tenant } = request.query;
  const isKnown = typeof tenant === 'string' && parts.machine.hasTenant(tenant);
  return { parts, tenant: isKnown ? tenant : defaultTenant, language: languageOf(request) };
}
