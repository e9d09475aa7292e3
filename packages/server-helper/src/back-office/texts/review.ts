import { answerReviewTexts } from './answers-to-review.ts';
import { byLanguage } from './by-language.ts';
import { moneyReviewTexts } from './money-to-review.ts';

/** The texts of the review list. */
export const reviewTexts = byLanguage({
  title: ['Review', 'المراجعة'],
  lead: [
    'What the kit cannot decide, the oldest first. Nothing here was shipped by mistake, and nothing moves money with one press.',
    'حالات لا تُحسم تلقائيًا، الأقدم أولًا. لم يُشحن أي منها بالخطأ، ولا تتم أي حركة مالية بضغطة واحدة.',
  ],
  empty: ['Nothing waits for a person.', 'لا توجد حالات بانتظار قرار.'],
  emptyHint: [
    'Orders that need a decision appear here, with what happened and what to do.',
    'تظهر هنا الطلبات التي تحتاج إلى قرار، مع ما حدث وما يلزم فعله.',
  ],
  happened: ['What happened', 'ما حدث'],
  money: ['The money', 'المبلغ'],
  todo: ['What to do', 'الإجراء المطلوب'],
  order: ['Order', 'الطلب'],
  since: ['Since', 'منذ'],
  askedFor: ['Asked for', 'المبلغ المطلوب'],
  came: ['What came', 'المبلغ المستلم'],
  about: ['About', 'بشأن'],
  tries: ['Tries', 'المحاولات'],
  event: ['Event', 'الحدث'],
  more: [
    'Only the oldest are shown. More appear when these are resolved.',
    'تظهر الأقدم فقط، ويظهر غيرها بعد إنهاء هذه.',
  ],
  deadLetter: {
    title: ['Your shop’s own code keeps failing', 'يتكرر تعذّر معالجة حدث في متجرك'],
    happened: [
      'The handler for an event of this order failed twenty times, so that it is not called any more.',
      'فشل معالج أحد أحداث هذا الطلب عشرين مرة، ولن يُستدعى بعد الآن.',
    ],
    money: [
      'The payment itself is recorded. What your shop does upon it, such as shipping or a mail, was not done.',
      'الدفعة نفسها مسجّلة. أما ما يفعله متجرك بعدها، كالشحن أو إرسال بريد، فلم يحدث.',
    ],
    todo: [
      'Have the handler mended, then deliver the event again.',
      'اطلب إصلاح المعالج، ثم أعد تسليم الحدث.',
    ],
  },
  proposal: {
    title: ['A refund waits for approval', 'استرداد بانتظار الموافقة'],
    happened: [
      'A person asked for this refund, and another one must approve it.',
      'طلب أحدهم هذا الاسترداد، ولا بد من موافقة شخص آخر.',
    ],
    money: ['Nothing was sent, and no money moved.', 'لم يُرسل شيء، ولم تتم أي حركة مالية.'],
    todo: [
      'Look at the order, then approve the refund or withdraw it.',
      'راجع الطلب، ثم وافق على الاسترداد أو اسحبه.',
    ],
  },
  refund: ['Refund', 'الاسترداد'],
  requestedBy: ['Asked for by', 'بطلب من'],
  reasons: { ...moneyReviewTexts, ...answerReviewTexts },
});
