import express from 'express';
import type { Request, Response, Router } from 'express';
import { defaultTenant, heldIds } from '../../domain/tenant.ts';
import { profileNames } from '../../faults.ts';
import { travel } from '../../machine.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { readDuration } from '../../control/tenant-operations.ts';
import { readFault, setProfile } from '../../control/record-operations.ts';
import { formField, leaveFor, readForm } from '../form.ts';
import { languageOf } from '../language.ts';
import { sendPage } from '../page.ts';
import { clockLeaps } from './control-panels.ts';
import { fidelityPage } from './fidelity-page.ts';
import { inspectorPage } from './inspector-page.ts';
import { inspectorTexts } from './texts.ts';
import { inspectorAddress } from './view.ts';
import type { View } from './view.ts';

/** Carries out a button of the inspector. A returned text says what was wrong with the form. */
type Action = (view: View, request: Request) => string | void | Promise<string | void>;

/** The inspector and its buttons, relative to `/_sandbox`; the guard turns forms of other sites away. */
export function inspectorRoutes(parts: SandboxParts): Router {
  const router = express.Router();
  const complaints = new Map<string, string>();
  router.get('/', (request, response) => {
    const view = viewOf(parts, request);
    const complaint = complaints.get(view.tenant) ?? null;
    complaints.delete(view.tenant);
    sendPage(response, inspectorPage(view, complaint));
  });
  router.get('/fidelity', (request, response) => {
    const { tier } = request.query;
    const page = fidelityPage(viewOf(parts, request), typeof tier === 'string' ? tier : '');
    sendPage(response, page);
  });
  for (const [path, action] of Object.entries(actions)) {
    router.post(`/${path}`, readForm, async (request: Request, response: Response) => {
      const view = viewOf(parts, request);
      const complaint = await action(view, request);
      if (typeof complaint === 'string') complaints.set(view.tenant, complaint);
      leaveFor(response, inspectorAddress(view));
    });
  }
  return router;
}

const actions: Readonly<Record<string, Action>> = {
  clock: async ({ parts: { machine }, tenant }, request) => {
    const action = formField(request, 'action');
    const leap = readDuration(clockLeaps.find((known) => known === action));
    if (action === 'freeze') machine.execute({ kind: 'freeze-clock', tenant });
    else if (action === 'resume') machine.execute({ kind: 'resume-clock', tenant });
    else if (leap !== null) await travel(machine, tenant, { byMs: leap });
  },
  profile: ({ parts, tenant }, request) => {
    const wanted =
      formField(request, 'clear') === 'yes' ? 'healthy' : formField(request, 'profile');
    setProfile(parts, tenant, profileNames.find((known) => known === wanted) ?? 'healthy');
  },
  faults: ({ parts: { faults }, tenant }, request) => {
    const operation = formField(request, 'operation');
    const sketch = readFault({
      ...(operation === '' ? {} : { operation }),
      place: formField(request, 'place'),
      kind: formField(request, 'kind'),
      count: Number(formField(request, 'count')),
    });
    if (typeof sketch === 'string') return sketch;
    faults.add(tenant, sketch);
    return undefined;
  },
  deliveries: deliverAgain,
};

/** The tenant of the address; the first one where the address names no known tenant. */
function viewOf(parts: SandboxParts, request: Request): View {
  const { tenant } = request.query;
  const isKnown = typeof tenant === 'string' && parts.machine.hasTenant(tenant);
  return { parts, tenant: isKnown ? tenant : defaultTenant, language: languageOf(request) };
}

/** The buttons of the deliveries: hold back, release, send again. */
async function deliverAgain(
  { parts, tenant, language }: View,
  request: Request,
): Promise<string | undefined> {
  const { machine, dispatcher } = parts;
  const id = formField(request, 'id');
  switch (formField(request, 'action')) {
    case 'hold':
      machine.execute({ kind: 'hold-deliveries', tenant, holds: true });
      return undefined;
    case 'release':
      machine.execute({ kind: 'hold-deliveries', tenant, holds: false });
      await dispatcher.release(tenant, heldIds(machine.tenant(tenant)));
      return undefined;
    case 'release-one':
      await dispatcher.release(tenant, [id]);
      return undefined;
    default: {
      const delivery = machine.tenant(tenant).outbox.deliveries.get(id);
      if (delivery === undefined) return undefined;
      const result = await dispatcher.replay(tenant, delivery, { url: null, resign: null });
      return result === null ? inspectorTexts[language].deliveries.noAddress : undefined;
    }
  }
}
