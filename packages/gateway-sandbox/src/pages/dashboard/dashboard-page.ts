import type { Request, Response } from 'express';
import { isFields } from '../../domain/requests.ts';
import { cookieOf } from '../../http/messages.ts';
import type { Environment } from '../../domain/transaction.ts';
import { alertBox, badge, button, field, instant, mainButton, selectField } from '../html.ts';
import { html, byLanguage, type Html, type Language, type Pair } from '../html.ts';
import type { Page } from '../page.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { basePaths } from '../../tenants.ts';

/** The merchant who is signed in, by the portal's own token (§5.4). */
export interface Merchant {
  readonly tenant: string;
  readonly environment: Environment;
  readonly token: string;
}

/** Cookies ignore ports, so the name separates two sandboxes on one machine. */
function cookieName({ ownUrl }: SandboxParts): string {
  return `sandbox_portal_${new URL(ownUrl()).port}`;
}

/** The token in the browser's cookie, be it good or not; empty where there is none. */
export function tokenIn(parts: SandboxParts, request: Request): string {
  return cookieOf(request, cookieName(parts)) ?? '';
}

/** Puts the token into the browser's cookie; an empty one takes it out. */
export function keepToken(parts: SandboxParts, response: Response, token: string): void {
  const end = token === '' ? '; Max-Age=0' : '';
  const cookie = `${cookieName(parts)}=${token}; Path=/dashboard; HttpOnly; SameSite=Lax${end}`;
  response.append('set-cookie', cookie);
}

/** The merchant of a token; null where it is not, or no longer, good. */
export function merchantOf({ machine, tenants }: SandboxParts, token: string): Merchant | null {
  const found = tenants.findPortalToken(token);
  if (found === null) return null;
  const { tenant } = found;
  const { environment, expiresAt } = found.token;
  const isGood = machine.now(tenant) < expiresAt && machine.tenant(tenant).account.isFound;
  return isGood ? { tenant, environment, token } : null;
}

export type ApiRecord = Readonly<Record<string, unknown>>;

/** An answer of the gateway's API, which the dashboard shows as it is. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: ApiRecord;
}

interface ApiCall {
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
  | { readonly kind: 'refused'; readonly complaint: string };

export interface View {
  readonly parts: SandboxParts;
  readonly merchant: Merchant;
  readonly language: Language;
  readonly texts: (typeof dashboardTexts)[Language];
  readonly notice: Notice | null;
}

export function sectionAddress(section: Section, language: Language, more = ''): string {
  return `/dashboard/${section}${more}?lang=${language}`;
}

/** One section's page: navigation, the last form's result, and the section itself. */
export function dashboardPage(view: View, section: Section, heading: string, body: Html): Page {
  const { language, texts, merchant } = view;
  const link = (to: Section) =>
    html`<li>
      <a href="${sectionAddress(to, language)}" ${to === section && html` aria-current="page"`}
        >${texts.sections[to]}</a
      >
    </li>`;
  const main = html`<div class="stack wide dashboard">
    <nav class="dashboard-nav row between" aria-label="${texts.navigation}">
      <p class="row">
        <b>${texts.title}</b>
        ${badge(merchant.environment, texts.environments[merchant.environment])}
      </p>
      <ul class="row">
        ${sections.map(link)}
      </ul>
      ${apiForm(view, 'sign-out', button('sign-out', texts.signOut))}
    </nav>
    <main class="stack">
      <h1 id="section"><bdi>${heading}</bdi></h1>
      ${noticeBox(view)} ${body}
    </main>
  </div>`;
  return { title: `${heading} · ${texts.title}`, main, isTool: true };
}

function noticeBox({ notice, texts }: View): Html | null {
  if (notice === null) return null;
  if (notice.kind === 'refused') return alertBox('refused', texts.refusedTitle, notice.complaint);
  return html`<div class="note tone-good" role="status" data-test="done">
    <p>${texts.done[notice.what]}</p>
    ${
      notice.secret !== '' &&
      html`<p><code dir="ltr" class="pill secret" data-test="secret">${notice.secret}</code></p>
        <p class="soft">${texts.shownOnce}</p>`
    }
  </div>`;
}

/** A form below `/dashboard`; the guard turns forms of other sites away. */
export function apiForm(
  { language }: View,
  path: string,
  body: Html,
  style: 'stack wide-form' | 'row amount-form' | null = null,
): Html {
  return html`<form method="post" action="/dashboard/${path}?lang=${language}" class="${style}">
    ${body}
  </form>`;
}

/** A step that cannot be taken back: its button is hidden behind another one. */
export function guardedForm(
  view: View,
  path: string,
  [test, open, confirm]: readonly [test: string, open: string, confirm: string],
): Html {
  return html`<details class="guarded">
    <summary class="button button-danger" data-test="${test}">${open}</summary>
    ${apiForm(view, path, button(`confirm-${test}`, confirm, 'button button-danger'))}
  </details>`;
}

/** An instant of the API's answer, to the minute. */
export function instantText(text: string, { texts }: View): Html {
  if (text === '') return html`<span class="soft">${texts.never}</span>`;
  return instant(text, 0, 16);
}

export function statusBadge(status: string, { texts }: View): Html {
  return badge(status, texts.statuses[status] ?? status);
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
  return { title: texts.signIn, main, isTool: true };
}

/** The dashboard's sections, in the order of its navigation. */
export const sections = ['transactions', 'credentials', 'webhooks', 'sdk-tokens'] as const;
type Section = (typeof sections)[number];

/** The API's words, by their spelling on the wire. */
const statuses: Readonly<Record<string, Pair>> = {
  ACTIVE: ['Active', 'نشط'],
  REVOKED: ['Revoked', 'ملغى'],
  DISABLED: ['Disabled', 'معطّل'],
};

export const dashboardTexts = byLanguage({
  title: ['Merchant dashboard', 'لوحة التاجر'],
  signIn: ['Sign in to the merchant dashboard', 'تسجيل الدخول إلى لوحة التاجر'],
  signInHint: `The inspector shows the login, and the sandbox prints it at its start.
    تجد بيانات الدخول في لوحة المراقبة وفيما تطبعه البيئة التجريبية عند تشغيلها.`,
  signInButton: ['Sign in', 'تسجيل الدخول'],
  signOut: ['Sign out', 'تسجيل الخروج'],
  signedOut: ['You are signed out. Sign in again.', 'انتهت جلستك. سجّل الدخول مرة أخرى.'],
  username: ['Login name', 'اسم الدخول'],
  password: ['Password', 'كلمة المرور'],
  environment: ['Environment', 'البيئة'],
  environments: {
    staging: ['Staging', 'الاختبار (staging)'],
    production: ['Production', 'الإنتاج (production)'],
  },
  navigation: ['Dashboard', 'أقسام اللوحة'],
  sections: {
    transactions: ['Transactions', 'العمليات'],
    credentials: ['API credentials', 'مفاتيح API'],
    webhooks: ['Webhooks', 'الإشعارات (webhooks)'],
    'sdk-tokens': ['SDK tokens', 'رموز SDK'],
  },
  done: {
    rotated: `A new API key was made. The old ones still work until you revoke them.
      أُنشئ مفتاح جديد. تبقى المفاتيح السابقة صالحة حتى تلغيها.`,
    revoked: ['The API key was revoked.', 'أُلغي مفتاح API.'],
    'webhook-created': `The webhook was created. This is its signing secret.
      أُنشئ عنوان الإشعارات. هذا هو مفتاح التوقيع.`,
    'webhook-changed': ['The webhook was changed.', 'حُفظت التغييرات.'],
    'webhook-deleted': ['The webhook was deleted.', 'حُذف عنوان الإشعارات.'],
    'token-created': ['The SDK token was created.', 'أُنشئ رمز SDK.'],
    'token-changed': ['The SDK token was changed.', 'حُفظت التغييرات.'],
    refunded: `The refund was accepted. It settles in a moment.
      قُبل طلب الاسترداد، وسيكتمل بعد لحظات.`,
    captured: ['The amount was captured.', 'تم تحصيل المبلغ.'],
    voided: ['The authorization was voided.', 'فُك حجز المبلغ.'],
  },
  shownOnce: ['Copy it now: it is shown only once.', 'انسخه الآن، فلن يظهر مرة أخرى.'],
  refusedTitle: ['The gateway refused', 'رفضت البوابة الطلب'],
  statuses,
  status: ['Status', 'الحالة'],
  created: ['Created (UTC)', 'تاريخ الإنشاء (UTC)'],
  expires: ['Expires (UTC)', 'تاريخ الانتهاء (UTC)'],
  never: ['never', 'لا تنتهي صلاحيته'],
  actions: ['Actions', 'الإجراءات'],
  none: ['Nothing here yet.', 'لا يوجد شيء هنا بعد.'],
  rotate: ['Make a new key', 'إنشاء مفتاح جديد'],
  rotateHint: `Make the new key, put it on your servers, see that it works, then revoke the old one. No call fails in between.
    أنشئ المفتاح الجديد وضعه على خوادمك وتأكد من عمله، ثم ألغِ المفتاح القديم. لن يتعطل أي طلب خلال ذلك.`,
  apiKey: ['API key', 'مفتاح API'],
  revoke: ['Revoke', 'إلغاء'],
  revokeConfirm: `Revoke: calls with it get 401 at once
    إلغاء هذا المفتاح: تُرفض طلباته فورًا بالرمز 401`,
  url: ['Address', 'العنوان'],
  events: ['Events', 'الأحداث'],
  eventsHint: ['None chosen: all of them.', 'دون اختيار: جميع الأحداث.'],
  active: ['Active', 'نشط'],
  newWebhook: ['New webhook', 'عنوان إشعارات جديد'],
  createWebhook: ['Create webhook', 'إنشاء عنوان الإشعارات'],
  save: ['Save', 'حفظ'],
  edit: ['Edit', 'تعديل'],
  remove: ['Delete', 'حذف'],
  removeConfirm: ['Delete this webhook', 'حذف عنوان الإشعارات هذا'],
  name: ['Name', 'الاسم'],
  product: ['Product', 'المنتج'],
  terminal: ['Terminal id', 'رقم الجهاز'],
  optional: ['optional', 'اختياري'],
  newToken: ['New SDK token', 'رمز SDK جديد'],
  createToken: ['Create SDK token', 'إنشاء رمز SDK'],
  enable: ['Enable', 'تفعيل'],
  disable: ['Disable', 'تعطيل'],
  order: ['Order', 'الطلب'],
  amount: ['Amount', 'المبلغ'],
  refunded: ['Refunded', 'المسترد'],
  card: ['Card', 'البطاقة'],
  filter: ['Search the transactions', 'البحث في العمليات'],
  search: ['Order, transaction, card or amount', 'الطلب أو العملية أو البطاقة أو المبلغ'],
  anyState: ['Any status', 'كل الحالات'],
  from: ['From', 'من تاريخ'],
  to: ['To', 'إلى تاريخ'],
  show: ['Show', 'عرض'],
  clear: ['Clear', 'مسح'],
  noneFound: ['No transaction matches.', 'لا توجد عملية مطابقة.'],
  newestShown: (shown: number, all: number) => [
    `The newest ${shown} of ${all} are shown. The totals are of all of them.`,
    `تظهر أحدث ${shown} من أصل ${all}، والإجماليات لها جميعًا.`,
  ],
  totals: {
    count: ['Transactions', 'عدد العمليات'],
    captured: ['Captured', 'المحصّل'],
    refunded: ['Refunded', 'المسترد'],
    net: ['Net', 'الصافي'],
    held: ['On hold', 'المحجوز'],
  },
  noTransactions: ['There are no transactions yet.', 'لا توجد عمليات دفع بعد.'],
  statusAnswer: ['Answer of the status endpoint', 'رد واجهة الاستعلام عن الحالة'],
  moneyActions: ['Refund, capture or void', 'الاسترداد والتحصيل وفك الحجز'],
  noMoneyActions: `There is nothing to refund, capture or void.
    لا يوجد مبلغ يمكن استرداده أو تحصيله أو فك حجزه.`,
  amounts: {
    refund: ['Amount to refund', 'مبلغ الاسترداد'],
    capture: ['Amount to capture', 'مبلغ التحصيل'],
  },
  refund: ['Refund', 'استرداد'],
  capture: ['Capture', 'تحصيل'],
  void: ['Void', 'فك الحجز'],
  voidConfirm: ['Void this authorization', 'تأكيد فك حجز المبلغ'],
});

export type DoneKind = keyof (typeof dashboardTexts)['en']['done'];
