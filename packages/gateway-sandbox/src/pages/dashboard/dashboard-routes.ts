import express from 'express';
import type { Request, Router } from 'express';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { formField, formFields, readForm } from '../form.ts';
import { credentialsPage, sdkTokensPage } from './credential-pages.ts';
import { formRoute, listRoute, Notices } from './page-routes.ts';
import type { FormRoute } from './page-routes.ts';
import { addSignInRoutes } from './sign-in-routes.ts';
import { addTransactionRoutes } from './transaction-routes.ts';
import { webhooksPage } from './webhooks-page.ts';

const account = '/merchant/account';

/** The merchant dashboard: a small program that talks to the gateway's API, as a merchant's would. */
export function dashboardRoutes(parts: SandboxParts): Router {
  const router = express.Router();
  const context = { parts, notices: new Notices() };
  addSignInRoutes(router, context);
  addTransactionRoutes(router, context);
  router.get(
    '/dashboard/credentials',
    listRoute(context, `${account}/credentials`, credentialsPage),
  );
  router.get('/dashboard/webhooks', listRoute(context, `${account}/webhooks`, webhooksPage));
  router.get('/dashboard/sdk-tokens', listRoute(context, `${account}/sdk-tokens`, sdkTokensPage));
  for (const [path, form] of Object.entries(forms)) {
    router.post(`/dashboard/${path}`, readForm, formRoute(context, form));
  }
  return router;
}

/** Every form of the settings, by its address below `/dashboard`, as an API call. */
const forms: Readonly<Record<string, FormRoute>> = {
  'credentials/rotate': {
    section: 'credentials',
    call: () => ({ method: 'POST', path: `${account}/credentials/rotate` }),
    done: 'rotated',
    secret: 'apiKey',
  },
  'credentials/:id/revoke': {
    section: 'credentials',
    call: (request) => ({ method: 'DELETE', path: `${account}/credentials/${idOf(request)}` }),
    done: 'revoked',
  },
  webhooks: {
    section: 'webhooks',
    call: (request) => ({
      method: 'POST',
      path: `${account}/webhooks`,
      body: webhookFields(request),
    }),
    done: 'webhook-created',
    secret: 'secret',
  },
  'webhooks/:id': {
    section: 'webhooks',
    call: (request) => ({
      method: 'PATCH',
      path: `${account}/webhooks/${idOf(request)}`,
      body: webhookFields(request),
    }),
    done: 'webhook-changed',
  },
  'webhooks/:id/delete': {
    section: 'webhooks',
    call: (request) => ({ method: 'DELETE', path: `${account}/webhooks/${idOf(request)}` }),
    done: 'webhook-deleted',
  },
  'sdk-tokens': {
    section: 'sdk-tokens',
    call: (request) => ({
      method: 'POST',
      path: `${account}/sdk-tokens`,
      body: sdkTokenFields(request),
    }),
    done: 'token-created',
    secret: 'token',
  },
  'sdk-tokens/:id': {
    section: 'sdk-tokens',
    call: (request) => ({
      method: 'PATCH',
      path: `${account}/sdk-tokens/${idOf(request)}`,
      body: { status: formField(request, 'status') },
    }),
    done: 'token-changed',
  },
};

function webhookFields(request: Request): object {
  const events = formFields(request, 'events');
  return {
    url: formField(request, 'url'),
    active: formField(request, 'active') === 'yes',
    ...(events.length === 0 ? {} : { events }),
  };
}

function sdkTokenFields(request: Request): object {
  const terminalId = formField(request, 'terminalId');
  return {
    name: formField(request, 'name'),
    type: formField(request, 'type'),
    ...(terminalId === '' ? {} : { terminalId }),
  };
}

function idOf({ params }: Request): string {
  return encodeURIComponent(String(params['id']));
}
