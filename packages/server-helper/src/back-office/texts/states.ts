import { byLanguage } from './by-language.ts';

/** Words for states and kinds, as a badge or a cell shows them. */
export const stateTexts = byLanguage({
  payment: {
    unpaid: ['Not paid', 'غير مدفوع'],
    pending: ['Waiting for payment', 'بانتظار الدفع'],
    paid: ['Paid', 'مدفوع'],
    failed: ['Declined', 'مرفوض'],
    expired: ['Expired', 'منتهي'],
    partially_refunded: ['Partly refunded', 'مسترد جزئيًا'],
    refunded: ['Refunded', 'مسترد'],
    paid_late: ['Paid too late', 'مدفوع بعد الإلغاء'],
    review: ['In review', 'قيد المراجعة'],
    authorized: ['Authorized', 'المبلغ محجوز'],
    captured: ['Captured', 'تم التحصيل'],
    voided: ['Voided', 'فُك الحجز'],
  },
  meaning: {
    unpaid: ['Nobody has asked for a payment link yet.', 'لم يُطلب رابط دفع بعد.'],
    pending: [
      'A payment link is open. No money has been seen yet.',
      'رابط الدفع مفتوح، ولم تصل أي دفعة بعد.',
    ],
    paid: [
      'The gateway confirmed the whole amount. The order may be shipped.',
      'أكدت البوابة كامل المبلغ. يمكن شحن الطلب.',
    ],
    failed: [
      'Every try so far was declined. No money was taken; the customer may try again.',
      'رُفضت كل المحاولات حتى الآن، ولم يُخصم أي مبلغ. يمكن للعميل المحاولة مجددًا.',
    ],
    expired: [
      'The last payment link ended unpaid. A new one may follow.',
      'انتهى آخر رابط دون دفع، ويمكن إنشاء رابط جديد.',
    ],
    partially_refunded: [
      'A part of the money went back to the card.',
      'أُعيد جزء من المبلغ إلى البطاقة.',
    ],
    refunded: ['All of the money went back to the card.', 'أُعيد كامل المبلغ إلى البطاقة.'],
    paid_late: [
      'Money came after the order was cancelled. It is not shipped: refund it, or accept it in the review.',
      'وصل المبلغ بعد إلغاء الطلب. لا يُشحن الطلب: أعِد المبلغ إلى العميل أو اقبله من قائمة المراجعة.',
    ],
    review: [
      'Something does not match. Do not ship before the review is over.',
      'توجد بيانات غير متطابقة. لا تشحن الطلب قبل انتهاء المراجعة.',
    ],
    authorized: [
      'The amount is held on the card and not taken yet. Capture it, or void it.',
      'المبلغ محجوز على البطاقة ولم يُحصَّل بعد. حصّله أو فُك حجزه.',
    ],
    captured: [
      'The held amount was taken. The order may be shipped.',
      'حُصّل المبلغ المحجوز. يمكن شحن الطلب.',
    ],
    voided: ['The held amount was released. Nothing was taken.', 'فُك حجز المبلغ، ولم يُخصم شيء.'],
  },
  cancelled: ['Order cancelled', 'الطلب ملغى'],
  checking: ['Being checked', 'قيد التحقق'],
  attempt: {
    creating: ['Being made', 'قيد الإنشاء'],
    open: ['Open', 'مفتوح'],
    succeeded: ['Succeeded', 'نجح'],
    closed: ['Closed', 'مغلق'],
    lost: ['Lost', 'لم يصل الرد'],
  },
  means: {
    link: ['Payment link', 'رابط دفع'],
    sale: ['Sale', 'خصم مباشر'],
    authorization: ['Authorization', 'حجز'],
    charge: ['Recurring charge', 'خصم دوري'],
  },
  role: {
    payment: ['Pays the order', 'دفعة الطلب'],
    late: ['Came late', 'وصلت متأخرة'],
    duplicate: ['Duplicate charge', 'خصم مكرر'],
    discrepancy: ['Does not match', 'لا تطابق الطلب'],
    charge: ['Recurring charge', 'خصم دوري'],
  },
  operationKind: {
    refund: ['Refund', 'استرداد'],
    capture: ['Capture', 'تحصيل'],
    void: ['Void', 'فك الحجز'],
    recurring: ['Recurring charge', 'خصم دوري'],
    sale: ['Sale', 'خصم مباشر'],
  },
  operation: {
    proposed: ['Waits for approval', 'بانتظار الموافقة'],
    sending: ['Being sent', 'قيد الإرسال'],
    pending: ['Accepted, not confirmed yet', 'قُبل ولم يتأكد بعد'],
    succeeded: ['Succeeded', 'تم'],
    failed: ['Failed', 'لم يتم'],
    unknown: ['Unknown outcome', 'النتيجة غير معروفة'],
  },
  delivery: {
    waiting: ['Waiting', 'بانتظار التسليم'],
    unhandled: ['No handler here', 'لا معالج له هنا'],
    done: ['Delivered', 'سُلّم'],
    dead: ['Failed too often', 'تكرر فشله'],
  },
  entry: {
    attempt: ['Attempt', 'محاولة'],
    evidence: ['Evidence', 'رد البوابة'],
    verdict: ['Verdict', 'نتيجة التحقق'],
    operation: ['Operation', 'عملية'],
    review: ['Review', 'مراجعة'],
    payment: ['Payment', 'الدفعة'],
    refunded: ['Refund', 'استرداد'],
    cancelled: ['Cancellation', 'إلغاء'],
    redelivered: ['Event', 'حدث'],
  },
});
