import { GatewayError } from '../index.ts';
import { type Answer, MAX_COUNTED, openProposals } from '../parts.ts';
import { PaymentsError, type PaymentsErrorCode } from '../errors.ts';
import { assets } from './assets.ts';
import { byLanguage, html, type Html, nothing } from './html.ts';
import { linkTo, type Office, type Visit } from './visit.ts';

/** The parts of the back office that the navigation leads to. */
export type Section = keyof (typeof frameTexts)['en']['sections'];

/** What one page adds to the layout. */
interface Page {
  /** @defaultValue 200 */
  readonly status?: number;
  readonly title: string;
  /** The part that the page belongs to; absent for none. */
  readonly section?: Section;
  /** Everything below the navigation, its `<h1>` included. */
  readonly main: Html;
  readonly headers?: Answer['headers'];
}

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  vary: 'Accept-Language, Cookie',
} as const;

const ICON =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 32 32%22%3E%3Crect y=%227%22 width=%2232%22 height=%2218%22 rx=%227%22 fill=%22%2312804f%22/%3E%3Cpath d=%22m10 16 4 4 8-8%22 fill=%22none%22 stroke=%22%23fff%22 stroke-width=%223%22/%3E%3C/svg%3E';

/** Answers with a whole page. */
export async function pageAnswer(visit: Visit, page: Page): Promise<Answer> {
  const { status = 200, headers } = page;
  const waiting = await waitingReviews(visit);
  const text = layout(visit, page, waiting).toString();
  return { status, headers: { ...pageHeaders, ...headers }, html: `<!doctype html>\n${text}` };
}

/** How many matters wait for a person, as a text; a store that does not answer leaves it empty. */
async function waitingReviews({ office }: Visit): Promise<string> {
  try {
    const [{ openReviews, deadLetters }, proposals] = await backlogIn(office);
    const count = openReviews + deadLetters + proposals.length;
    return count === 0 ? '' : counted(count);
  } catch {
    return '';
  }
}

function layout(visit: Visit, page: Page, waiting: string): Html {
  const { language, office } = visit;
  const texts = frameTexts[language];
  const isMistake = (page.status ?? 200) >= 400;
  return html`<html
    lang="${language}"
    dir="${language === 'ar' ? 'rtl' : 'ltr'}"
    data-copy-label="${texts.copy}"
    data-copied-label="${texts.copied}"
  >
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex" />
      <title>${isMistake && `${texts.error}: `}${page.title} · ${texts.product}</title>
      <link rel="icon" href="${ICON}" />
      <link rel="stylesheet" href="${linkTo(visit, assets.style.address)}" />
      <script src="${linkTo(visit, assets.script.address)}" defer></script>
    </head>
    <body>
      <a class="skip" href="#main">${texts.skip}</a>
      ${header(visit, page, waiting)}
      <main id="main" tabindex="-1">${notice(visit)}${page.main}</main>
      <footer>
        <p>${texts.times} <bdi data-zone>${office.settings.timeZone}</bdi></p>
        <p role="status" class="spoken" data-spoken></p>
      </footer>
    </body>
  </html>`;
}

function header(visit: Visit, { section }: Page, waiting: string): Html {
  const { language, actor, office } = visit;
  const texts = frameTexts[language];
  const links = Object.entries(texts.sections).map(([name, label]) => {
    const count = html` <span class="count" aria-hidden="true">${waiting}</span>
      <span class="spoken">${texts.waiting({ count: waiting })}</span>`;
    const address = linkTo(visit, name === 'overview' ? '' : name);
    return html`<li>
      <a href="${address}" ${name === section && html`aria-current="page"`}
        >${label}${name === 'review' && waiting !== '' && count}</a
      >
    </li>`;
  });
  const { environment } = office.parts.gateway;
  return html`<header>
    <nav aria-label="${texts.navigation}">
      <ul>
        ${links}
      </ul>
    </nav>
    <p class="who">
      <span class="environment" data-environment="${environment}"
        >${texts.environments[environment]}</span
      >
      <span><span class="spoken">${texts.signedInAs}</span> <bdi>${actor}</bdi></span>
      ${languageLink(visit)}
      ${office.settings.links.map(({ text, url }) => html`<a href="${url}">${text[language]}</a>`)}
    </p>
  </header>`;
}

/** The switch, which leads back to this page. */
function languageLink({ language, address, query, base }: Visit): Html {
  const other = language === 'ar' ? 'en' : 'ar';
  const { lang: _lang, notice: _notice, ...rest } = query;
  const search = new URLSearchParams(rest).toString();
  const to = `${address}${search === '' ? '' : `?${search}`}`;
  const link = `${base}language?${new URLSearchParams({ lang: other, to }).toString()}`;
  return html`<a lang="${other}" hreflang="${other}" href="${link}" data-test="lang-${other}"
    >${frameTexts[language].otherLanguage}</a
  >`;
}

const isNotice = (name: string): name is NoticeName => Object.hasOwn(noticeTexts.en, name);

/** What the action before this page did. */
function notice({ language, query }: Visit): Html {
  const name = query['notice'] ?? '';
  if (!isNotice(name)) return nothing;
  return html`<p class="notice" role="status" data-test="notice" data-notice="${name}">
    ${noticeTexts[language][name]}
  </p>`;
}

/** What the store has that waits. */
export const backlogIn = ({ parts }: Pick<Office, 'parts'>) =>
  Promise.all([parts.backlog(), parts.run((context) => openProposals(context))]);

/** The store counts no further. */
export const counted = (count: number): string =>
  count >= MAX_COUNTED ? `${MAX_COUNTED}+` : String(count);

/** The status of a page with a problem. */
export const statuses: Readonly<Record<ProblemName, number>> = {
  unauthorized: 401,
  forbidden: 403,
  foreign_form: 403,
  stale_form: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_possible: 409,
  refused: 409,
  gateway_failed: 502,
  outcome_unknown: 502,
  bad_form: 400,
  bad_query: 400,
  failed: 500,
  store_unavailable: 503,
};

interface ProblemDetails {
  /** Where the way back leads, below the mount. */
  readonly back?: string;
  /** An error's own words. */
  readonly detail?: string;
  readonly headers?: Answer['headers'];
}

/** A page that says why something is not shown or was not done. */
export function problemAnswer(
  visit: Visit,
  name: ProblemName,
  { back = '', detail = '', headers = {} }: ProblemDetails = {},
): Promise<Answer> {
  const { language } = visit;
  const texts = problemTexts[language];
  const { title, text } = texts[name];
  return pageAnswer(visit, {
    status: statuses[name],
    title,
    headers,
    main: html`<section class="message" data-test="problem" data-problem="${name}">
      <h1>${title}</h1>
      <p>${text}</p>
      ${detail !== '' && html`<p class="muted" dir="auto">${detail}</p>`}
      <p><a class="button quiet" href="${linkTo(visit, back)}">${texts.back}</a></p>
    </section>`,
  });
}

/** What an error of a payments call means for a person; `null` for an error that is no such one. */
export function problemOf(error: unknown): ProblemName | null {
  if (error instanceof GatewayError) {
    return error.outcome === 'unknown' ? 'outcome_unknown' : 'gateway_failed';
  }
  return error instanceof PaymentsError ? (ofPayments[error.code] ?? 'refused') : null;
}

const ofPayments: Readonly<Partial<Record<PaymentsErrorCode, ProblemName>>> = {
  invalid_order: 'not_found',
  invalid_query: 'bad_query',
  outcome_not_recorded: 'outcome_unknown',
  store_unavailable: 'store_unavailable',
};

export const frameTexts = byLanguage({
  product: ['Payments', 'المدفوعات'],
  skip: ['Skip to content', 'انتقل إلى المحتوى'],
  navigation: ['Payments', 'المدفوعات'],
  sections: {
    overview: ['Overview', 'نظرة عامة'],
    orders: ['Orders', 'الطلبات'],
    review: ['Review', 'المراجعة'],
    gateway: ['Gateway', 'بوابة الدفع'],
  },
  waiting: ['{count} waiting', '{count} بانتظار المراجعة'],
  signedInAs: ['Signed in as', 'المستخدم'],
  otherLanguage: ['العربية', 'English'],
  times: ['Times in', 'الأوقات بتوقيت'],
  environments: {
    staging: ['Test environment', 'بيئة تجريبية'],
    production: ['Live', 'بيئة فعلية'],
  },
  error: ['Error', 'خطأ'],
  copy: ['Copy', 'نسخ'],
  copied: ['Copied', 'نُسخ'],
});

/** What the page after an action says. The names stand in addresses. */
const noticeTexts = byLanguage({
  confirmed_changed: `The gateway was asked, and the payment has changed.
    تم التحقق من البوابة، وتغيّرت حالة الدفعة.`,
  confirmed_unchanged: `The gateway was asked. It says nothing new.
    تم التحقق من البوابة، ولا جديد لديها.`,
  operation_proposed: `Nothing was sent yet: another person must approve it in the review list.
    لم يُرسل شيء بعد: لا بد من موافقة شخص آخر في قائمة المراجعة.`,
  operation_sending: `It is being sent right now. Open the order again in a minute to see how it ended.
    يجري الإرسال الآن. افتح الطلب بعد دقيقة لمعرفة النتيجة.`,
  operation_pending: `The gateway accepted it. It is confirmed when the gateway’s status shows it.
    قبلته البوابة، ويتأكد عندما يظهر في حالة العملية لديها.`,
  operation_succeeded: ['Done: the gateway confirmed it.', 'تم: أكدته البوابة.'],
  operation_failed: `It was not done, and no money moved. The order’s operations say why.
    لم يُنفَّذ، ولم تتم أي حركة مالية. السبب مذكور ضمن عمليات الطلب.`,
  operation_unknown: `The answer was lost: it may have happened or not. Do not ask for it again; it waits in the review list.
    ضاع الرد: ربما نُفّذ وربما لم يُنفَّذ. لا تطلبه مرة أخرى؛ ستجده في قائمة المراجعة.`,
  other_meanwhile: `Something else was asked for in the same moment, so that this was not done. Look at the order’s operations, then decide again.
    طُلب في اللحظة نفسها إجراء آخر، فلم يُنفَّذ طلبك هذا. راجع عمليات الطلب ثم قرّر من جديد.`,
  cancelled: `The order is given up. Money that still comes is reported and not shipped for.
    أُلغي الطلب. أي مبلغ يصل بعد الآن يُبلَّغ عنه ولا يُشحن مقابله شيء.`,
  accepted: `The money is the order’s payment now, and your shop is told.
    أصبح المبلغ دفعةً للطلب، ويُبلَّغ متجرك بذلك.`,
  resolved: ['The review is over. No money moved.', 'انتهت المراجعة، ولم تتم أي حركة مالية.'],
  reopened: `The order may be paid anew once nothing else about it is open.
    يمكن دفع الطلب من جديد متى لم يبقَ بشأنه ما يحتاج إلى قرار.`,
  outcome_recorded: `What you found out is recorded. Nothing was sent to the gateway.
    سُجّل ما توصلت إليه، ولم يُرسل شيء إلى البوابة.`,
  redelivered: `The event is delivered again, with as many tries as at first.
    يُسلَّم الحدث من جديد، بعدد المحاولات نفسه.`,
  withdrawn: `The refund is withdrawn. Nothing was sent, and no money moved.
    سُحب طلب الاسترداد. لم يُرسل شيء، ولم تتم أي حركة مالية.`,
  matter_over: `This matter is not open any more: it has been decided. The order’s page says how.
    لم تعد هذه الحالة مفتوحة، فقد حُسمت. التفاصيل في صفحة الطلب.`,
  webhook_on: ['The webhook is on.', 'فُعّل الإشعار.'],
  webhook_off: ['The webhook is off.', 'أُوقف الإشعار.'],
  webhook_deleted: ['The webhook is deleted.', 'حُذف الإشعار.'],
  token_on: ['The token is on.', 'فُعّل الرمز.'],
  token_off: ['The token is off.', 'أُوقف الرمز.'],
});

export type NoticeName = keyof (typeof noticeTexts)['en'];

/** Why a page cannot be shown, or a thing not be done: a heading and what it means. */
export const problemTexts = byLanguage({
  back: ['Back', 'رجوع'],
  unauthorized: {
    title: ['Sign in first', 'سجّل الدخول أولًا'],
    text: ['These pages are for the people of the shop.', 'هذه الصفحات لموظفي المتجر.'],
  },
  not_found: {
    title: ['There is nothing at this address', 'لا توجد صفحة بهذا العنوان'],
    text: `The address may be incomplete, or the order has no payment.
      ربما كان العنوان ناقصًا، أو لا توجد دفعة لهذا الطلب.`,
  },
  method_not_allowed: {
    title: ['This address takes no such request', 'هذا العنوان لا يقبل هذا الطلب'],
    text: ['Open the page again and use its form.', 'افتح الصفحة من جديد واستخدم النموذج فيها.'],
  },
  forbidden: {
    title: ['You may not do this', 'لا تملك صلاحية لهذا الإجراء'],
    text: `Nothing was done. Ask the person who manages access to the shop.
      لم يُنفَّذ شيء. تواصل مع المسؤول عن صلاحيات المتجر.`,
  },
  foreign_form: {
    title: ['The form did not come from these pages', 'لم يأتِ النموذج من هذه الصفحات'],
    text: `Nothing was done. Open the page again and repeat it there.
      لم يُنفَّذ شيء. افتح الصفحة من جديد وأعد المحاولة منها.`,
  },
  stale_form: {
    title: ['The page was open for too long', 'بقيت الصفحة مفتوحة مدة طويلة'],
    text: `Nothing was done. Open the page again: its form is fresh then.
      لم يُنفَّذ شيء. افتح الصفحة من جديد لتحصل على نموذج صالح.`,
  },
  bad_form: {
    title: ['The form could not be read', 'تعذّرت قراءة النموذج'],
    text: `Nothing was done. Open the page again and repeat it there.
      لم يُنفَّذ شيء. افتح الصفحة من جديد وأعد المحاولة منها.`,
  },
  not_possible: {
    title: ['This is not possible now', 'هذا الإجراء غير ممكن الآن'],
    text: `Nothing was done. The payment has changed since the page was shown.
      لم يُنفَّذ شيء. تغيّرت الدفعة بعد عرض الصفحة.`,
  },
  refused: {
    title: ['It was not done', 'لم يُنفَّذ الإجراء'],
    text: ['Nothing was sent to the gateway.', 'لم يُرسل شيء إلى البوابة.'],
  },
  gateway_failed: {
    title: ['The gateway did not do it', 'لم تنفّذ البوابة الإجراء'],
    text: ['No money moved.', 'لم تتم أي حركة مالية.'],
  },
  outcome_unknown: {
    title: ['It may have happened', 'ربما نُفّذ الإجراء'],
    text: `The answer is not recorded. Look at the order before you do anything else; sending this same form again is safe.
      لم يُسجَّل الرد. راجع الطلب قبل أي إجراء آخر، ويمكنك إرسال النموذج نفسه مرة أخرى بأمان.`,
  },
  bad_query: {
    title: ['The search could not be read', 'تعذّرت قراءة البحث'],
    text: ['Start again from the list of orders.', 'ابدأ من جديد من قائمة الطلبات.'],
  },
  store_unavailable: {
    title: ['The payments cannot be read right now', 'تعذّرت قراءة المدفوعات الآن'],
    text: `The shop’s database does not answer. Nothing is lost; try again in a moment.
      قاعدة بيانات المتجر لا تستجيب. لم يُفقد شيء؛ حاول مرة أخرى بعد قليل.`,
  },
  failed: {
    title: ['Something went wrong', 'حدث خطأ'],
    text: `The shop’s log has the details. Look at the order before you repeat anything.
      التفاصيل في سجل المتجر. راجع الطلب قبل تكرار أي إجراء.`,
  },
});

export type ProblemName = Exclude<keyof (typeof problemTexts)['en'], 'back'>;
