import express from 'express';
import type { Request, RequestHandler, Response, Router } from 'express';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { isFields } from '../../domain/requests.ts';
import type { Environment } from '../../domain/transaction.ts';
import { cookieOf } from '../../http/messages.ts';
import { basePaths } from '../../tenants.ts';
import { html } from '../html.ts';
import * as ui from '../html.ts';
import { formField, formFields, leaveFor, readForm, sendPage, type Page } from '../page.ts';
import * as pages from './sections.ts';
import type { ApiAnswer, Merchant, Notice, View } from './sections.ts';
import { dashboardTexts, sections, type DoneKind } from './texts.ts';

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
      const language = ui.languageOf(request);
      const view = { parts, merchant, language, texts: dashboardTexts[language], notice };
      sendPage(response, await render(view, request));
    });
  show('transactions', (view, request) => pages.transactionsPage(view, pages.readFilter(request)));
  show('transactions/:id', showTransaction);
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
    leaveFor(response, pages.sectionAddress('transactions', ui.languageOf(request)));
  });
  router.get('/dashboard/sign-in', (request, response) => {
    const language = ui.languageOf(request);
    const complaint = request.query['ended'] === '1' ? dashboardTexts[language].signedOut : null;
    sendPage(response, signInPage(language, complaint, ''));
  });
  router.post('/dashboard/sign-in', readForm, async (request, response) => {
    const language = ui.languageOf(request);
    const isProduction = formField(request, 'environment') === 'production';
    const environment = isProduction ? 'production' : 'staging';
    const username = formField(request, 'username');
    const password = formField(request, 'password');
    const login = { call: 'POST /auth/login', body: { username, password } };
    const answer = await callApi(parts, environment, login);
    const token = pages.textOf(answer.body, 'accessToken');
    if (answer.status !== 200 || token === '') {
      sendPage(response, signInPage(language, complaintOf(answer), username));
      return;
    }
    keepToken(parts, response, token);
    leaveFor(response, pages.sectionAddress('transactions', language));
  });
  router.post('/dashboard/sign-out', readForm, (request, response) => {
    keepToken(parts, response, '');
    leaveFor(response, signInAddress(ui.languageOf(request)));
  });
}

function signInAddress(language: ui.Language): string {
  return `/dashboard/sign-in?lang=${language}`;
}

/** The merchant who asks. Anyone else, and a merchant whose token has ended, has to sign in first. */
function admit(parts: SandboxParts, request: Request, response: Response): Merchant | null {
  const { machine, tenants } = parts;
  const token = cookieOf(request, cookieName(parts)) ?? '';
  const found = tenants.findPortalToken(token);
  if (found !== null) {
    const { tenant } = found;
    const { environment, expiresAt } = found.token;
    const isGood = machine.now(tenant) < expiresAt && machine.tenant(tenant).account.isFound;
    if (isGood) return { tenant, environment, token };
  }
  const address = signInAddress(ui.languageOf(request));
  if (token !== '') keepToken(parts, response, '');
  leaveFor(response, token === '' ? address : `${address}&ended=1`);
  return null;
}

async function showList(
  view: View,
  list: string,
  render: (view: View, answer: ApiAnswer) => Page,
): Promise<Page> {
  const answer = await callAs(view.parts, view.merchant, { call: `GET ${list}` });
  if (answer.status === 200) return render(view, answer);
  return render({ ...view, notice: { kind: 'refused', complaint: complaintOf(answer) } }, answer);
}

async function showTransaction(view: View, request: Request): Promise<Page> {
  const { parts, merchant } = view;
  const { transactions } = parts.machine.tenant(merchant.tenant);
  const transaction = transactions.get(String(request.params['id']));
  if (transaction === undefined) return pages.transactionsPage(view, pages.readFilter(request));
  const call = `GET /payment/checkout/status?id=${transaction.id}`;
  const answer = await callAs(parts, merchant, { call });
  return pages.transactionPage(view, transaction, answer);
}

/** A form of the dashboard, as the API call that carries it out. */
interface Form {
  /** As an `ApiCall` has it, with the form's own `:id`. */
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
      leaveFor(response, pages.sectionAddress(section, ui.languageOf(request), own));
    };
    const call = form.call.replace(':id', id);
    const answer = await callAs(parts, merchant, { call, body: form.body?.(request) });
    const secret = pages.textOf(answer.body, form.secret ?? '');
    if (answer.status >= 300) leave({ kind: 'refused', complaint: complaintOf(answer) });
    else leave({ kind: 'done', what: form.done, secret });
  };
}

/** Cookies ignore ports, so the name separates two sandboxes on one machine. */
function cookieName({ ownUrl }: SandboxParts): string {
  return `sandbox_portal_${new URL(ownUrl()).port}`;
}

/** Puts the token into the browser's cookie; an empty one takes it out. */
function keepToken(parts: SandboxParts, response: Response, token: string): void {
  const end = token === '' ? '; Max-Age=0' : '';
  const cookie = `${cookieName(parts)}=${token}; Path=/dashboard; HttpOnly; SameSite=Lax${end}`;
  response.append('set-cookie', cookie);
}

interface ApiCall {
  /** The method and the path; without a slash before it, the path is one of the account. */
  readonly call: string;
  readonly body?: object | undefined;
}

/** Calls the sandbox as any merchant's program would: over HTTP. */
async function callApi(
  { ownUrl }: SandboxParts,
  environment: Environment,
  { call, body }: ApiCall,
  headers: Readonly<Record<string, string>> = {},
): Promise<ApiAnswer> {
  const [method = '', path = ''] = call.split(' ');
  const address = path.startsWith('/') ? path : `/merchant/account/${path}`;
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(ownUrl() + basePaths[environment] + address, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...json },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json().catch(() => null);
  return { status: response.status, body: isFields(answer) ? answer : {} };
}

/** A call of a merchant: a payment call takes the newest API key, any other the portal's token (§5). */
async function callAs(
  parts: SandboxParts,
  { tenant, environment, token }: Merchant,
  call: ApiCall,
): Promise<ApiAnswer> {
  if (!call.call.includes(' /payment/')) {
    return callApi(parts, environment, call, { authorization: `Bearer ${token}` });
  }
  const key = parts.machine
    .tenant(tenant)
    .account.apiKeys.findLast((one) => one.environment === environment && one.status === 'ACTIVE');
  if (key === undefined) return { status: 409, body: { message: noKey } };
  const apiKey = parts.tenants.secrets(tenant).apiKey(environment, key.id);
  return callApi(parts, environment, call, { 'x-api-key': apiKey });
}

/** In English, as the API's own messages are. */
const noKey = 'Every API key of this environment is revoked. Make a new one under API credentials.';

/** The answer's complaint in one line, from any of the envelopes. */
function complaintOf({ status, body: { message } }: ApiAnswer): string {
  const text = Array.isArray(message) ? message.map(String).join('; ') : message;
  return `HTTP ${status}${typeof text === 'string' && text !== '' ? `: ${text}` : ''}`;
}

/** The portal's login as a page. `complaint` is the API's answer to the last attempt. */
function signInPage(language: ui.Language, complaint: string | null, username: string): Page {
  const texts = dashboardTexts[language];
  const main = html`<main class="stack sign-in">
    <h1>${texts.signIn}</h1>
    ${complaint !== null && ui.alertBox('refused', complaint)}
    <form method="post" action="/dashboard/sign-in?lang=${language}" class="panel stack">
      ${ui.field({
        id: 'username',
        label: texts.username,
        input: html`name="username" dir="ltr" required autocomplete="username" value="${username}"
        data-test="username"`,
      })}
      ${ui.field({
        id: 'password',
        label: texts.password,
        input: html`name="password" type="password" dir="ltr" required
        autocomplete="current-password" data-test="password"`,
      })}
      ${ui.selectField({
        id: 'environment',
        name: 'environment',
        label: texts.environment,
        options: Object.entries(texts.environments),
      })}
      ${ui.mainButton('sign-in', texts.signInButton)}
    </form>
    <p class="soft">${texts.signInHint} <a href="/_sandbox?lang=${language}">/_sandbox</a></p>
  </main>`;
  return { title: texts.signIn, main, isTool: true };
}
