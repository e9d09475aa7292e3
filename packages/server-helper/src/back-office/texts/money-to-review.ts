/** Reviews of money that came: what happened, what it means for the money, and what to do. */
export const moneyReviewTexts = {
  amount_mismatch: {
    title: ['Another amount was paid', 'دُفع مبلغ مختلف'],
    happened: [
      'The gateway took an amount other than the order’s.',
      'خصمت البوابة مبلغًا يختلف عن قيمة الطلب.',
    ],
    money: [
      'The money is with you, and the order does not count as paid.',
      'المبلغ لديك، ولا يُعد الطلب مدفوعًا.',
    ],
    todo: [
      'Refund it, or accept what came as the order’s payment.',
      'أعِد المبلغ إلى العميل، أو اقبل ما وصل دفعةً للطلب.',
    ],
  },
  currency_mismatch: {
    title: ['Another currency was paid', 'دُفع بعملة أخرى'],
    happened: [
      'The gateway took a currency other than the order’s.',
      'خصمت البوابة بعملة غير عملة الطلب.',
    ],
    money: [
      'The money is with you, and the order does not count as paid.',
      'المبلغ لديك، ولا يُعد الطلب مدفوعًا.',
    ],
    todo: [
      'Refund it. Money in another currency cannot be accepted.',
      'أعِد المبلغ إلى العميل. لا يمكن قبول مبلغ بعملة أخرى.',
    ],
  },
  duplicate_charge: {
    title: ['The customer paid twice', 'دفع العميل مرتين'],
    happened: [
      'A second payment arrived for an order that is paid already.',
      'وصلت دفعة ثانية لطلب مدفوع.',
    ],
    money: [
      'You have the order’s amount twice. The order is paid once and ships once.',
      'لديك قيمة الطلب مرتين. الطلب مدفوع مرة واحدة ويُشحن مرة واحدة.',
    ],
    todo: ['Refund this second transaction.', 'أعِد مبلغ هذه العملية الثانية إلى العميل.'],
  },
  order_changed: {
    title: ['The price changed before it was paid', 'تغيّر السعر قبل الدفع'],
    happened: [
      'The order’s price or currency changed after its payment link was made, and the link was paid.',
      'تغيّر سعر الطلب أو عملته بعد إنشاء رابط الدفع، ثم دُفع الرابط.',
    ],
    money: [
      'The money of the old price is with you, and the order does not count as paid.',
      'المبلغ بالسعر القديم لديك، ولا يُعد الطلب مدفوعًا.',
    ],
    todo: [
      'Decide which price holds: accept what came, or refund it.',
      'قرّر أي السعرين هو المعتمد: اقبل ما وصل، أو أعِده إلى العميل.',
    ],
  },
  order_missing: {
    title: ['Money came for an unknown order', 'وصل مبلغ لطلب غير معروف'],
    happened: [
      'Money arrived, and the shop did not find the order when it was asked for its price.',
      'وصل مبلغ، ولم يعثر المتجر على الطلب عند السؤال عن سعره.',
    ],
    money: ['The money is with you, and nothing was shipped.', 'المبلغ لديك، ولم يُشحن شيء.'],
    todo: [
      'If the order exists, have loadOrder mended and accept the money; otherwise refund it.',
      'إن كان الطلب موجودًا فاطلب إصلاح \u2068loadOrder\u2069 ثم اقبل المبلغ، وإلا فأعِده إلى العميل.',
    ],
  },
  paid_in_review: {
    title: ['Paid while in review', 'دُفع أثناء المراجعة'],
    happened: [
      'The right amount arrived while the order was in review for another reason.',
      'وصل المبلغ الصحيح والطلب قيد المراجعة لسبب آخر.',
    ],
    money: [
      'The money is with you, and the order does not count as paid yet.',
      'المبلغ لديك، ولا يُعد الطلب مدفوعًا بعد.',
    ],
    todo: [
      'Accept it or refund it, and decide the order’s other matters with it.',
      'اقبله أو أعِده إلى العميل، واحسم معه بقية أمور هذا الطلب.',
    ],
  },
  paid_late: {
    title: ['Paid after the order was over', 'دُفع بعد انتهاء الطلب'],
    happened: [
      'Money arrived for an order that had been cancelled or had expired.',
      'وصل مبلغ لطلب أُلغي أو انتهت مدته.',
    ],
    money: [
      'The money is with you, and nothing is shipped for it.',
      'المبلغ لديك، ولا يُشحن شيء مقابله.',
    ],
    todo: [
      'Refund it, or accept it if you can still deliver.',
      'أعِد المبلغ إلى العميل، أو اقبله إن كان التسليم ما زال ممكنًا.',
    ],
  },
  superseded_amount: {
    title: ['An old link was paid', 'دُفع رابط قديم'],
    happened: [
      'A link for a former price was paid after the order’s price changed.',
      'دُفع رابط بسعر سابق بعد تغيّر سعر الطلب.',
    ],
    money: [
      'The money of the old price is with you, and the order does not count as paid.',
      'المبلغ بالسعر القديم لديك، ولا يُعد الطلب مدفوعًا.',
    ],
    todo: ['Accept the old price, or refund it.', 'اقبل السعر القديم، أو أعِد المبلغ إلى العميل.'],
  },
  unattributed_payment: {
    title: ['Whose payment is this?', 'لمن هذه الدفعة؟'],
    happened: [
      'Only a webhook says that this payment is for this order; the gateway’s own record names none.',
      'إشعار وحده ينسب هذه الدفعة إلى الطلب، ولا يذكر سجل البوابة أي طلب.',
    ],
    money: [
      'The money is with you and fits the order’s amount. The order does not count as paid.',
      'المبلغ لديك ويطابق قيمة الطلب، ولا يُعد الطلب مدفوعًا.',
    ],
    todo: [
      'Look the transaction up on the dashboard. Accept it if it is this order’s; otherwise resolve it and ship nothing.',
      'ابحث عن العملية في لوحة البوابة. اقبلها إن كانت لهذا الطلب، وإلا فأنهِ المراجعة ولا تشحن شيئًا.',
    ],
  },
} as const;
