import { byLanguage } from './by-language.ts';

/** The texts of the gateway's page: the connection, and what its answers had. */
export const gatewayTexts = byLanguage({
  title: ['Gateway', 'بوابة الدفع'],
  connection: ['Connection', 'الاتصال'],
  reachable: ['Gateway', 'البوابة'],
  reached: ['Answers', 'تستجيب'],
  notReached: ['Does not answer', 'لا تستجيب'],
  notReachedHint: [
    'Payments that shoppers make meanwhile are found when it answers again. Check the address, the firewall and the gateway’s own status page.',
    'ما يدفعه المتسوقون في هذه الأثناء يُكتشف عند عودة الاتصال. تحقق من العنوان وجدار الحماية وصفحة حالة البوابة.',
  ],
  environment: ['Environment', 'البيئة'],
  address: ['Address', 'العنوان'],
  profile: ['Profile', 'ملف التوافق'],
  ownProfile: ['The shop’s own', 'خاص بالمتجر'],
  usualProfile: ['The kit’s usual readings', 'القراءات المعتادة للحزمة'],
  keys: ['API keys of this shop', 'مفاتيح هذا المتجر'],
  keyTaken: ['Works', 'يعمل'],
  keyRefused: ['Refused', 'مرفوض'],
  keyRefusedHint: [
    'Where another key works, take the refused one out of the shop’s settings. Where none works, no payment link can be made: take the active key of this environment from the gateway’s dashboard.',
    'إذا كان مفتاح آخر يعمل فاحذف المرفوض من إعدادات المتجر. وإذا لم يعمل أي مفتاح فلا يمكن إنشاء روابط الدفع: خذ المفتاح الفعّال لهذه البيئة من لوحة تحكم البوابة.',
  ],
  keyUnknown: ['Not known', 'غير معروف'],
  keysHint: [
    'Tried just now by a question that moves nothing, in the process that answered you.',
    'جُرّبت الآن باستعلام لا تترتب عليه أي حركة مالية، من الخادم الذي أجاب طلبك.',
  ],
  calls: {
    apiKey: ['Payment calls', 'طلبات الدفع'],
    portal: ['Portal calls', 'طلبات بوابة التاجر'],
  },
  callStates: {
    closed: ['Go through', 'تعمل'],
    open: ['Held back: the gateway kept failing', 'موقوفة مؤقتًا لتكرر الأعطال'],
  },
  drift: ['Unexpected answers', 'ردود غير متوقعة'],
  noDrift: [
    'Since this process started, every answer was as expected.',
    'منذ تشغيل هذا الخادم جاء كل رد كما هو متوقع.',
  ],
  driftHint: [
    'What this process has met since it started. No value of any answer is kept.',
    'ما صادفه هذا الخادم منذ تشغيله، دون حفظ أي قيمة من الردود.',
  ],
  findings: {
    gateway_held_back: [
      'Calls are held back, since the gateway kept failing. One call tries it every few seconds; nothing is lost.',
      'الطلبات موقوفة لتكرر أعطال البوابة، ويُجرَّب طلب كل بضع ثوانٍ، ولا يضيع شيء.',
    ],
    unknown_links: [
      'The gateway knows none of many links that the shop made. Check that the key and the address are of the same account and environment.',
      'لا تعرف البوابة روابط كثيرة أنشأها المتجر. تأكد من أن المفتاح والعنوان للحساب والبيئة نفسيهما.',
    ],
    unknown_words: [
      'A status bears a word that the kit does not know: such payments wait. Name the word in the profile.',
      'ترد في الحالة كلمة لا تعرفها الحزمة، فتبقى تلك الدفعات معلّقة. عرّف الكلمة في ملف التوافق.',
    ],
    unreadable_answers: [
      'Status answers cannot be read: such payments wait. Compare the profile with what the gateway sends.',
      'تتعذّر قراءة ردود الحالة، فتبقى تلك الدفعات معلّقة. قارن ملف التوافق بما ترسله البوابة.',
    ],
  },
  kinds: {
    unknown_field: ['A field that is not known', 'حقل غير معروف'],
    unknown_word: ['A word that is not known', 'كلمة غير معروفة'],
    other_type: ['A value of another type', 'قيمة من نوع آخر'],
    other_envelope: ['Another envelope than stated', 'بنية رد مختلفة عن الموثّقة'],
    unexpected_status: ['An HTTP status that is not expected', 'رمز HTTP غير متوقع'],
    unreadable_answer: ['It cannot be read', 'تعذّرت قراءته'],
    refused_signature: [
      'A notification that no secret of the shop signed',
      'إشعار لم يوقّعه أي مفتاح لدى المتجر',
    ],
    unfollowed_hint: ['A notification that names too little', 'إشعار ينقصه ما يلزم لمتابعته'],
  },
  times: (count: number) => [
    count === 1 ? 'once' : `${count} times`,
    count === 1 ? 'مرة واحدة' : `العدد: ${count}`,
  ],
  first: ['first', 'أول مرة'],
  last: ['last', 'آخر مرة'],
  whole: ['the whole answer', 'الرد كله'],
  inProfile: [
    'If the gateway means it so, say so in the profile:',
    'إذا كانت البوابة تقصد ذلك، فعرّفه في ملف التوافق:',
  ],
  harmless: [
    'Harmless: unknown fields are left out. There is nothing to do unless payments wait.',
    'لا ضرر منه: الحقول غير المعروفة تُهمل. لا يلزم أي إجراء ما لم تبقَ دفعات معلّقة.',
  ],
  forSupport: [
    'Compare the address with the gateway’s onboarding, and show this line to its support.',
    'قارن العنوان ببيانات التسجيل لدى البوابة، وأرسل هذا السطر إلى دعمها.',
  ],
  secretToCheck: [
    'Compare the webhook secrets of the shop with those of the webhooks below. A stranger’s notification does no harm.',
    'قارن مفاتيح توقيع الإشعارات لدى المتجر بالإشعارات أدناه. الإشعار المجهول المصدر لا يضر.',
  ],
});
