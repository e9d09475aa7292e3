import { PaymentsError, type PaymentsErrorCode } from '../../errors.ts';
import { byLanguage, type Language } from './by-language.ts';

/** Why the engine refused something, by its code. */
const refusalTexts = byLanguage({
  already_paid: [
    'The order is paid. Money beside its payment can only be refunded.',
    'الطلب مدفوع. أي مبلغ آخر وصل عنه لا يمكن إلا إعادته إلى العميل.',
  ],
  amount_too_large: [
    'It is more than is left, counting what is under way or unknown.',
    'المبلغ أكبر من المتبقي بعد احتساب ما هو قيد التنفيذ وما لا تُعرف نتيجته.',
  ],
  attempt_in_progress: [
    'Another request is changing this order right now. Try again in a moment.',
    'يجري تعديل هذا الطلب الآن. حاول مرة أخرى بعد قليل.',
  ],
  hook_failed: [
    'The shop’s own code did not answer, so that the price of the order is not known. The shop’s log says more.',
    'لم يستجب نظام المتجر، فلم يُعرف سعر الطلب. التفاصيل في سجل المتجر.',
  ],
  in_review: [
    'The order has changed since: a new review says how. Decide about that one.',
    'تغيّر الطلب منذ ذلك الحين، وتوضّح مراجعة جديدة ما تغيّر. احسم المراجعة الجديدة.',
  ],
  invalid_operation: [
    'What was entered cannot be used. Check it and try again.',
    'ما أُدخل غير صالح. راجعه وحاول مرة أخرى.',
  ],
  not_confirmed: [
    'The gateway does not say for certain what became of the money right now. Try again later.',
    'لا تؤكد البوابة الآن ما آل إليه المبلغ. حاول مرة أخرى لاحقًا.',
  ],
  operation_in_progress: [
    'Another operation on this money is under way, waits for approval, or its outcome is not known. Wait for its end, or end it in the review list.',
    'هناك عملية أخرى على هذا المبلغ قيد التنفيذ أو بانتظار الموافقة أو لا تُعرف نتيجتها. انتظر انتهاءها أو احسمها في قائمة المراجعة.',
  ],
  operation_resolved: [
    'Its outcome is known already, and it is another one.',
    'سبق تسجيل نتيجة العملية، وهي مختلفة عن ذلك.',
  ],
  order_not_found: [
    'The shop does not know this order any more.',
    'لم يعد هذا الطلب معروفًا في المتجر.',
  ],
  recurring_token_unreadable: [
    'The customer’s token is stored, but no key opens it. The shop’s key is missing from encryptionKeys.',
    'رمز العميل محفوظ، لكن لا يوجد مفتاح يفك تشفيره. مفتاح المتجر غير موجود في \u2068encryptionKeys\u2069.',
  ],
  request_id_reused: [
    'Something else was asked for in the same moment, by you or another person. Look at the order, then decide again.',
    'طُلب في اللحظة نفسها إجراء آخر، منك أو من شخص آخر. راجع الطلب ثم قرّر من جديد.',
  ],
  same_person: [
    'Another person must approve what this one asked for.',
    'لا بد أن يوافق شخص آخر غير من قدّم الطلب.',
  ],
  wrong_state: [
    'The payment is in a state in which this cannot be done.',
    'حالة الدفعة لا تسمح بهذا الإجراء.',
  ],
});

/** A refusal in the reader's language; the error's own words for a code without any. */
export function refusalText(language: Language, error: Error): string {
  const texts: Readonly<Partial<Record<PaymentsErrorCode, string>>> = refusalTexts[language];
  return (error instanceof PaymentsError && texts[error.code]) || error.message;
}
