import express from 'express';
import type { Request, Response, Router } from 'express';
import { defaultTenant, heldIds } from '../../domain/tenant.ts';
import { profileNames } from '../../faults.ts';
import { readFault, setProfile } from '../../control/record-operations.ts';
import { travel } from '../../machine.ts';
import { readDuration } from '../../control/tenant-operations.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { alertBox, choiceField, ltr, pills, radio } from '../furniture.ts';
import { html, languageOf } from '../html.ts';
import type { Html } from '../html.ts';
import { formField, leaveFor, readForm, sendPage } from '../page.ts';
import type { Page } from '../page.ts';
import { accessPanel, clockLeaps, clockPanel, faultsPanel } from './controls.ts';
import { fidelityPage } from './fidelity.ts';
import { deliveriesPanel, hintsPanel, paymentsPanel, requestsPanel } from './lists.ts';
import { timelinePanel } from './timeline.ts';
import { inspectorAddress, inspectorTexts } from './view.ts';
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

/** A longer list of links is not useful; the other tenants' addresses still work. */
const mostTenantLinks = 30;

/**
 * The inspector: the sandbox's state, and the reasons for its answers. `complaint` says what was
 * wrong with the form that led here.
 */
function inspectorPage(view: View, complaint: string | null): Page {
  const { language, tenant } = view;
  const texts = inspectorTexts[language];
  const main = html`<main class="stack wide">
    <div class="row">
      <h1>${texts.title}</h1>
      <p class="live" id="live" data-live-text="${texts.live}" data-lost-text="${texts.lost}">
        <i class="dot" aria-hidden="true"></i><span>${texts.still}</span>
      </p>
      <nav class="row end" aria-label="${texts.title}">
        <a href="${inspectorAddress(view, '/fidelity')}">${texts.fidelity}</a>
        <a href="/dashboard?lang=${language}">${texts.dashboard}</a>
      </nav>
    </div>
    ${complaint !== null && alertBox('refused', complaint)} ${tenantLinks(view)} ${hintsPanel(view)}
    ${viewTabs(view)}
    <div class="inspector-columns">
      <div class="stack">
        ${paymentsPanel(view)} ${deliveriesPanel(view)} ${requestsPanel(view)}
      </div>
      <div class="stack">
        ${clockPanel(view)} ${timelinePanel(view)} ${faultsPanel(view)} ${accessPanel(view)}
      </div>
    </div>
  </main>`;
  return {
    language,
    title: `${texts.title} · Pay Sandbox`,
    main,
    path: '/_sandbox',
    parameters: { tenant },
    isTool: true,
    isLive: true,
    scripts: ['current-state.js', 'inspector.js'],
  };
}

/** What a phone shows at a time: the tabs of one view each, by the panels that it holds. */
const views = {
  payments: 'sessions',
  webhooks: 'deliveries',
  requests: 'requests',
  timeline: 'timeline',
  tools: 'clock faults addresses',
} as const;

/** Tabs for a phone, where the panels below each other would be very long. */
function viewTabs({ language }: View): Html {
  const texts = inspectorTexts[language].views;
  const tab = (name: keyof typeof views) =>
    choiceField(
      'view',
      radio('view', views[name], `view-${name}`),
      name === 'payments',
      texts[name],
    );
  return html`<fieldset class="views">
    <legend class="visually-hidden">${texts.legend}</legend>
    ${tab('payments')}${tab('webhooks')}${tab('requests')}${tab('timeline')}${tab('tools')}
  </fieldset>`;
}

/** The other tenants' inspectors, where there are any. */
function tenantLinks({ parts, tenant, language }: View): Html | null {
  const ids = parts.machine.tenantIds();
  if (ids.length < 2) return null;
  const link = (id: string) => ({
    href: inspectorAddress({ tenant: id, language }),
    text: ltr(id),
    isCurrent: id === tenant,
  });
  return pills(inspectorTexts[language].tenants, ids.slice(0, mostTenantLinks).map(link));
}
