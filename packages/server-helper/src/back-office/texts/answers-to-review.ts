/** Reviews of what the gateway says, or does not: what happened, what it means for the money, what to do. */
export const answerReviewTexts = {
  incomplete_answer: {
    title: ['The gateway left rows out', 'رد البوابة ناقص'],
    happened: [
      'The gateway counts more transactions for this order than it sent.',
      'تذكر البوابة لهذا الطلب عمليات أكثر مما أرسلت.',
    ],
    money: [
      'A missing one may be a payment. The order takes no second link meanwhile.',
      'قد تكون إحدى العمليات الناقصة دفعة. لا يُنشأ للطلب رابط ثانٍ في هذه الأثناء.',
    ],
    todo: [
      'Look the order up on the gateway’s dashboard. A whole answer ends this by itself; otherwise resolve it.',
      'ابحث عن الطلب في لوحة البوابة. ينتهي هذا تلقائيًا بوصول رد كامل، وإلا فأنهِ المراجعة.',
    ],
  },
  no_evidence: {
    title: ['Nobody knows whether the link was paid', 'لا يُعرف هل دُفع الرابط'],
    happened: [
      'The gateway gave no answer about a payment link, or does not know it although a customer came back from it; or the shop has lost a link that the gateway has.',
      'لم تُجب البوابة عن رابط الدفع، أو لا تعرفه مع أن العميل عاد منه، أو فقد المتجر رابطًا موجودًا لدى البوابة.',
    ],
    money: [
      'The customer may have paid. The order does not count as paid and takes no second link.',
      'ربما دفع العميل. لا يُعد الطلب مدفوعًا، ولا يُنشأ له رابط ثانٍ.',
    ],
    todo: [
      'Look it up on the gateway’s dashboard, then ask the gateway again here. Resolve it if nothing was paid.',
      'ابحث عنه في لوحة البوابة، ثم تحقق من البوابة من هنا مجددًا. أنهِ المراجعة إن لم يُدفع شيء.',
    ],
  },
  order_mismatch: {
    title: ['The gateway names another order', 'تذكر البوابة طلبًا آخر'],
    happened: [
      'The gateway’s answer about this order bears the name of another one.',
      'يحمل رد البوابة عن هذا الطلب رقم طلب آخر.',
    ],
    money: [
      'The money may belong to the other order. Nothing here counts as paid.',
      'قد يكون المبلغ للطلب الآخر. لا يُعد هذا الطلب مدفوعًا.',
    ],
    todo: [
      'Ship nothing. Ask the gateway’s support, with the transaction’s id.',
      'لا تشحن شيئًا. تواصل مع دعم البوابة مع ذكر معرّف العملية.',
    ],
  },
  payment_contradiction: {
    title: ['The gateway contradicts itself', 'البوابة تناقض نفسها'],
    happened: [
      'The gateway no longer shows money that it had confirmed.',
      'لم تعد البوابة تُظهر مبلغًا سبق أن أكدته.',
    ],
    money: [
      'The order stays paid here until a refund is shown. The money may be gone.',
      'يبقى الطلب مدفوعًا هنا إلى أن يظهر استرداد، وربما لم يعد المبلغ لديك.',
    ],
    todo: [
      'Ask the gateway’s support, with the transaction’s id.',
      'تواصل مع دعم البوابة مع ذكر معرّف العملية.',
    ],
  },
  refund_contradiction: {
    title: ['The refunds do not add up', 'مبالغ الاسترداد لا تتطابق'],
    happened: [
      'The refunded amount contradicts what the gateway said of it before.',
      'يناقض المبلغ المسترد ما ذكرته البوابة عنه سابقًا.',
    ],
    money: [
      'More or less may have gone back to the card than is recorded here.',
      'ربما أُعيد إلى البطاقة أكثر أو أقل مما هو مسجّل هنا.',
    ],
    todo: [
      'Compare with the gateway’s dashboard. Do not refund again before that.',
      'قارن بلوحة البوابة، ولا تطلب استردادًا آخر قبل ذلك.',
    ],
  },
  refunded_before_confirmed: {
    title: ['Refunded before it was confirmed', 'استُرد قبل تأكيده'],
    happened: [
      'The first answer that showed the payment showed a refund of it too.',
      'أظهر أول رد للبوابة الدفعة واستردادها معًا.',
    ],
    money: [
      'A part or all of the money went back. The order does not count as paid.',
      'أُعيد بعض المبلغ أو كله، ولا يُعد الطلب مدفوعًا.',
    ],
    todo: [
      'Compare with the gateway’s dashboard. Do not ship what was refunded.',
      'قارن بلوحة البوابة، ولا تشحن ما استُرد ثمنه.',
    ],
  },
  transaction_of_another_order: {
    title: ['The transaction belongs to another order', 'العملية تخص طلبًا آخر'],
    happened: [
      'The gateway reported one transaction for two orders.',
      'ذكرت البوابة العملية نفسها لطلبين.',
    ],
    money: [
      'It pays the first order only. This order does not count as paid.',
      'تُحتسب العملية للطلب الأول فقط، ولا يُعد هذا الطلب مدفوعًا.',
    ],
    todo: [
      'Ship nothing for this order. Ask the gateway’s support, with the transaction’s id.',
      'لا تشحن هذا الطلب. تواصل مع دعم البوابة مع ذكر معرّف العملية.',
    ],
  },
  unknown_outcome: {
    title: ['The answer was lost', 'ضاع الرد'],
    happened: [
      'A refund, capture, void or charge was sent to the gateway, and its answer did not arrive.',
      'أُرسل إلى البوابة استرداد أو تحصيل أو فك حجز أو خصم، ولم يصل ردها.',
    ],
    money: [
      'It may have happened or not. Sending it again under another key could move the money twice.',
      'ربما حدث وربما لم يحدث. إرساله مجددًا بمعرّف آخر قد يحرّك المبلغ مرتين.',
    ],
    todo: [
      'Look it up on the gateway’s dashboard, then say here whether it happened.',
      'ابحث عنه في لوحة البوابة، ثم سجّل هنا هل حدث أم لا.',
    ],
  },
  unreadable_answer: {
    title: ['The answer cannot be understood', 'رد غير مفهوم'],
    happened: [
      'The gateway said something about this order that may mean a payment, in words that the kit does not know.',
      'ذكرت البوابة عن هذا الطلب ما قد يعني دفعة، بكلمات غير معروفة.',
    ],
    money: [
      'The customer may have paid. The order does not count as paid and takes no other payment.',
      'ربما دفع العميل. لا يُعد الطلب مدفوعًا ولا يقبل دفعة أخرى.',
    ],
    todo: [
      'Look it up on the dashboard. An answer that can be understood ends this by itself; otherwise resolve it.',
      'ابحث عنه في لوحة البوابة. ينتهي هذا تلقائيًا بوصول رد مفهوم، وإلا فأنهِ المراجعة.',
    ],
  },
} as const;
