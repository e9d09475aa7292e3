import { createHmac, randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { isFields } from '../../domain/requests.ts';
import type { Environment } from '../../domain/transaction.ts';
import { basePaths } from '../../sandbox-parts.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { isSameSecret } from '../../tenants.ts';
import { alertBox, badge, field, selectField } from '../furniture.ts';
import { html } from '../html.ts';
import type { Html, Language } from '../html.ts';
import type { Page } from '../page.ts';
import { dashboardTexts, sections } from './texts.ts';
import type { DoneKind, Section } from './texts.ts';

/** A sign-in to the dashboard: the portal's own token, of one environment (§5). */
export interface SignIn {
  readonly environment: Environment;
  readonly token: string;
}

export interface Merchant extends SignIn {
  readonly tenant: string;
}

/** Cookies ignore ports, so the name separates two sandboxes on one machine. */
function cookieName({ ownUrl }: SandboxParts): string {
  return `sandbox_portal_${new URL(ownUrl()).port}`;
}

/** The sign-in in the browser's cookie, be it good or not. */
export function signInOf(parts: SandboxParts, request: Request): SignIn | null {
  const name = cookieName(parts);
  const value = (request.headers.cookie ?? '')
    .split(/;\s*/)
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);
  const [, environment, token] = /^(staging|production)\.([\w.~-]{1,512})$/.exec(value ?? '') ?? [];
  if (token === undefined) return null;
  return { environment: environment === 'production' ? 'production' : 'staging', token };
}

/** Puts the sign-in into the browser's cookie; null takes it out. */
export function keepSignIn(parts: SandboxParts, response: Response, signIn: SignIn | null): void {
  const value = signIn === null ? '' : `${signIn.environment}.${signIn.token}`;
  const end = signIn === null ? '; Max-Age=0' : '';
  const cookie = `${cookieName(parts)}=${value}; Path=/dashboard; HttpOnly; SameSite=Lax${end}`;
  response.append('set-cookie', cookie);
}

/** The merchant of a sign-in; null once the portal's token is no longer good (§5.4). */
export function merchantOf({ machine, tenants }: SandboxParts, signIn: SignIn): Merchant | null {
  const found = tenants.findPortalToken(signIn.token);
  if (found === null || found.token.environment !== signIn.environment) return null;
  const isExpired = machine.now(found.tenant) >= found.token.expiresAt;
  const { isFound } = machine.tenant(found.tenant).account;
  return isExpired || !isFound ? null : { ...signIn, tenant: found.tenant };
}

/** Forms that were rendered before a restart are refused, as a signed-out session's are. */
const formSecret = randomBytes(32);

/** The secret of this sign-in's forms, which a form of another site does not have. */
function formToken({ token }: SignIn): string {
  return createHmac('sha256', formSecret).update(token).digest('base64url');
}

export function isOwnForm(signIn: SignIn, presented: string): boolean {
  return isSameSecret(formToken(signIn), presented);
}

export type ApiRecord = Readonly<Record<string, unknown>>;

/** An answer of the gateway's API, which the dashboard shows as it is. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: ApiRecord;
}

export interface ApiCall {
  readonly method: string;
  /** Relative to the environment's base address. */
  readonly path: string;
  readonly body?: object | undefined;
}

/** Calls the sandbox as any merchant's program would: over HTTP. */
export async function callApi(
  { ownUrl }: SandboxParts,
  environment: Environment,
  { method, path, body }: ApiCall,
  headers: Readonly<Record<string, string>> = {},
): Promise<ApiAnswer> {
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(ownUrl() + basePaths[environment] + path, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...json },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: readObject(await response.text()) };
}

/** A call of a merchant: a payment call takes the newest API key, any other the portal's token (§5). */
export async function callAs(
  parts: SandboxParts,
  { tenant, environment, token }: Merchant,
  call: ApiCall,
): Promise<ApiAnswer> {
  if (!call.path.startsWith('/payment/')) {
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
export function complaintOf({ status, body: { message } }: ApiAnswer): string {
  const text = Array.isArray(message) ? message.map(String).join('; ') : message;
  return `HTTP ${status}${typeof text === 'string' && text !== '' ? `: ${text}` : ''}`;
}

export function recordsOf({ body }: ApiAnswer, name: string): readonly ApiRecord[] {
  const list = body[name];
  return Array.isArray(list) ? list.filter(isFields) : [];
}

/** A field as text; a value of another type counts as empty. */
export function textOf(record: ApiRecord, name: string): string {
  const value = record[name];
  return typeof value === 'string' ? value : '';
}

function readObject(text: string): ApiRecord {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}

/** The result of a form, shown once on the next page. */
export type Notice =
  | { readonly kind: 'done'; readonly what: DoneKind; readonly secret: string }
  | { readonly kind: 'refused'; readonly complaint: string }
  | { readonly kind: 'foreign-form' };

export interface View {
  readonly parts: SandboxParts;
  readonly merchant: Merchant;
  readonly language: Language;
  readonly notice: Notice | null;
}

export function sectionAddress(section: Section, language: Language, more = ''): string {
  return `/dashboard/${section}${more}?lang=${language}`;
}

/** One section's page: navigation, the last form's result, and the section itself. */
export function dashboardPage(view: View, section: Section, heading: string, body: Html): Page {
  const { language, merchant } = view;
  const texts = dashboardTexts[language];
  const link = (to: Section) =>
    html`<li>
      <a href="${sectionAddress(to, language)}" ${to === section && html` aria-current="page"`}
        >${texts.sections[to]}</a
      >
    </li>`;
  const main = html`<div class="wide dashboard">
    <nav class="dashboard-nav row between" aria-label="${texts.navigation}">
      <p class="row">
        <b>${texts.title}</b>
        ${badge(merchant.environment, texts.environments[merchant.environment])}
      </p>
      <ul class="row">
        ${sections.map(link)}
      </ul>
      ${apiForm(view, 'sign-out', html`<button class="button" data-test="sign-out">${texts.signOut}</button>`)}
    </nav>
    <main class="stack">
      <h1 id="section"><bdi>${heading}</bdi></h1>
      ${noticeBox(view)} ${body}
    </main>
  </div>`;
  const title = `${heading} · ${texts.title}`;
  return { language, title, main, path: `/dashboard/${section}`, isTool: true };
}

function noticeBox({ notice, language }: View): Html | null {
  const texts = dashboardTexts[language];
  if (notice === null) return null;
  if (notice.kind === 'foreign-form') return alertBox('refused', texts.foreignForm);
  if (notice.kind === 'refused') return alertBox('refused', texts.refusedTitle, notice.complaint);
  return html`<div class="note" role="status" data-test="done">
    <p>${texts.done[notice.what]}</p>
    ${
      notice.secret !== '' &&
      html`<p><code dir="ltr" class="secret" data-test="secret">${notice.secret}</code></p>
        <p class="soft">${texts.shownOnce}</p>`
    }
  </div>`;
}

/** A form below `/dashboard`, with a token that proves that one of this sign-in's pages made it. */
export function apiForm(
  { merchant, language }: View,
  path: string,
  body: Html,
  style: 'stack wide-form' | 'row amount-form' | null = null,
): Html {
  return html`<form method="post" action="/dashboard/${path}?lang=${language}" class="${style}">
    <input type="hidden" name="formToken" value="${formToken(merchant)}" />
    ${body}
  </form>`;
}

/** A step that cannot be taken back: its button is hidden behind another one. */
export function guardedForm(
  view: View,
  path: string,
  { test, open, confirm }: Readonly<Record<'test' | 'open' | 'confirm', string>>,
): Html {
  const button = html`<button class="button button-danger" data-test="confirm-${test}">
    ${confirm}
  </button>`;
  return html`<details class="guarded">
    <summary class="button button-danger" data-test="${test}">${open}</summary>
    ${apiForm(view, path, button)}
  </details>`;
}

export function mainButton(test: string, text: string): Html {
  return html`<button class="button button-main" data-test="${test}">${text}</button>`;
}

/** An instant of the API's answer, to the minute. */
export function instantText(text: string, language: Language): Html {
  if (text === '') return html`<span class="soft">${dashboardTexts[language].never}</span>`;
  return html`<time datetime="${text}" dir="ltr">${text.slice(0, 16).replace('T', ' ')}</time>`;
}

/** A status of the API's answer in the page's language. */
export function statusBadge(status: string, language: Language): Html {
  return badge(status, dashboardTexts[language].statuses[status] ?? status);
}

/** The portal's login as a page. `complaint` is the API's answer to the last attempt. */
export function signInPage(language: Language, complaint: string | null, username: string): Page {
  const texts = dashboardTexts[language];
  const main = html`<main class="stack sign-in">
    <h1>${texts.signIn}</h1>
    ${complaint !== null && alertBox('refused', complaint)}
    <form method="post" action="/dashboard/sign-in?lang=${language}" class="panel stack">
      ${field({
        id: 'username',
        label: texts.username,
        input: html`name="username" dir="ltr" required autocomplete="username" value="${username}"
        data-test="username"`,
      })}
      ${field({
        id: 'password',
        label: texts.password,
        input: html`name="password" type="password" dir="ltr" required
        autocomplete="current-password" data-test="password"`,
      })}
      ${selectField({
        id: 'environment',
        name: 'environment',
        label: texts.environment,
        options: Object.entries(texts.environments),
      })}
      ${mainButton('sign-in', texts.signInButton)}
    </form>
    <p class="soft">${texts.signInHint} <a href="/_sandbox?lang=${language}">/_sandbox</a></p>
  </main>`;
  return { language, title: texts.signIn, main, path: '/dashboard', isTool: true };
}
