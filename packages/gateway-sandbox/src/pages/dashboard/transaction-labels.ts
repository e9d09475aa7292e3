import type { Language } from '../language.ts';

/** The texts of the transactions' pages, in one language. */
interface TransactionLabels {
  readonly order: string;
  readonly amount: string;
  readonly refunded: string;
  readonly card: string;
  readonly none: string;
  readonly noKey: string;
  readonly statuses: Readonly<Record<string, string>>;
  readonly refundStatuses: Readonly<Record<string, string>>;
  readonly asTold: string;
  readonly moves: string;
  readonly noMoves: string;
  readonly amounts: Readonly<Record<'refund' | 'capture', string>>;
  readonly refund: string;
  readonly capture: string;
  readonly void: string;
  readonly voidConfirm: string;
}

const en: TransactionLabels = {
  order: 'Order',
  amount: 'Amount',
  refunded: 'Refunded',
  card: 'Card',
  none: 'Nobody has paid yet.',
  noKey: 'Every API key of this environment is revoked. Make a new one under API credentials.',
  statuses: { SUCCESS: 'Approved', FAILED: 'Declined', PENDING: 'Pending' },
  refundStatuses: { PARTIAL: 'Partly', FULL: 'In full' },
  asTold: 'What the status endpoint says',
  moves: 'Move the money',
  noMoves: 'There is nothing to refund, capture or void.',
  amounts: { refund: 'Amount to refund', capture: 'Amount to capture' },
  refund: 'Refund',
  capture: 'Capture',
  void: 'Void',
  voidConfirm: 'Void this authorization',
};

const ar: TransactionLabels = {
  order: 'الطلب',
  amount: 'المبلغ',
  refunded: 'المسترد',
  card: 'البطاقة',
  none: 'لا توجد عمليات دفع بعد.',
  noKey: 'جميع مفاتيح API لهذه البيئة ملغاة. أنشئ مفتاحًا جديدًا من صفحة مفاتيح API.',
  statuses: { SUCCESS: 'مقبولة', FAILED: 'مرفوضة', PENDING: 'معلّقة' },
  refundStatuses: { PARTIAL: 'جزئيًا', FULL: 'بالكامل' },
  asTold: 'كما يرد من واجهة الاستعلام',
  moves: 'الإجراءات المالية',
  noMoves: 'لا يوجد مبلغ يمكن استرداده أو تحصيله أو إلغاء حجزه.',
  amounts: { refund: 'مبلغ الاسترداد', capture: 'مبلغ التحصيل' },
  refund: 'استرداد',
  capture: 'تحصيل',
  void: 'إلغاء الحجز',
  voidConfirm: 'تأكيد إلغاء حجز المبلغ',
};

export const transactionLabels: Readonly<Record<Language, TransactionLabels>> = { en, ar };
