import { byLanguage, type Pair } from '../html.ts';

/** The dashboard's sections, in the order of its navigation. */
export const sections = ['transactions', 'credentials', 'webhooks', 'sdk-tokens'] as const;
export type Section = (typeof sections)[number];

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
