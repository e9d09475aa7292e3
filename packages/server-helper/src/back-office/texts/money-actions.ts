import { byLanguage, isolated } from './by-language.ts';

/** The texts of a field for an amount, and of the mistakes in it. */
export const amountFieldTexts = byLanguage({
  labels: {
    'refund-amount': (currency: string) => [
      `Refund, in ${currency}`,
      `مبلغ الاسترداد بعملة ${isolated(currency)}`,
    ],
    'capture-amount': (currency: string) => [
      `Capture, in ${currency}`,
      `مبلغ التحصيل بعملة ${isolated(currency)}`,
    ],
    'charge-amount': (currency: string) => [
      `New charge, in ${currency}`,
      `مبلغ الخصم الجديد بعملة ${isolated(currency)}`,
    ],
  },
  transaction: ['Of which transaction', 'من أي عملية'],
  noTransaction: [
    'Nothing is left to refund of this transaction.',
    'لم يبقَ من هذه العملية ما يُسترد.',
  ],
  notAnAmount: [
    'Write an amount above zero, such as 20.00, with two decimals at most.',
    'اكتب مبلغًا أكبر من صفر، مثل 20.00، بمنزلتين عشريتين على الأكثر.',
  ],
  tooLarge: (most: string) => [
    `That is too much: ${most} at most.`,
    `المبلغ أكبر من المتاح، والحد الأقصى ${most}.`,
  ],
});

/** The texts of the actions that move an order's money. */
export const moneyActionTexts = byLanguage({
  refund: {
    button: ['Refund…', 'استرداد…'],
    hint: [
      'Back to the card that paid. You are asked once more before anything is sent.',
      'يعود المبلغ إلى البطاقة التي دُفع بها. ستُسأل مرة أخرى قبل الإرسال.',
    ],
    title: (amount: string) => [`Refund ${amount}?`, `هل تريد استرداد ${amount} للعميل؟`],
    text: (amount: string, orderId: string) => [
      `${amount} of order ${isolated(orderId)} goes from you back to the customer’s card.`,
      `يعود ${amount} من الطلب ${isolated(orderId)} من حسابك إلى بطاقة العميل.`,
    ],
    left: (amount: string) => [
      `${amount} of this transaction stays with you.`,
      `يبقى لديك ${amount} من هذه العملية.`,
    ],
    nothingLeft: ['Nothing of this transaction stays with you.', 'لا يبقى لديك شيء من هذه العملية.'],
    final: [
      'A refund that was sent cannot be taken back.',
      'لا يمكن التراجع عن الاسترداد بعد إرساله.',
    ],
    proposed: (most: string) => [
      `Nothing is sent yet. Together with the order’s earlier refunds that nobody approved it is more than ${most}, so another person must approve it.`,
      `لن يُرسل شيء الآن. المبلغ، مع ما سبق استرداده من هذا الطلب دون موافقة، يتجاوز ${most}، لذا لا بد من موافقة شخص آخر.`,
    ],
    yes: (amount: string) => [`Yes, refund ${amount}`, `نعم، استرداد ${amount}`],
    propose: ['Ask for approval', 'اطلب الموافقة'],
  },
  capture: {
    button: ['Capture…', 'تحصيل المبلغ المحجوز…'],
    hint: [
      'Takes the amount that is held on the card, or a part of it, once.',
      'يُحصَّل المبلغ المحجوز على البطاقة، كله أو جزء منه، مرة واحدة فقط.',
    ],
    title: (amount: string) => [`Capture ${amount}?`, `هل تريد تحصيل ${amount}؟`],
    text: (amount: string, orderId: string) => [
      `${amount} is taken from the customer’s card for order ${isolated(orderId)}, and is yours.`,
      `يُحصَّل ${amount} من بطاقة العميل عن الطلب ${isolated(orderId)} لصالح متجرك.`,
    ],
    rest: (amount: string) => [
      `${amount} of the held amount is not taken, and cannot be taken later.`,
      `أما ${amount} من المبلغ المحجوز فلا يُحصَّل، ولا يمكن تحصيله لاحقًا.`,
    ],
    once: [
      'A held amount is captured once. Money that was taken goes back by a refund only.',
      'يُحصَّل المبلغ المحجوز مرة واحدة، ولا يعود ما حُصّل إلا بالاسترداد.',
    ],
    yes: (amount: string) => [`Yes, capture ${amount}`, `نعم، تحصيل ${amount}`],
  },
  void: {
    button: ['Void…', 'فك الحجز…'],
    hint: [
      'Releases the amount that is held on the card. Nothing is taken.',
      'يفك حجز المبلغ على البطاقة، ولا يُخصم شيء.',
    ],
    title: (amount: string) => [`Release the held ${amount}?`, `هل تريد فك حجز ${amount}؟`],
    text: (amount: string, orderId: string) => [
      `The customer has ${amount} at their disposal again, and you get no money for order ${isolated(orderId)}. It cannot be captured afterwards.`,
      `يُتاح ${amount} للعميل من جديد، ولا يصلك أي مبلغ عن الطلب ${isolated(orderId)}. لا يمكن تحصيله بعد ذلك.`,
    ],
    yes: ['Yes, release it', 'نعم، فك الحجز'],
  },
  charge: {
    button: ['Charge again…', 'خصم جديد…'],
    hint: [
      'Takes money from the customer’s card by the token that the first payment left.',
      'يُخصم المبلغ من بطاقة العميل بالرمز المحفوظ عند دفعته الأولى.',
    ],
    period: ['For which period', 'عن أي فترة'],
    periodHint: [
      'Such as 2026-11. Each is charged once, ever.',
      'مثل 2026-11. تُخصم كل فترة مرة واحدة فقط.',
    ],
    notAPeriod: [
      'Name the period in letters and digits without spaces, such as 2026-11.',
      'اكتب الفترة بحروف لاتينية وأرقام دون مسافات، مثل 2026-11.',
    ],
    charged: (period: string) => [
      `The period ${isolated(period)} was charged before, or it was tried. Look at the order’s operations.`,
      `سبق خصم الفترة ${isolated(period)} أو محاولة خصمها. راجع عمليات الطلب.`,
    ],
    title: (amount: string) => [`Charge ${amount} again?`, `هل تريد خصم ${amount} من جديد؟`],
    text: (amount: string, orderId: string, period: string) => [
      `${amount} is taken from the card of the customer of order ${isolated(orderId)}, for ${isolated(period)}. The customer is not asked.`,
      `يُخصم ${amount} من بطاقة عميل الطلب ${isolated(orderId)} عن ${isolated(period)}، دون الرجوع إلى العميل.`,
    ],
    final: [
      'Do it only with the customer’s consent. It goes back by a refund only.',
      'لا تفعل ذلك إلا بموافقة العميل. لا يعود المبلغ إلا بالاسترداد.',
    ],
    yes: (amount: string) => [`Yes, charge ${amount}`, `نعم، خصم ${amount}`],
  },
});
