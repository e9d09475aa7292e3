import type { SandboxParts } from '../../sandbox-parts.ts';
import { button, byLanguage, html, type Html, type Language } from '../html.ts';
import { withQuery } from '../page.ts';

/** The tenant that a page of the inspector shows, and the page's language. */
export interface View {
  readonly parts: SandboxParts;
  readonly tenant: string;
  readonly language: Language;
}

export function inspectorAddress({ tenant, language }: Omit<View, 'parts'>, path = ''): string {
  return withQuery(`/_sandbox${path}`, { tenant, lang: language });
}

export function actionButton(test: string, action: string, text: Html | string, style?: string) {
  return button(test, text, style, html`name="action" value="${action}"`);
}

/** The texts of the inspector. Hints and the fidelity page have theirs beside their code. */
export const inspectorTexts = byLanguage({
  title: ['Inspector', 'لوحة المراقبة'],
  dashboard: ['Merchant dashboard', 'لوحة التاجر'],
  fidelity: ['Fidelity', 'مدى المطابقة'],
  tenants: ['Tenants', 'الحسابات التجريبية'],
  live: ['Live', 'مباشر'],
  lost: ['The sandbox does not answer', 'البيئة التجريبية لا تستجيب'],
  still: ['As of loading', 'كما كانت عند فتح الصفحة'],
  views: {
    legend: ['Show', 'عرض'],
    payments: ['Payments', 'المدفوعات'],
    webhooks: ['Webhooks', 'الإشعارات'],
    requests: ['Requests', 'الطلبات'],
    timeline: ['Timeline', 'التسلسل'],
    tools: ['Tools', 'الأدوات'],
  },
  shown: (shown: number, all: number) => `The newest ${shown} of ${all}
    أحدث ${shown} من أصل ${all}`,
  columns: {
    order: ['Order', 'رقم الطلب'],
    state: ['State', 'الحالة'],
    created: ['Created', 'وقت الإنشاء'],
    time: ['Time', 'الوقت'],
    operation: ['Operation', 'نوع الطلب'],
    status: ['HTTP', 'HTTP'],
    decidedBy: ['Decided by', 'القاعدة المطبّقة'],
    tier: ['Tier', 'المرجع'],
    fields: ['Fields', 'محتوى الطلب'],
    event: ['Event', 'الحدث'],
    to: ['To', 'إلى'],
    attempts: ['Attempts', 'المحاولات'],
    actions: ['Actions', 'الإجراءات'],
  },
  payments: {
    title: ['Payments', 'المدفوعات'],
    none: ['No payment link has been created yet.', 'لم يُنشأ أي رابط دفع بعد.'],
    transactions: ['Transactions', 'العمليات'],
    ledger: ['Movements of money', 'حركات المبلغ'],
    sessionId: ['Session id', 'معرّف الجلسة'],
    expires: ['Expires', 'تنتهي في'],
    environment: ['Environment', 'البيئة'],
    openPage: ['Open the payment page', 'فتح صفحة الدفع'],
  },
  transactionStates: {
    PENDING: ['Pending', 'معلّقة'],
    SUCCESS: ['Approved', 'مقبولة'],
    FAILED: ['Declined', 'مرفوضة'],
  },
  requests: {
    title: ['Requests to the gateway', 'الطلبات الواردة إلى البوابة'],
    none: ['No request has arrived yet.', 'لم يصل أي طلب بعد.'],
    fields: (count: number) => [`${count} ${count === 1 ? 'field' : 'fields'}`, `الحقول: ${count}`],
    hints: ['Did you mean something else?', 'هل تقصد شيئًا آخر؟'],
  },
  deliveries: {
    title: ['Webhook deliveries', 'تسليم الإشعارات (webhooks)'],
    none: ['Nothing has been sent yet.', 'لم يُرسل شيء بعد.'],
    noWebhooks: `No webhook is registered; the merchant dashboard and the API create them.
      لا يوجد عنوان إشعارات مسجل؛ يمكن إنشاؤه من لوحة التاجر أو عبر الواجهة البرمجية.`,
    noAddress: `The webhook was deleted before its first delivery, so there is no address to send to.
      حُذف عنوان الإشعارات قبل أن يصله شيء، فلا يوجد عنوان للإرسال إليه.`,
    hold: ['Hold new ones back', 'احتجاز الإشعارات الجديدة'],
    release: ['Release all', 'إطلاق الكل'],
    releaseOne: ['Release', 'إطلاق'],
    replay: ['Send again', 'إعادة الإرسال'],
  },
  deliveryStates: {
    waiting: ['Waiting', 'بالانتظار'],
    held: ['Held back', 'محتجز'],
    sending: ['Sending', 'قيد الإرسال'],
    delivered: ['Acknowledged', 'تم التسليم'],
    failed: ['Given up', 'تعذّر التسليم'],
    dropped: ['Lost by a fault', 'فُقد بسبب عطل'],
    cancelled: ['Cancelled', 'ملغى'],
  },
  clock: {
    title: ['Sandbox clock', 'ساعة البيئة التجريبية'],
    running: ['running', 'تعمل'],
    frozen: ['frozen', 'متوقفة'],
    freeze: ['Stop the clock', 'إيقاف الساعة'],
    resume: ['Let it run', 'تشغيل الساعة'],
    leaps: {
      PT1M: ['1 min', 'دقيقة'],
      PT10M: ['10 min', '10 دقائق'],
      PT1H: ['1 h', 'ساعة'],
      PT48H: ['48 h', '48 ساعة'],
    },
  },
  faults: {
    title: ['Faults', 'الأعطال المفتعلة'],
    none: ['Every call is answered as it should be.', 'يُرد على جميع الطلبات كالمعتاد.'],
    profile: ['Profile', 'نمط الأعطال'],
    setProfile: ['Set profile', 'تطبيق النمط'],
    clear: ['Lift all faults', 'رفع جميع الأعطال'],
    always: ['until lifted', 'حتى يُرفع'],
    add: ['Add a fault', 'إضافة عطل'],
    operation: ['Operation', 'نوع الطلب'],
    every: ['every operation', 'كل الطلبات'],
    place: ['Place', 'الموضع'],
    kind: ['Kind', 'النوع'],
    count: ['How often', 'عدد المرات'],
  },
  access: {
    title: ['Addresses and test keys', 'العناوين ومفاتيح الاختبار'],
    staging: ['Staging', 'بيئة الاختبار (staging)'],
    production: ['Production', 'بيئة الإنتاج (production)'],
    baseAddress: ['Base address', 'العنوان الأساسي'],
    apiKey: ['API key', 'مفتاح API'],
    portal: ['Merchant portal', 'لوحة التاجر'],
    username: ['Login name', 'اسم الدخول'],
    password: ['Password', 'كلمة المرور'],
    sdkTokens: ['SDK tokens', 'رموز SDK'],
    readings: ['Readings in force', 'القراءات المعتمدة'],
    policy: ['Policy', 'سياسة'],
    REVOKED: ['revoked', 'ملغى'],
    DISABLED: ['disabled', 'معطّل'],
  },
  timeline: {
    title: ['Timeline', 'التسلسل الزمني'],
    none: ['Nothing has happened yet.', 'لم يحدث شيء بعد.'],
    noAnswer: ['no answer', 'دون رد'],
  },
  lanes: {
    browser: ['Browser', 'المتصفح'],
    merchant: ['Merchant', 'التاجر'],
    gateway: ['Gateway', 'البوابة'],
    webhook: ['Webhook', 'الإشعارات'],
    clock: ['Clock', 'الساعة'],
  },
  events: {
    'page-opened': ['Opened the payment page', 'فتح صفحة الدفع'],
    'payment-sent': ['Pressed Pay', 'ضغط زر الدفع'],
    'challenge-shown': ['Opened 3-D Secure', 'فتح صفحة التحقق الآمن'],
    'challenge-answered': ['Answered 3-D Secure', 'ردّ على طلب التحقق الآمن'],
    'sent-to-shop': ['Sent back to the shop', 'أُعيد إلى المتجر'],
    'session-created': ['Session created', 'أُنشئت جلسة الدفع'],
    'session-paid': ['Session paid', 'دُفعت الجلسة'],
    'session-expired': ['Session expired', 'انتهت صلاحية الجلسة'],
    'transaction-declined': ['Transaction declined', 'رُفضت العملية'],
    'transaction-pending': ['Transaction pending', 'العملية معلّقة'],
    'transaction-authorized': ['Amount authorized', 'حُجز المبلغ'],
    'transaction-captured': ['Amount captured', 'تم تحصيل المبلغ المحجوز'],
    'transaction-voided': ['Authorization voided', 'فُك حجز المبلغ'],
    'capture-declined': ['Capture declined', 'رُفض تحصيل المبلغ المحجوز'],
    'refund-accepted': ['Refund accepted', 'قُبل طلب الاسترداد'],
    'refund-settled': ['Refund settled', 'تم الاسترداد'],
    'refund-failed': ['Refund failed', 'تعذّر الاسترداد'],
    'token-revoked': ['Recurring token revoked', 'أُلغي رمز الدفع المتكرر'],
    'challenge-opened': ['Challenge opened', 'بدأ التحقق الآمن'],
    'challenge-timed-out': ['Challenge timed out', 'انتهت مهلة التحقق'],
    'webhook-due': ['Webhook due', 'حان وقت إرسال الإشعار'],
    'webhook-delivered': ['Webhook acknowledged', 'تم تسليم الإشعار'],
    'webhook-failed': ['Webhook given up', 'تعذّر تسليم الإشعار'],
    'clock-changed': ['Clock changed', 'تغيّرت الساعة'],
    'snapshot-restored': ['Snapshot restored', 'استُعيدت لقطة محفوظة'],
  },
});
