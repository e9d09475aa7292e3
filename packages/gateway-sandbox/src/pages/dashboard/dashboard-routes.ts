import express from 'express';
import type { Request, RequestHandler, Response, Router } from 'express';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { languageOf, type Language } from '../html.ts';
import { formField, formFields, leaveFor, readForm, sendPage, type Page } from '../page.ts';
import {
  callApi,
  callAs,
  complaintOf,
  keepToken,
  merchantOf,
  sectionAddress,
  signInPage,
  tokenIn,
  textOf,
  dashboardTexts,
  sections,
} from './dashboard-page.ts';
import type { ApiAnswer, Merchant, Notice, View, DoneKind } from './dashboard-page.ts';
import * as pages from './sections.ts';

/** The merchant dashboard: a small program that talks to the gateway's API, as a merchant's would. */
export function dashboardRoutes(parts: SandboxParts): Router {
  const router = express.Router();
  // The result of a form, for the next page, which shows it once: a secret in it is gone after that.
  const notices = new Map<string, Notice>();
  addSignIn(router, parts);
  const show = (path: string, render: (view: View, request: Request) => Page | Promise<Page>) =>
    router.get(`/dashboard/${path}`, async (request, response) => {
      const merchant = admit(parts, request, response);
      if (merchant === null) return;
      const notice = notices.get(merchant.token) ?? null;
      notices.delete(merchant.token);
      const language = languageOf(request);
      const view = { parts, merchant, language, texts: dashboardTexts[language], notice };
      sendPage(response, await render(view, request));
    });
  show('transactions', (view, request) => pages.transactionsPage(view, pages.readFilter(request)));
  show('transactions/:id', (view, request) => showTransaction(view, request));
  show('credentials', (view) => showList(view, 'credentials', pages.credentialsPage));
  show('webhooks', (view) => showList(view, 'webhooks', pages.webhooksPage));
  show('sdk-tokens', (view) => showList(view, 'sdk-tokens', pages.sdkTokensPage));
  for (const [path, form] of Object.entries(forms)) {
    router.post(`/dashboard/${path}`, readForm, formRoute(parts, notices, path, form));
  }
  return router;
}

/** Signing in with the portal's login (§5.4, N16), and out. */
function addSignIn(router: Router, parts: SandboxParts): void {
  router.get('/dashboard', (request, response) => {
    leaveFor(response, sectionAddress('transactions', languageOf(request)));
  });
  router.get('/dashboard/sign-in', (request, response) => {
    const language = languageOf(request);
    const complaint = request.query['ended'] === '1' ? dashboardTexts[language].signedOut : null;
    sendPage(response, signInPage(language, complaint, ''));
  });
  router.post('/dashboard/sign-in', readForm, async (request, response) => {
    const language = languageOf(request);
    const isProduction = formField(request, 'environment') === 'production';
    const environment = isProduction ? 'production' : 'staging';
    const username = formField(request, 'username');
    const password = formField(request, 'password');
    const login = { method: 'POST', path: '/auth/login', body: { username, password } };
    const answer = await callApi(parts, environment, login);
    const token = textOf(answer.body, 'accessToken');
    if (answer.status !== 200 || token === '') {
      sendPage(response, signInPage(language, complaintOf(answer), username));
      return;
    }
    keepToken(parts, response, token);
    leaveFor(response, sectionAddress('transactions', language));
  });
  router.post('/dashboard/sign-out', readForm, (request, response) => {
    keepToken(parts, response, '');
    leaveFor(response, signInAddress(languageOf(request)));
  });
}

function signInAddress(language: Language): string {
  return `/dashboard/sign-in?lang=${language}`;
}

/** The merchant who asks. Anyone else, and a merchant whose token has ended, has to sign in first. */
function admit(parts: SandboxParts, request: Request, response: Response): Merchant | null {
  const token = tokenIn(parts, request);
  const merchant = merchantOf(parts, token);
  if (merchant !== null) return merchant;
  const address = signInAddress(languageOf(request));
  if (token !== '') keepToken(parts, response, '');
  leaveFor(response, token === '' ? address : `${address}&ended=1`);
  return null;
}

const account = '/merchant/account';

async function showList(
  view: View,
  list: string,
  render: (view: View, answer: ApiAnswer) => Page,
): Promise<Page> {
  const call = { method: 'GET', path: `${account}/${list}` };
  const answer = await callAs(view.parts, view.merchant, call);
  if (answer.status === 200) return render(view, answer);
  return render({ ...view, notice: { kind: 'refused', complaint: complaintOf(answer) } }, answer);
}

async function showTransaction(view: View, request: Request): Promise<Page> {
  const { parts, merchant } = view;
  const { transactions } = parts.machine.tenant(merchant.tenant);
  const transaction = transactions.get(String(request.params['id']));
  if (transaction === undefined) return pages.transactionsPage(view, pages.readFilter(request));
  const path = `/payment/checkout/status?id=${transaction.id}`;
  const answer = await callAs(parts, merchant, { method: 'GET', path });
  return pages.transactionPage(view, transaction, answer);
}

/** A form of the dashboard, as the API call that carries it out. */
interface Form {
  /** The method and the path, with the form's own `:id`; without a slash, of the account. */
  readonly call: string;
  readonly body?: (request: Request) => object;
  readonly done: DoneKind;
  /** The answer's field that is shown once. */
  readonly secret?: string;
}

/** Every form by its address below `/dashboard`, which begins with its section. */
const forms: Readonly<Record<string, Form>> = {
  'credentials/rotate': { call: 'POST credentials/rotate', done: 'rotated', secret: 'apiKey' },
  'credentials/:id/revoke': { call: 'DELETE credentials/:id', done: 'revoked' },
  webhooks: {
    call: 'POST webhooks',
    body: webhookFields,
    done: 'webhook-created',
    secret: 'secret',
  },
  'webhooks/:id': { call: 'PATCH webhooks/:id', body: webhookFields, done: 'webhook-changed' },
  'webhooks/:id/delete': { call: 'DELETE webhooks/:id', done: 'webhook-deleted' },
  'sdk-tokens': {
    call: 'POST sdk-tokens',
    body: sdkTokenFields,
    done: 'token-created',
    secret: 'token',
  },
  'sdk-tokens/:id': {
    call: 'PATCH sdk-tokens/:id',
    body: (request) => ({ status: formField(request, 'status') }),
    done: 'token-changed',
  },
  'transactions/:id/refund': { call: 'POST /payment/s2s/refund', body: move, done: 'refunded' },
  'transactions/:id/capture': { call: 'POST /payment/s2s/capture', body: move, done: 'captured' },
  'transactions/:id/void': { call: 'POST /payment/s2s/void', body: move, done: 'voided' },
};

/** A number goes out as a number. Other text goes out as typed, so that the API refuses it. */
function move(request: Request): object {
  const transactionId = idOf(request);
  const [amount] = formFields(request, 'amount');
  if (amount === undefined) return { transactionId };
  const isNumber = /^\d{1,9}(\.\d{1,9})?$/.test(amount);
  return { transactionId, amount: isNumber ? Number(amount) : amount };
}

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
  return String(params['id']);
}

/** Carries a form out by the API; the next page shows the API's answer. */
function formRoute(
  parts: SandboxParts,
  notices: Map<string, Notice>,
  address: string,
  form: Form,
): RequestHandler {
  const section = sections.find((one) => address.startsWith(one)) ?? 'transactions';
  return async (request, response) => {
    const merchant = admit(parts, request, response);
    if (merchant === null) return;
    const id = encodeURIComponent(idOf(request));
    const leave = (notice: Notice) => {
      notices.set(merchant.token, notice);
      const own = section === 'transactions' ? `/${id}` : '';
      leaveFor(response, sectionAddress(section, languageOf(request), own));
    };
    const [method = '', path = ''] = form.call.replace(':id', id).split(' ');
    const whole = path.startsWith('/') ? path : `${account}/${path}`;
    const call = { method, path: whole, body: form.body?.(request) };
    const answer = await callAs(parts, merchant, call);
    if (answer.status >= 300) leave({ kind: 'refused', complaint: complaintOf(answer) });
    else leave({ kind: 'done', what: form.done, secret: textOf(answer.body, form.secret ?? '') });
  };
}
