import type { Happening } from '../../domain/effect.ts';
import type { SessionState } from '../../domain/session.ts';
import type { TransactionStatus } from '../../domain/transaction.ts';
import type { Language } from '../language.ts';

/** Every text of the inspector, in one language. */
export interface InspectorLabels {
  readonly title: string;
  readonly clock: string;
  readonly running: string;
  readonly frozen: string;
  readonly addresses: string;
  readonly staging: string;
  readonly production: string;
  readonly apiKey: string;
  readonly sessions: string;
  readonly noSessions: string;
  readonly transactions: string;
  readonly requests: string;
  readonly noRequests: string;
  readonly timeline: string;
  readonly noTimeline: string;
  readonly columns: {
    readonly order: string;
    readonly amount: string;
    readonly state: string;
    readonly created: string;
    readonly page: string;
    readonly time: string;
    readonly operation: string;
    readonly status: string;
    readonly decidedBy: string;
    readonly tier: string;
    readonly asked: string;
    readonly event: string;
    readonly id: string;
  };
  readonly live: string;
  readonly lost: string;
  readonly still: string;
  readonly baseAddress: string;
  readonly portal: string;
  readonly username: string;
  readonly password: string;
  readonly sessionId: string;
  readonly expires: string;
  readonly environment: string;
  readonly tenants: string;
  readonly openPage: string;
  readonly ledger: string;
  readonly fields: (count: number) => string;
  readonly shown: (shown: number, all: number) => string;
  readonly states: Readonly<Record<SessionState | TransactionStatus, string>>;
  readonly effects: Readonly<Record<Happening['kind'], string>>;
}

const en: InspectorLabels = {
  title: 'Inspector',
  clock: 'Sandbox clock',
  running: 'running',
  frozen: 'frozen',
  addresses: 'Addresses and test keys',
  staging: 'Staging',
  production: 'Production',
  apiKey: 'API key',
  sessions: 'Payments',
  noSessions: 'No payment link has been created yet.',
  transactions: 'Transactions',
  requests: 'Requests to the gateway',
  noRequests: 'No request has arrived yet.',
  timeline: 'Timeline',
  noTimeline: 'Nothing has happened yet.',
  columns: {
    order: 'Order',
    amount: 'Amount',
    state: 'State',
    created: 'Created',
    page: 'Page',
    time: 'Time',
    operation: 'Operation',
    status: 'HTTP',
    decidedBy: 'Decided by',
    tier: 'Tier',
    asked: 'Asked',
    event: 'Event',
    id: 'Id',
  },
  live: 'Live',
  lost: 'The sandbox does not answer',
  still: 'As of loading',
  baseAddress: 'Base address',
  portal: 'Merchant portal',
  username: 'Login name',
  password: 'Password',
  sessionId: 'Session id',
  expires: 'Expires',
  environment: 'Environment',
  tenants: 'Tenants',
  openPage: 'Open the payment page',
  ledger: 'Movements of money',
  fields: (count) => `${count} fields`,
  shown: (shown, all) => `The newest ${shown} of ${all}`,
  states: {
    PENDING: 'Pending',
    PAID: 'Paid',
    EXPIRED: 'Expired',
    SUCCESS: 'Approved',
    FAILED: 'Declined',
  },
  effects: {
    'session-created': 'Session created',
    'session-paid': 'Session paid',
    'session-expired': 'Session expired',
    'transaction-declined': 'Transaction declined',
    'transaction-pending': 'Transaction pending',
    'transaction-authorized': 'Amount authorized',
    'transaction-captured': 'Amount captured',
    'transaction-voided': 'Authorization voided',
    'capture-declined': 'Capture declined',
    'refund-accepted': 'Refund accepted',
    'refund-settled': 'Refund settled',
    'refund-failed': 'Refund failed',
    'token-revoked': 'Recurring token revoked',
    'challenge-opened': 'Challenge opened',
    'challenge-timed-out': 'Challenge timed out',
    'webhook-due': 'Webhook due',
    'webhook-delivered': 'Webhook acknowledged',
    'webhook-failed': 'Webhook given up',
    'clock-changed': 'Clock changed',
    'snapshot-restored': 'Snapshot restored',
  },
};

const ar: InspectorLabels = {
  title: 'لوحة المراقبة',
  clock: 'ساعة البيئة التجريبية',
  running: 'تعمل',
  frozen: 'متوقفة',
  addresses: 'العناوين ومفاتيح الاختبار',
  staging: 'بيئة الاختبار (staging)',
  production: 'بيئة الإنتاج (production)',
  apiKey: 'مفتاح API',
  sessions: 'المدفوعات',
  noSessions: 'لم يُنشأ أي رابط دفع بعد.',
  transactions: 'العمليات',
  requests: 'الطلبات الواردة إلى البوابة',
  noRequests: 'لم يصل أي طلب بعد.',
  timeline: 'التسلسل الزمني',
  noTimeline: 'لم يحدث شيء بعد.',
  columns: {
    order: 'رقم الطلب',
    amount: 'المبلغ',
    state: 'الحالة',
    created: 'وقت الإنشاء',
    page: 'الصفحة',
    time: 'الوقت',
    operation: 'نوع الطلب',
    status: 'HTTP',
    decidedBy: 'القاعدة الحاسمة',
    tier: 'المرجع',
    asked: 'محتوى الطلب',
    event: 'الحدث',
    id: 'المعرّف',
  },
  live: 'مباشر',
  lost: 'البيئة التجريبية لا تستجيب',
  still: 'كما كانت عند فتح الصفحة',
  baseAddress: 'العنوان الأساسي',
  portal: 'لوحة التاجر',
  username: 'اسم الدخول',
  password: 'كلمة المرور',
  sessionId: 'معرّف الجلسة',
  expires: 'تنتهي في',
  environment: 'البيئة',
  tenants: 'الحسابات التجريبية',
  openPage: 'فتح صفحة الدفع',
  ledger: 'حركات المبلغ',
  fields: (count) => `الحقول: ${count}`,
  shown: (shown, all) => `أحدث ${shown} من أصل ${all}`,
  states: {
    PENDING: 'قيد الانتظار',
    PAID: 'مدفوعة',
    EXPIRED: 'منتهية الصلاحية',
    SUCCESS: 'مقبولة',
    FAILED: 'مرفوضة',
  },
  effects: {
    'session-created': 'أُنشئت جلسة',
    'session-paid': 'دُفعت جلسة',
    'session-expired': 'انتهت صلاحية جلسة',
    'transaction-declined': 'رُفضت عملية',
    'transaction-pending': 'العملية معلّقة',
    'transaction-authorized': 'حُجز المبلغ',
    'transaction-captured': 'خُصم المبلغ المحجوز',
    'transaction-voided': 'أُلغي حجز المبلغ',
    'capture-declined': 'رُفض خصم المبلغ المحجوز',
    'refund-accepted': 'قُبل طلب الاسترداد',
    'refund-settled': 'تم الاسترداد',
    'refund-failed': 'تعذّر الاسترداد',
    'token-revoked': 'أُلغي رمز الدفع المتكرر',
    'challenge-opened': 'بدأ التحقق الآمن',
    'challenge-timed-out': 'انتهت مهلة التحقق',
    'webhook-due': 'حان وقت إرسال إشعار webhook',
    'webhook-delivered': 'استُلم إشعار webhook',
    'webhook-failed': 'تعذّر تسليم إشعار webhook',
    'clock-changed': 'تغيّرت الساعة',
    'snapshot-restored': 'استُعيدت لقطة محفوظة',
  },
};

export const inspectorLabels: Readonly<Record<Language, InspectorLabels>> = { en, ar };
