import { byLanguage, isolated } from './by-language.ts';

/** The texts of the words that are kept with a decision. */
export const whyTexts = byLanguage({
  label: ['What did you find out?', 'ما الذي توصلت إليه؟'],
  hint: [
    'Kept with the order, with your name. No card numbers or passwords.',
    'يُحفظ مع الطلب باسمك. لا تكتب أرقام بطاقات أو كلمات مرور.',
  ],
  mistake: [
    'Say what you found out, in at most 500 characters.',
    'اكتب ما توصلت إليه، في 500 حرف على الأكثر.',
  ],
});

/** The texts of what a person can do about a matter under review. */
export const reviewActionTexts = byLanguage({
  accept: {
    button: ['Accept the money…', 'قبول المبلغ…'],
    title: (amount: string, orderId: string) => [
      `Accept ${amount} for order ${isolated(orderId)}?`,
      `هل تقبل ${amount} دفعةً للطلب ${isolated(orderId)}؟`,
    ],
    whole: (came: string) => [
      `${came} came, as much as was asked for. It is enough from now on, also where the price has changed since.`,
      `وصل ${came}، وهو المبلغ الذي طُلب حينها. يُعد كافيًا من الآن فصاعدًا، وإن تغيّر السعر بعد ذلك.`,
    ],
    other: (came: string, price: string) => [
      `${came} came, and ${price} was asked for. What came is enough from now on.`,
      `وصل ${came}، والمبلغ المطلوب ${price}. يُعد ما وصل كافيًا من الآن فصاعدًا.`,
    ],
    text: [
      'The order counts as paid and your shop is told, so that it may ship at once. The gateway is asked first whether the money is still there. No money moves. It cannot be undone; afterwards the money can only be refunded.',
      'يُعد الطلب مدفوعًا ويُبلَّغ متجرك، وقد يشحنه فورًا. يُتحقق من البوابة أولًا أن المبلغ ما زال لديك. لا تتم أي حركة مالية. لا يمكن التراجع عن القبول، ولا يبقى بعده إلا الاسترداد.',
    ],
    yes: (amount: string) => [`Yes, accept ${amount}`, `نعم، قبول ${amount}`],
  },
  refund: {
    button: ['Refund it…', 'استرداد المبلغ للعميل…'],
    ends: [
      'The matter leaves the list when the gateway shows that all of it went back.',
      'تُغلق الحالة عندما تُظهر البوابة أن المبلغ أُعيد كاملًا.',
    ],
  },
  resolve: {
    button: ['Resolve…', 'إنهاء المراجعة…'],
    title: (orderId: string) => [
      `Resolve this matter of order ${isolated(orderId)}?`,
      `هل تريد إنهاء هذه المراجعة للطلب ${isolated(orderId)}؟`,
    ],
    text: [
      'It leaves the list. That moves no money and makes nothing paid.',
      'تُغلق الحالة وتخرج من القائمة، دون أي حركة مالية، ولا يصبح الطلب مدفوعًا بذلك.',
    ],
    keeps: (amount: string) => [
      `${amount} stays with you. If the customer is to pay again, refund it first: otherwise they have paid twice.`,
      `يبقى لديك ${amount}. إن كان العميل سيدفع من جديد فأعِده إليه أولًا، وإلا يكون قد دفع مرتين.`,
    ],
    reopen: ['Let the order be paid anew', 'السماح بدفع الطلب من جديد'],
    reopenHint: [
      'Without this the order stays in review, and no payment link is made for it.',
      'بدون ذلك يبقى الطلب قيد المراجعة، ولا يُنشأ له رابط دفع.',
    ],
    yes: ['Yes, resolve it', 'نعم، أنهِ المراجعة'],
  },
  redeliver: {
    button: ['Deliver again…', 'إعادة التسليم…'],
    title: (event: string, orderId: string) => [
      `Deliver the event ${isolated(event)} of order ${isolated(orderId)} again?`,
      `هل تريد إعادة تسليم الحدث ${isolated(event)} للطلب ${isolated(orderId)}؟`,
    ],
    text: [
      'Your shop’s own code is called again, and does what it does upon this event, such as shipping or a mail. Do this after it was mended. The kit itself moves no money.',
      'يُرسل الحدث إلى نظام متجرك من جديد لينفّذ ما يلزم عنده، كالشحن أو إرسال بريد. أعد التسليم بعد إصلاح العطل. لا تتم أي حركة مالية من هنا.',
    ],
    yes: ['Yes, deliver it again', 'نعم، أعد التسليم'],
  },
});

/** The texts of what a person found out about an operation whose answer was lost. */
export const outcomeActionTexts = byLanguage({
  transaction: [
    'The transaction’s id, from the gateway’s dashboard',
    'معرّف العملية من لوحة البوابة',
  ],
  noTransaction: [
    'Write the transaction’s id as the gateway’s dashboard shows it, without spaces.',
    'اكتب معرّف العملية كما يظهر في لوحة البوابة، دون مسافات.',
  ],
  final: [
    'Nothing is sent to the gateway. The first answer is final, so look at the gateway’s dashboard before.',
    'لا يُرسل شيء إلى البوابة. القرار الأول نهائي، فراجع لوحة البوابة قبل تسجيله.',
  ],
  succeeded: {
    button: ['It happened…', 'نُفّذت العملية…'],
    title: (kind: string, amount: string) => [
      `${kind} of ${amount}: it happened?`,
      `${kind} بمبلغ ${amount}: هل تؤكد أنه نُفّذ؟`,
    ],
    text: {
      refund: [
        'The amount counts as refunded, so that it is not refunded a second time.',
        'يُعد المبلغ مستردًا للعميل، حتى لا يُعاد إليه مرة ثانية.',
      ],
      capture: [
        'The amount counts as taken: the order is captured and your shop is told, so that it may ship.',
        'يُعد المبلغ محصّلًا ويُبلَّغ متجرك، وقد يشحن الطلب.',
      ],
      void: [
        'The held amount counts as released. It cannot be captured any more.',
        'يُعد الحجز مفكوكًا، ولا يمكن تحصيل المبلغ بعد ذلك.',
      ],
      recurring: [
        'The customer counts as charged for the period, and is not charged for it again.',
        'يُعد العميل قد دفع عن الفترة، ولا يُخصم منه عنها مرة أخرى.',
      ],
      sale: [
        'The gateway is asked about the transaction that you name, and its answer decides whether the order is paid.',
        'يُستعلم من البوابة عن العملية التي تذكرها، وبردها يتقرر هل الطلب مدفوع.',
      ],
    },
    yes: ['Yes, it happened', 'نعم، نُفّذت'],
  },
  failed: {
    button: ['It did not happen…', 'لم تُنفَّذ العملية…'],
    title: (kind: string, amount: string) => [
      `${kind} of ${amount}: it did not happen?`,
      `${kind} بمبلغ ${amount}: هل تؤكد أنه لم يُنفَّذ؟`,
    ],
    text: {
      refund: [
        'The amount is yours to refund again. If it did go back, the customer could get it twice.',
        'يصبح المبلغ متاحًا للاسترداد من جديد. إن كان قد عاد فعلًا فقد يستلمه العميل مرتين.',
      ],
      capture: [
        'The amount counts as still held, and can be captured or released again.',
        'يُعد المبلغ محجوزًا، ويمكن تحصيله أو فك حجزه من جديد.',
      ],
      void: [
        'The amount counts as still held, and can be captured or released again.',
        'يُعد المبلغ محجوزًا، ويمكن تحصيله أو فك حجزه من جديد.',
      ],
      recurring: [
        'The customer counts as not charged. This period is not charged again; another one can be.',
        'يُعد الخصم من العميل غير منفَّذ. لا تُخصم هذه الفترة مرة أخرى، ويمكن خصم غيرها.',
      ],
      sale: [
        'The card counts as not charged, and the order may be paid in another way. If it was charged, the customer could pay twice.',
        'يُعد الخصم من البطاقة غير منفَّذ، ويمكن دفع الطلب بطريقة أخرى. إن كان قد خُصم منها فقد يدفع العميل مرتين.',
      ],
    },
    yes: ['Yes, it did not happen', 'نعم، لم تُنفَّذ'],
  },
});

/** The texts of what a person can do about a refund that another one asked for. */
export const proposalTexts = byLanguage({
  approve: {
    button: ['Approve…', 'الموافقة…'],
    title: (amount: string) => [
      `Approve the refund of ${amount}?`,
      `هل توافق على استرداد ${amount} للعميل؟`,
    ],
    text: (amount: string, orderId: string) => [
      `${amount} of order ${isolated(orderId)} goes from you back to the customer’s card.`,
      `يعود ${amount} من الطلب ${isolated(orderId)} من حسابك إلى بطاقة العميل.`,
    ],
    by: (person: string) => [`Asked for by ${isolated(person)}.`, `بطلب من ${isolated(person)}.`],
    final: [
      'It is sent as soon as you approve it, and cannot be taken back then.',
      'يُرسل فور موافقتك، ولا يمكن التراجع عنه بعد ذلك.',
    ],
    yes: (amount: string) => [`Yes, refund ${amount}`, `نعم، استرداد ${amount}`],
  },
  withdraw: {
    button: ['Withdraw…', 'سحب طلب الاسترداد…'],
    title: (amount: string) => [
      `Withdraw the refund of ${amount}?`,
      `هل تريد سحب طلب استرداد ${amount}؟`,
    ],
    text: [
      'It was not sent, and is not sent any more. No money moves.',
      'لم يُرسل الاسترداد ولن يُرسل. لا تتم أي حركة مالية.',
    ],
    yes: ['Yes, withdraw it', 'نعم، اسحب الطلب'],
  },
});
