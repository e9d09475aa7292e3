import { byLanguage } from './by-language.ts';

/** What the page after an action says. The names stand in addresses. */
export const noticeTexts = byLanguage({
  confirmed_changed: [
    'The gateway was asked, and the payment has changed.',
    'تم التحقق من البوابة، وتغيّرت حالة الدفعة.',
  ],
  confirmed_unchanged: [
    'The gateway was asked. It says nothing new.',
    'تم التحقق من البوابة، ولا جديد لديها.',
  ],
  operation_proposed: [
    'Nothing was sent yet: another person must approve it in the review list.',
    'لم يُرسل شيء بعد: لا بد من موافقة شخص آخر في قائمة المراجعة.',
  ],
  operation_sending: [
    'It is being sent right now. Open the order again in a minute to see how it ended.',
    'يجري الإرسال الآن. افتح الطلب بعد دقيقة لمعرفة النتيجة.',
  ],
  operation_pending: [
    'The gateway accepted it. It is confirmed when the gateway’s status shows it.',
    'قبلته البوابة، ويتأكد عندما يظهر في حالة العملية لديها.',
  ],
  operation_succeeded: ['Done: the gateway confirmed it.', 'تم: أكدته البوابة.'],
  operation_failed: [
    'It was not done, and no money moved. The order’s operations say why.',
    'لم يُنفَّذ، ولم تتم أي حركة مالية. السبب مذكور ضمن عمليات الطلب.',
  ],
  operation_unknown: [
    'The answer was lost: it may have happened or not. Do not ask for it again; it waits in the review list.',
    'ضاع الرد: ربما نُفّذ وربما لم يُنفَّذ. لا تطلبه مرة أخرى؛ ستجده في قائمة المراجعة.',
  ],
  other_meanwhile: [
    'Something else was asked for in the same moment, so that this was not done. Look at the order’s operations, then decide again.',
    'طُلب في اللحظة نفسها إجراء آخر، فلم يُنفَّذ طلبك هذا. راجع عمليات الطلب ثم قرّر من جديد.',
  ],
  cancelled: [
    'The order is given up. Money that still comes is reported and not shipped for.',
    'أُلغي الطلب. أي مبلغ يصل بعد الآن يُبلَّغ عنه ولا يُشحن مقابله شيء.',
  ],
  accepted: [
    'The money is the order’s payment now, and your shop is told.',
    'أصبح المبلغ دفعةً للطلب، ويُبلَّغ متجرك بذلك.',
  ],
  resolved: ['The review is over. No money moved.', 'انتهت المراجعة، ولم تتم أي حركة مالية.'],
  reopened: [
    'The order may be paid anew once nothing else about it is open.',
    'يمكن دفع الطلب من جديد متى لم يبقَ بشأنه ما يحتاج إلى قرار.',
  ],
  outcome_recorded: [
    'What you found out is recorded. Nothing was sent to the gateway.',
    'سُجّل ما توصلت إليه، ولم يُرسل شيء إلى البوابة.',
  ],
  redelivered: [
    'The event is delivered again, with as many tries as at first.',
    'يُسلَّم الحدث من جديد، بعدد المحاولات نفسه.',
  ],
  withdrawn: [
    'The refund is withdrawn. Nothing was sent, and no money moved.',
    'سُحب طلب الاسترداد. لم يُرسل شيء، ولم تتم أي حركة مالية.',
  ],
  matter_over: [
    'This matter is not open any more: it has been decided. The order’s page says how.',
    'لم تعد هذه الحالة مفتوحة، فقد حُسمت. التفاصيل في صفحة الطلب.',
  ],
  webhook_on: ['The webhook is on.', 'فُعّل الإشعار.'],
  webhook_off: ['The webhook is off.', 'أُوقف الإشعار.'],
  webhook_deleted: ['The webhook is deleted.', 'حُذف الإشعار.'],
  token_on: ['The token is on.', 'فُعّل الرمز.'],
  token_off: ['The token is off.', 'أُوقف الرمز.'],
});

/** The names of the notices. */
export type NoticeName = keyof (typeof noticeTexts)['en'];
