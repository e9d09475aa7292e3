import type { TextPairs } from './by-language.ts';

/** What the admin’s pages say after an action. */
export const feedbackTexts = {
  notices: {
    refund: [
      'The gateway accepted the refund. It completes within seconds.',
      'قبلت البوابة الاسترداد، ويكتمل خلال ثوانٍ.',
    ],
    capture: ['The amount was captured.', 'تم خصم المبلغ المحجوز.'],
    void: ['The reservation was released.', 'تم فك الحجز.'],
    recurring: ['The customer was charged again.', 'تم الخصم من العميل مجددًا.'],
    sale: ['The card was accepted.', 'قُبلت البطاقة.'],
    declined: ['The issuer declined. Nothing was charged.', 'رفض البنك العملية، ولم يُخصم شيء.'],
    unknown: [
      'The answer was lost, and the operation may have happened. It stays on the review list until that is known.',
      'ضاع الرد، وربما تمت العملية. ستبقى في قائمة المراجعة حتى يُعرف ذلك.',
    ],
    refused: [
      'The gateway rejected the operation. No money moved.',
      'رفضت البوابة العملية، ولم يتحرك أي مبلغ.',
    ],
    resolved: ['Resolved.', 'تم إنهاء المراجعة.'],
    saved: ['Saved.', 'تم الحفظ.'],
  },
  problems: {
    amount_too_large: [
      'The amount is larger than what is left. Nothing was sent.',
      'المبلغ أكبر من المتبقي. لم يُرسل شيء.',
    ],
    invalid_operation: [
      'Enter an amount such as 20.00. Nothing was sent.',
      'أدخل مبلغًا مثل 20.00. لم يُرسل شيء.',
    ],
    wrong_state: [
      'The payment’s state does not allow this. Nothing was sent.',
      'حالة الدفعة لا تسمح بذلك. لم يُرسل شيء.',
    ],
    operation_in_progress: [
      'Another operation is under way. Try again in a moment.',
      'هناك عملية أخرى قيد التنفيذ. حاول بعد لحظات.',
    ],
    already_paid: [
      'The order is already paid. Nothing was sent.',
      'الطلب مدفوع من قبل. لم يُرسل شيء.',
    ],
    failed: [
      'The operation failed. Check the order’s timeline before you try again.',
      'لم تتم العملية. راجع سجل أحداث الطلب قبل المحاولة مجددًا.',
    ],
  },
} satisfies TextPairs;
