import type { Language } from '../language.ts';

/** The dashboard's sections, in the order of its navigation. */
export const sections = ['transactions', 'credentials', 'webhooks', 'sdk-tokens'] as const;
export type Section = (typeof sections)[number];

/** What went well, said once after it was done. */
export type DoneKind =
  | 'rotated'
  | 'revoked'
  | 'webhook-created'
  | 'webhook-changed'
  | 'webhook-deleted'
  | 'token-created'
  | 'token-changed'
  | 'refunded'
  | 'captured'
  | 'voided';

/** Every text of the dashboard, in one language. */
export interface DashboardLabels {
  readonly title: string;
  readonly signIn: string;
  readonly signInHint: string;
  readonly signInButton: string;
  readonly signOut: string;
  readonly signedOut: string;
  readonly username: string;
  readonly password: string;
  readonly environment: string;
  readonly environments: Readonly<Record<'staging' | 'production', string>>;
  readonly navigation: string;
  readonly settings: string;
  readonly sections: Readonly<Record<Section, string>>;
  readonly done: Readonly<Record<DoneKind, string>>;
  readonly shownOnce: string;
  readonly foreignForm: string;
  readonly refusedTitle: string;
  readonly statuses: Readonly<Record<string, string>>;
  readonly id: string;
  readonly status: string;
  readonly created: string;
  readonly expires: string;
  readonly never: string;
  readonly actions: string;
  readonly none: string;
  readonly rotate: string;
  readonly rotateHint: string;
  readonly apiKey: string;
  readonly revoke: string;
  readonly revokeConfirm: string;
  readonly url: string;
  readonly events: string;
  readonly eventsHint: string;
  readonly active: string;
  readonly newWebhook: string;
  readonly createWebhook: string;
  readonly save: string;
  readonly edit: string;
  readonly remove: string;
  readonly removeConfirm: string;
  readonly name: string;
  readonly product: string;
  readonly terminal: string;
  readonly optional: string;
  readonly newToken: string;
  readonly createToken: string;
  readonly enable: string;
  readonly disable: string;
}

const en: DashboardLabels = {
  title: 'Merchant dashboard',
  signIn: 'Sign in to the merchant dashboard',
  signInHint: 'The login stands in the inspector and in what the sandbox prints at its start.',
  signInButton: 'Sign in',
  signOut: 'Sign out',
  signedOut: 'You are signed out. Sign in again.',
  username: 'Login name',
  password: 'Password',
  environment: 'Environment',
  environments: { staging: 'Staging', production: 'Production' },
  navigation: 'Dashboard',
  settings: 'Settings',
  sections: {
    transactions: 'Transactions',
    credentials: 'API credentials',
    webhooks: 'Webhooks',
    'sdk-tokens': 'SDK tokens',
  },
  done: {
    rotated: 'A new API key was made. The old ones still work until you revoke them.',
    revoked: 'The API key was revoked.',
    'webhook-created': 'The webhook was created. This is its signing secret.',
    'webhook-changed': 'The webhook was changed.',
    'webhook-deleted': 'The webhook was deleted.',
    'token-created': 'The SDK token was created.',
    'token-changed': 'The SDK token was changed.',
    refunded: 'The refund was accepted. It settles in a moment.',
    captured: 'The amount was captured.',
    voided: 'The authorization was voided.',
  },
  shownOnce: 'Copy it now: it is shown this once.',
  foreignForm: 'This form is no longer good. Nothing was changed; try again.',
  refusedTitle: 'The gateway refused',
  statuses: { ACTIVE: 'Active', REVOKED: 'Revoked', DISABLED: 'Disabled' },
  id: 'Id',
  status: 'Status',
  created: 'Created',
  expires: 'Expires',
  never: 'never',
  actions: 'Actions',
  none: 'Nothing here yet.',
  rotate: 'Make a new key',
  rotateHint:
    'Make the new key, put it on your servers, see that it works, then revoke the old one. No call fails in between.',
  apiKey: 'API key',
  revoke: 'Revoke',
  revokeConfirm: 'Revoke: calls with it get 401 at once',
  url: 'Address',
  events: 'Events',
  eventsHint: 'None chosen: all of them.',
  active: 'Active',
  newWebhook: 'New webhook',
  createWebhook: 'Create webhook',
  save: 'Save',
  edit: 'Edit',
  remove: 'Delete',
  removeConfirm: 'Delete this webhook',
  name: 'Name',
  product: 'Product',
  terminal: 'Terminal id',
  optional: 'optional',
  newToken: 'New SDK token',
  createToken: 'Create SDK token',
  enable: 'Enable',
  disable: 'Disable',
};

const ar: DashboardLabels = {
  title: 'لوحة التاجر',
  signIn: 'تسجيل الدخول إلى لوحة التاجر',
  signInHint: 'تجد بيانات الدخول في لوحة المراقبة وفيما تطبعه البيئة التجريبية عند تشغيلها.',
  signInButton: 'تسجيل الدخول',
  signOut: 'تسجيل الخروج',
  signedOut: 'انتهت جلستك. سجّل الدخول مرة أخرى.',
  username: 'اسم الدخول',
  password: 'كلمة المرور',
  environment: 'البيئة',
  environments: { staging: 'الاختبار (staging)', production: 'الإنتاج (production)' },
  navigation: 'أقسام اللوحة',
  settings: 'الإعدادات',
  sections: {
    transactions: 'العمليات',
    credentials: 'مفاتيح API',
    webhooks: 'الإشعارات (webhooks)',
    'sdk-tokens': 'رموز SDK',
  },
  done: {
    rotated: 'أُنشئ مفتاح جديد. تبقى المفاتيح السابقة صالحة حتى تلغيها.',
    revoked: 'أُلغي مفتاح API.',
    'webhook-created': 'أُنشئ عنوان الإشعارات. هذا هو مفتاح التوقيع.',
    'webhook-changed': 'حُفظت التغييرات.',
    'webhook-deleted': 'حُذف عنوان الإشعارات.',
    'token-created': 'أُنشئ رمز SDK.',
    'token-changed': 'حُفظت التغييرات.',
    refunded: 'قُبل طلب الاسترداد، وسيكتمل بعد لحظات.',
    captured: 'تم تحصيل المبلغ.',
    voided: 'أُلغي حجز المبلغ.',
  },
  shownOnce: 'انسخه الآن، فلن يظهر مرة أخرى.',
  foreignForm: 'انتهت صلاحية هذا النموذج، ولم يتغير شيء. حاول مرة أخرى.',
  refusedTitle: 'رفضت البوابة الطلب',
  statuses: { ACTIVE: 'نشط', REVOKED: 'ملغى', DISABLED: 'معطّل' },
  id: 'المعرّف',
  status: 'الحالة',
  created: 'تاريخ الإنشاء',
  expires: 'تاريخ الانتهاء',
  never: 'لا تنتهي صلاحيته',
  actions: 'الإجراءات',
  none: 'لا يوجد شيء هنا بعد.',
  rotate: 'إنشاء مفتاح جديد',
  rotateHint:
    'أنشئ المفتاح الجديد وضعه على خوادمك وتأكد من عمله، ثم ألغِ المفتاح القديم. لن يتعطل أي طلب خلال ذلك.',
  apiKey: 'مفتاح API',
  revoke: 'إلغاء',
  revokeConfirm: 'إلغاء هذا المفتاح: تُرفض طلباته فورًا بالرمز 401',
  url: 'العنوان',
  events: 'الأحداث',
  eventsHint: 'دون اختيار: جميع الأحداث.',
  active: 'نشط',
  newWebhook: 'عنوان إشعارات جديد',
  createWebhook: 'إنشاء عنوان الإشعارات',
  save: 'حفظ',
  edit: 'تعديل',
  remove: 'حذف',
  removeConfirm: 'حذف عنوان الإشعارات هذا',
  name: 'الاسم',
  product: 'المنتج',
  terminal: 'رقم الجهاز',
  optional: 'اختياري',
  newToken: 'رمز SDK جديد',
  createToken: 'إنشاء رمز SDK',
  enable: 'تفعيل',
  disable: 'تعطيل',
};

export const dashboardLabels: Readonly<Record<Language, DashboardLabels>> = { en, ar };
