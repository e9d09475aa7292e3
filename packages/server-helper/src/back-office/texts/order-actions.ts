import { byLanguage, isolated } from './by-language.ts';

/** The texts of what a person can do about an order. */
export const orderActionTexts = byLanguage({
  heading: ['Actions', 'الإجراءات'],
  none: ['Nothing can be done in this state.', 'لا إجراء متاح في هذه الحالة.'],
  confirm: {
    button: ['Ask the gateway now', 'التحقق من البوابة الآن'],
    hint: ['Moves no money.', 'لا تترتب عليه أي حركة مالية.'],
    title: (orderId: string) => [
      `Ask the gateway about order ${isolated(orderId)}?`,
      `هل تريد التحقق من الطلب ${isolated(orderId)} لدى البوابة؟`,
    ],
    text: [
      'The gateway’s answer is recorded, as at any status check. If it shows a payment, the order is paid and your shop is told.',
      'يُسجَّل رد البوابة كما في كل تحقق من الحالة. إذا أظهر الرد دفعة، يصبح الطلب مدفوعًا ويُبلَّغ متجرك.',
    ],
    yes: ['Yes, ask now', 'نعم، تحقق الآن'],
  },
  giveUp: {
    button: ['Give the order up…', 'إلغاء الطلب…'],
    hint: [
      'For an order that nobody is going to pay. Moves no money.',
      'لطلب لن يُدفع. لا تترتب عليه أي حركة مالية.',
    ],
    title: (orderId: string) => [
      `Give order ${isolated(orderId)} up?`,
      `هل تريد إلغاء الطلب ${isolated(orderId)}؟`,
    ],
    text: [
      'The gateway is asked first: an order that is paid is not given up. No new payment link is made afterwards. Money that comes all the same through an old link is yours to refund, and nothing is shipped for it. It cannot be undone.',
      'يُتحقق من البوابة أولًا، ولا يُلغى طلب مدفوع. لا يُنشأ للطلب رابط دفع بعد ذلك. إن وصل مبلغ عبر رابط قديم فعليك استرداده للعميل، ولا يُشحن مقابله شيء. لا يمكن التراجع عن الإلغاء.',
    ],
    yes: ['Yes, give it up', 'نعم، ألغِ الطلب'],
  },
  reopen: {
    button: ['Let it be paid anew…', 'السماح بالدفع من جديد…'],
    hint: ['Its reviews are over, and it is still stopped.', 'انتهت مراجعات الطلب وما زال موقوفًا.'],
    title: (orderId: string) => [
      `Let order ${isolated(orderId)} be paid anew?`,
      `هل تسمح بدفع الطلب ${isolated(orderId)} من جديد؟`,
    ],
    text: [
      'The customer can get a payment link for it again. Refund money that came for it first: otherwise they pay twice.',
      'يمكن للعميل الحصول على رابط دفع جديد لهذا الطلب. إن سبق أن وصل مبلغ عنه فأعِده إلى العميل أولًا، وإلا فقد يدفع مرتين.',
    ],
    yes: ['Yes, let it be paid', 'نعم، اسمح بالدفع'],
  },
});

/** The texts of every confirmation page. */
export const questionTexts = byLanguage({
  cancel: ['Cancel', 'إلغاء'],
  once: ['It is done once, however often you press.', 'يُنفَّذ مرة واحدة مهما تكرر الضغط.'],
  mistake: ['Please check this', 'يُرجى مراجعة ما يلي'],
  changed: [
    'The order has changed since this was asked. Nothing was done: read the question again.',
    'تغيّر الطلب بعد طرح هذا السؤال، ولم يُنفَّذ شيء. اقرأ السؤال من جديد.',
  ],
});
