import type { Language } from '../language.ts';
import type { HintKind } from './hints.ts';

interface HintText {
  readonly title: string;
  /** What to do instead. */
  readonly text: string;
  /** The right spelling, where there is one. */
  readonly code?: string;
}

const en: Readonly<Record<HintKind, HintText>> = {
  'corrected-spelling': {
    title: 'The path is spelled intiate',
    text: 'The gateway’s own spelling is wrong and stays so; the corrected one is an unknown route (§4.1, §9).',
    code: 'POST /payment/checkout/intiate',
  },
  'session-id-as-transaction': {
    title: 'A session id is not a transaction id',
    text: 'Ask the status of the session and use the transactionId of the row that is SUCCESS and APPROVED (§2.3).',
    code: 'data.content[].transactionId',
  },
  'payment-id-as-transaction': {
    title: 'The numeric payment id is for reconciliation only',
    text: 'Money operations name the transaction by its UUID, never by paymentId, payment_id or trans_id (§2.3).',
    code: 'data.content[].transactionId',
  },
  'key-from-browser': {
    title: 'An API key arrived from a browser',
    text: 'Keys belong on the server (§5). Whoever opens the page’s network tab can refund your payments: rotate this key and call from your server.',
  },
  'key-on-portal': {
    title: 'Portal routes take a portal token, not the API key',
    text: 'Sign in with the portal’s login and send the token (§5).',
    code: 'Authorization: Bearer <token>',
  },
  'string-amount': {
    title: 'An amount is a number, not a string',
    text: 'Requests carry a number with at most two decimals; only answers carry strings (§2.2, §4.1).',
    code: '"amount": 115.00',
  },
  'refund-above-balance': {
    title: 'The refund is larger than what is left',
    text: 'Ask the status first: the balance is amount minus totalRefundAmount (§4.3).',
    code: 'amount − totalRefundAmount',
  },
  'void-after-capture': {
    title: 'What is captured cannot be voided',
    text: 'A void gives up an authorization that was not captured. Refund the payment instead (§3, §4.6).',
    code: 'POST /payment/s2s/refund',
  },
};

const ar: Readonly<Record<HintKind, HintText>> = {
  'corrected-spelling': {
    title: 'المسار يُكتب intiate',
    text: 'هكذا كتبته البوابة خطأً ولن يتغير؛ أما التهجئة الصحيحة فمسار غير معروف (§4.1 و§9).',
    code: 'POST /payment/checkout/intiate',
  },
  'session-id-as-transaction': {
    title: 'معرّف الجلسة ليس معرّف العملية',
    text: 'استعلم عن حالة الجلسة واستخدم transactionId من السطر الذي حالته SUCCESS وAPPROVED (§2.3).',
    code: 'data.content[].transactionId',
  },
  'payment-id-as-transaction': {
    title: 'رقم الدفعة للمطابقة فقط',
    text: 'تُعرَّف العملية بمعرّفها UUID، لا بأحد الأرقام paymentId أو payment_id أو trans_id (§2.3).',
    code: 'data.content[].transactionId',
  },
  'key-from-browser': {
    title: 'وصل مفتاح API من متصفح',
    text: 'مكان المفتاح هو الخادم (§5). كل من يفتح أدوات المتصفح يستطيع استرداد مدفوعاتك: بدّل المفتاح ونفّذ الطلب من خادمك.',
  },
  'key-on-portal': {
    title: 'مسارات لوحة التاجر تتطلب رمز دخول لا مفتاح API',
    text: 'سجّل الدخول بحساب لوحة التاجر وأرسل الرمز (§5).',
    code: 'Authorization: Bearer <token>',
  },
  'string-amount': {
    title: 'المبلغ رقم وليس نصًا',
    text: 'يُرسل المبلغ رقمًا بخانتين عشريتين كحد أقصى؛ النصوص في الردود فقط (§2.2 و§4.1).',
    code: '"amount": 115.00',
  },
  'refund-above-balance': {
    title: 'مبلغ الاسترداد أكبر من المتبقي',
    text: 'استعلم عن الحالة أولًا: المتبقي هو amount ناقص totalRefundAmount (§4.3).',
    code: 'amount − totalRefundAmount',
  },
  'void-after-capture': {
    title: 'لا يمكن إلغاء حجز مبلغ تم تحصيله',
    text: 'يُلغى حجز المبلغ قبل تحصيله فقط. استرد المبلغ بدلًا من ذلك (§3 و§4.6).',
    code: 'POST /payment/s2s/refund',
  },
};

export const hintLabels: Readonly<Record<Language, Readonly<Record<HintKind, HintText>>>> = {
  en,
  ar,
};
