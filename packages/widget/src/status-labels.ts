import { LabelRegistry, type Labels } from './label-registry.ts';

const english = {
  language: 'en',
  direction: 'ltr',
  pending: 'Confirming your payment',
  pendingText: 'This usually takes a few seconds. You can keep this page open.',
  paid: 'Payment received',
  paidText: 'Thank you. Your order is paid.',
  failed: 'Payment did not go through',
  failedText: 'You can try again, or use another card.',
  expired: 'Payment expired',
  expiredText: 'The payment page has expired. Start the payment again from your order.',
  review: 'The shop is checking this payment',
  reviewText: 'You need not pay again. The shop will contact you.',
  refunded: 'Payment refunded',
  refundedText: 'Money was returned to your card. Your bank may take some days to show it.',
  /** Replaces `pendingText` once the element has stopped asking. */
  endedText: 'There is no confirmation yet. Please do not pay again before you check.',
  checkAgain: 'Check again',
  /** The spoken name of the riyal sign. */
  riyal: 'SAR',
} as const;

/** The texts of `<pay-status>`: a heading and a line for each view. */
export type StatusLabels = Labels & Readonly<Record<keyof typeof english, string>>;

export const statusLabels = new LabelRegistry<StatusLabels>(english, {
  language: 'ar',
  direction: 'rtl',
  pending: 'جارٍ تأكيد عملية الدفع',
  pendingText: 'يستغرق ذلك عادةً بضع ثوانٍ. يمكنك إبقاء هذه الصفحة مفتوحة.',
  paid: 'تم استلام المبلغ',
  paidText: 'شكرًا لك. تم دفع قيمة طلبك.',
  failed: 'لم تكتمل عملية الدفع',
  failedText: 'يمكنك المحاولة مرة أخرى أو استخدام بطاقة أخرى.',
  expired: 'انتهت مهلة الدفع',
  expiredText: 'انتهت صلاحية صفحة الدفع. ابدأ الدفع من جديد من صفحة طلبك.',
  review: 'يراجع المتجر عملية الدفع',
  reviewText: 'لا حاجة للدفع مرة أخرى، وسيتواصل المتجر معك.',
  refunded: 'تم استرداد المبلغ',
  refundedText: 'أُعيد المبلغ إلى بطاقتك، وقد يستغرق ظهوره لدى البنك عدة أيام.',
  endedText: 'لم يصلنا التأكيد بعد. تحقّق قبل أن تدفع مرة أخرى.',
  checkAgain: 'تحقّق مرة أخرى',
  riyal: 'ر.س',
});

/** Adds a language to `<pay-status>`, or changes some of its texts. Elements on the page follow. */
export function registerStatusLabels(locale: string, labels: Partial<StatusLabels>): void {
  statusLabels.register(locale, labels);
}
