import type { LoggedRequest } from '../../request-log.ts';
import { code } from '../furniture.ts';
import { byLanguage, html } from '../html.ts';
import type { Html } from '../html.ts';
import { inspectorTexts } from './view.ts';
import type { View } from './view.ts';

/** The mistakes that integrations of this gateway are known to make. */
export type HintKind = keyof typeof codes;

/** The right spelling, where there is one. */
const codes = {
  'corrected-spelling': 'POST /payment/checkout/intiate',
  'session-id-as-transaction': 'data.content[].transactionId',
  'payment-id-as-transaction': 'data.content[].transactionId',
  'key-from-browser': null,
  'key-on-portal': 'Authorization: Bearer <token>',
  'string-amount': '"amount": 115.00',
  'refund-above-balance': 'amount − totalRefundAmount',
  'void-after-capture': 'POST /payment/s2s/refund',
} as const;

/** The mistake of the request, and the right way. */
export const hintTexts = byLanguage({
  'corrected-spelling': {
    title: ['The path is spelled intiate', 'المسار يُكتب intiate'],
    text: [
      'The gateway’s own spelling is wrong and stays so; the corrected one is an unknown route (§4.1, §9).',
      'هكذا كتبته البوابة خطأً ولن يتغير؛ أما التهجئة الصحيحة فمسار غير معروف (§4.1 و§9).',
    ],
  },
  'session-id-as-transaction': {
    title: ['A session id is not a transaction id', 'معرّف الجلسة ليس معرّف العملية'],
    text: [
      'Ask the status of the session and use the transactionId of the row that is SUCCESS and APPROVED (§2.3).',
      'استعلم عن حالة الجلسة واستخدم transactionId من السطر الذي حالته SUCCESS وAPPROVED (§2.3).',
    ],
  },
  'payment-id-as-transaction': {
    title: [
      'The numeric payment id is for reconciliation only',
      'المعرّف الرقمي للدفعة مخصص للمطابقة فقط',
    ],
    text: [
      'Money operations name the transaction by its UUID, never by paymentId, payment_id or trans_id (§2.3).',
      'تُعرَّف العملية بمعرّفها UUID، لا بأحد الأرقام paymentId أو payment_id أو trans_id (§2.3).',
    ],
  },
  'key-from-browser': {
    title: ['An API key arrived from a browser', 'وصل مفتاح API من متصفح'],
    text: [
      'Keys belong on the server (§5). Anyone who opens the page’s network tab can refund your payments: rotate this key and call from your server.',
      'مكان المفتاح هو الخادم (§5). كل من يفتح أدوات المتصفح يستطيع استرداد مدفوعاتك: بدّل المفتاح ونفّذ الطلب من خادمك.',
    ],
  },
  'key-on-portal': {
    title: [
      'Portal routes take a portal token, not the API key',
      'مسارات لوحة التاجر تتطلب رمز دخول لا مفتاح API',
    ],
    text: [
      'Sign in with the portal’s login and send the token (§5).',
      'سجّل الدخول بحساب لوحة التاجر وأرسل الرمز (§5).',
    ],
  },
  'string-amount': {
    title: ['An amount is a number, not a string', 'المبلغ رقم وليس نصًا'],
    text: [
      'Requests carry a number with at most two decimals; only answers carry strings (§2.2, §4.1).',
      'يُرسل المبلغ رقمًا بخانتين عشريتين كحد أقصى؛ النصوص في الردود فقط (§2.2 و§4.1).',
    ],
  },
  'refund-above-balance': {
    title: ['The refund is larger than what is left', 'مبلغ الاسترداد أكبر من المتبقي'],
    text: [
      'Ask the status first: the balance is amount minus totalRefundAmount (§4.3).',
      'استعلم عن الحالة أولًا: المتبقي هو amount ناقص totalRefundAmount (§4.3).',
    ],
  },
  'void-after-capture': {
    title: ['A captured payment cannot be voided', 'لا يمكن فك حجز مبلغ تم تحصيله'],
    text: [
      'A void gives up an authorization that was not captured. Refund the payment instead (§3, §4.6).',
      'يُفك حجز المبلغ قبل تحصيله فقط. أعِد المبلغ إلى البطاقة بدلًا من ذلك (§3 و§4.6).',
    ],
  },
});

/** Rules that refuse a request and identify the mistake by themselves. */
const byRule: Readonly<Record<string, HintKind>> = {
  'corrected-spelling': 'corrected-spelling',
  'browser-call': 'key-from-browser',
  'session-id': 'session-id-as-transaction',
  'payment-id': 'payment-id-as-transaction',
  'above-balance': 'refund-above-balance',
};

/** The mistake in a refused request, or null. */
export function hintOf(request: LoggedRequest): HintKind | null {
  const { operation, decidedBy, path, status, request: fields } = request;
  if (status !== null && status < 400) return null;
  const known = byRule[decidedBy];
  if (known !== undefined) return known;
  const isPortalCall = path.includes('/merchant/');
  if (decidedBy === 'wrong-credential-type' && isPortalCall) return 'key-on-portal';
  if (operation === 'void' && decidedBy === 'already-captured') return 'void-after-capture';
  const isText = typeof fields['amount'] === 'string';
  return decidedBy === 'validation' && isText ? 'string-amount' : null;
}

/** The newest hint of each kind, newest first; an empty element when there is none. */
export function hintsPanel({ parts, tenant, language }: View): Html {
  const newest = new Map<HintKind, LoggedRequest>();
  for (const request of parts.requestLog.list(tenant).toReversed()) {
    const kind = hintOf(request);
    if (kind !== null && !newest.has(kind)) newest.set(kind, request);
  }
  if (newest.size === 0) return html`<div data-live="hints"></div>`;
  const rows = [...newest].map(([kind, { id }]) => {
    const { title, text } = hintTexts[language][kind];
    const spelling = codes[kind];
    return html`<li data-test="hint-${kind}">
      <p><b>${title}</b> <a href="#${id}" dir="ltr">${id}</a></p>
      <p>${text}${spelling !== null && html` ${code(spelling)}`}</p>
    </li>`;
  });
  return html`<section class="panel hints" aria-labelledby="hints" data-live="hints">
    <h2 id="hints">${inspectorTexts[language].requests.hints}</h2>
    <ul>
      ${rows}
    </ul>
  </section>`;
}
