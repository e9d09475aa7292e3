import { byLanguage, isolated } from './by-language.ts';

/** The texts around everything that the gateway's portal holds. */
export const portalTexts = byLanguage({
  missing: {
    title: ['Webhooks, keys and tokens', 'الإشعارات والمفاتيح والرموز'],
    text: [
      'They are kept in the gateway’s portal, which the API key does not open. To see and change them here, give the shop the login of the gateway’s dashboard and restart it:',
      'تُحفظ في بوابة التاجر لدى بوابة الدفع، ولا يفتحها مفتاح الواجهة البرمجية. لعرضها وتغييرها هنا، أعطِ المتجر بيانات دخول لوحة التحكم ثم أعد تشغيله:',
    ],
    inCode: ['Or in code:', 'أو في الشيفرة:'],
    meanwhile: [
      'Until then, use the dashboard. This is the address for the webhook:',
      'وحتى ذلك الحين استخدم لوحة التحكم. هذا عنوان الإشعارات:',
    ],
  },
  notRead: ['This list could not be read just now.', 'تعذّرت قراءة هذه القائمة الآن.'],
  none: ['None yet.', 'لا شيء بعد.'],
  on: ['On', 'مفعّل'],
  off: ['Off', 'متوقف'],
  switchOn: ['Switch on', 'تشغيل'],
  switchOff: ['Switch off', 'إيقاف'],
  created: ['Made', 'أُنشئ'],
  ends: ['ends', 'ينتهي'],
  back: ['Back to the gateway', 'العودة إلى بوابة الدفع'],
  once: [
    'Shown this once. Copy it now: nobody can show it to you again.',
    'يُعرض هذه المرة فقط. انسخه الآن، فلن يستطيع أحد عرضه مرة أخرى.',
  ],
  next: ['What to do now', 'الخطوات التالية'],
  changed: {
    title: ['The list has changed since you were asked', 'تغيّرت القائمة منذ طُرح السؤال'],
    text: [
      'Nothing was done now. Someone else may have changed it, or this form was sent before. Look at the list, and begin again if it is still needed.',
      'لم يُنفَّذ شيء الآن. ربما غيّرها شخص آخر أو سبق إرسال هذا النموذج. راجع القائمة ثم ابدأ من جديد عند الحاجة.',
    ],
  },
  refused: {
    title: ['The gateway did not do it', 'لم تنفّذ البوابة الإجراء'],
    text: ['Nothing was changed.', 'لم يتغير شيء.'],
  },
  unknown: {
    title: ['It may have happened', 'ربما نُفّذ الإجراء'],
    text: [
      'The gateway’s answer was lost. Look at the list before you do it again.',
      'لم يصل رد البوابة. راجع القائمة قبل أن تعيد المحاولة.',
    ],
  },
  sealed: {
    title: ['Done, and the answer has another form', 'نُفّذ، لكن الرد بصيغة مختلفة'],
    text: [
      'The gateway did it, and its answer does not bear the secret where the kit looks for it. Here is the whole answer, with the secret in it:',
      'نفّذت البوابة الإجراء، لكن المفتاح السري ليس في الموضع المتوقع من ردها. هذا هو الرد كاملًا متضمنًا المفتاح:',
    ],
  },
});

/** The texts of webhooks. */
export const webhookTexts = byLanguage({
  title: ['Webhooks', 'الإشعارات'],
  lead: [
    'By a webhook the gateway tells the shop of a payment at once. Without one, payments are found by the shopper’s return and by the background checks.',
    'تُبلغ البوابة متجرك بالدفعة فورًا عبر الإشعارات. ومن دونها تُكتشف الدفعات عند عودة المتسوق أو بالتحقق الدوري.',
  ],
  ownMissing: [
    'No webhook that is on leads to this shop.',
    'لا يوجد إشعار مفعّل يصل إلى هذا المتجر.',
  ],
  own: ['This shop', 'هذا المتجر'],
  allEvents: ['All events', 'كل الأحداث'],
  url: ['Address', 'العنوان'],
  ownHint: ['The shop takes webhooks at this address.', 'يستقبل المتجر الإشعارات على هذا العنوان.'],
  noRoute: ['The shop’s routes leave webhooks out.', 'مسارات هذا المتجر لا تستقبل الإشعارات.'],
  active: ['On from the start', 'مفعّل من البداية'],
  activeHint: [
    'The shop takes signed webhooks only. Leave this off: first give the new secret to every process, then switch the webhook on, so that no notification is refused.',
    'يقبل المتجر الإشعارات الموقّعة فقط. اتركه متوقفًا: زوّد كل خوادم المتجر بالمفتاح الجديد أولًا، ثم شغّل الإشعار، حتى لا يُرفض أي إشعار.',
  ],
  add: ['Create a webhook', 'إنشاء إشعار'],
  badUrl: [
    'Write a whole address that begins with https:// or http://.',
    'اكتب عنوانًا كاملًا يبدأ بـ ⁨https://⁩ أو ⁨http://⁩.',
  ],
  create: {
    title: ['Create this webhook?', 'هل تريد إنشاء هذا الإشعار؟'],
    text: [
      'The gateway will send all events to this address. Its signing secret is shown once, on the next page.',
      'سترسل البوابة كل الأحداث إلى هذا العنوان. يُعرض مفتاح التوقيع مرة واحدة في الصفحة التالية.',
    ],
    same: [
      'There is a webhook to this address already. Two are needed only while a secret is replaced; a payment that is told twice is recorded once.',
      'يوجد إشعار إلى هذا العنوان. لا حاجة إلى اثنين إلا عند استبدال المفتاح، والدفعة التي تُبلَّغ مرتين تُسجَّل مرة واحدة.',
    ],
    yes: ['Create', 'إنشاء'],
    done: ['The webhook is made', 'أُنشئ الإشعار'],
    secret: ['signing secret', 'مفتاح التوقيع'],
    steps: {
      keep: [
        'Keep it with the shop’s settings. While an older webhook is in use, keep both, the new one first:',
        'احفظه مع إعدادات المتجر. وما دام إشعار أقدم قيد الاستخدام، احفظ الاثنين والجديد أولًا:',
      ],
      restart: [
        'Restart the shop’s processes, one after the other.',
        'أعد تشغيل خوادم المتجر واحدًا تلو الآخر.',
      ],
      switchOn: [
        'Then switch the webhook on here, and delete the older one.',
        'ثم شغّل الإشعار من هنا، واحذف الأقدم.',
      ],
    },
  },
  switchTitle: (isOn: boolean, url: string) => [
    `Switch ${isOn ? 'on' : 'off'} the webhook to ${isolated(url)}?`,
    `هل تريد ${isOn ? 'تشغيل' : 'إيقاف'} الإشعار إلى ${isolated(url)}؟`,
  ],
  onText: [
    'The gateway sends events to it from now on. If its secret is not in every process yet, notifications are refused.',
    'ترسل البوابة إليه الأحداث من الآن. إن لم يكن مفتاحه في كل خوادم المتجر بعد فستُرفض الإشعارات.',
  ],
  offText: [
    'The gateway tells nothing by it until it is switched on again. Payments are then found later, by the background checks.',
    'لن تُبلغ البوابة بشيء عبره حتى يُشغَّل من جديد، فتُكتشف الدفعات لاحقًا بالتحقق الدوري.',
  ],
  remove: ['Delete', 'حذف'],
  removeTitle: (url: string) => [
    `Delete the webhook to ${isolated(url)}?`,
    `هل تريد حذف الإشعار إلى ${isolated(url)}؟`,
  ],
  removeText: [
    'This cannot be undone: a new webhook has a new secret. Payments are then found later, by the background checks, unless another webhook leads to the shop.',
    'لا يمكن التراجع: للإشعار الجديد مفتاح جديد. وتُكتشف الدفعات لاحقًا بالتحقق الدوري ما لم يصل إشعار آخر إلى المتجر.',
  ],
});

/** The texts of API keys. */
export const keyTexts = byLanguage({
  title: ['API keys', 'مفاتيح الواجهة البرمجية'],
  lead: [
    'All keys that the gateway knows, by their ends.',
    'كل المفاتيح لدى البوابة، ويظهر آخر كل منها فقط.',
  ],
  active: ['Active', 'فعّال'],
  revoked: ['Revoked', 'ملغى'],
  used: ['Used by this shop', 'يستخدمه هذا المتجر'],
  rotate: ['Make a new key', 'إصدار مفتاح جديد'],
  rotateHint: [
    'The key in use goes on working. You are asked first.',
    'يبقى المفتاح الحالي صالحًا، وستُسأل أولًا.',
  ],
  question: {
    title: ['Make a new API key?', 'هل تريد إصدار مفتاح جديد؟'],
    text: [
      'The gateway makes a new key, shown once on the next page. The shop goes on with the key that it has, and you revoke the old one in the dashboard only after the new one was seen to work here.',
      'تصدر البوابة مفتاحًا جديدًا يُعرض مرة واحدة في الصفحة التالية. يستمر المتجر بمفتاحه الحالي، ولا تُلغِ القديم من لوحة التحكم إلا بعد أن ترى الجديد يعمل هنا.',
    ],
    risk: [
      'Some gateways may end the old key at once: the specification leaves that open. Choose a quiet hour, and have the shop’s settings at hand.',
      'قد تُنهي بعض البوابات المفتاح القديم فورًا، فالمواصفات لا تحسم ذلك. اختر وقتًا هادئًا، ولتكن إعدادات المتجر في متناولك.',
    ],
    yes: ['Make the key', 'إصدار المفتاح'],
  },
  done: ['The new API key', 'المفتاح الجديد'],
  name: ['new API key', 'المفتاح الجديد'],
  tried: {
    works: [
      'The gateway was asked with it just now, by a question that moves nothing: it works.',
      'جُرّب الآن باستعلام لا تترتب عليه أي حركة مالية، وهو يعمل.',
    ],
    refused: [
      'The gateway was asked with it just now and refuses it. Do not put it in place of the old key yet; look at the dashboard.',
      'جُرّب الآن فرفضته البوابة. لا تضعه مكان القديم بعد، وراجع لوحة التحكم.',
    ],
    unknown: [
      'It could not be tried just now, since the gateway did not answer.',
      'تعذّرت تجربته الآن لأن البوابة لم تستجب.',
    ],
  },
  oldWorks: ['The key that the shop uses still works.', 'لا يزال المفتاح الذي يستخدمه المتجر يعمل.'],
  oldEnded: [
    'The gateway refuses the key that the shop uses. Set the new key and restart the shop now. What shoppers pay meanwhile is found afterwards.',
    'ترفض البوابة المفتاح الذي يستخدمه المتجر. ضع المفتاح الجديد وأعد تشغيل المتجر الآن. ما يُدفع في هذه الأثناء يُكتشف بعد ذلك.',
  ],
  steps: {
    both: [
      'Put both keys into the shop’s settings, the new one first:',
      'ضع المفتاحين في إعدادات المتجر، والجديد أولًا:',
    ],
    restart: [
      'Restart the shop’s processes, one after the other. Where the gateway refuses one key, the shop tries the other.',
      'أعد تشغيل خوادم المتجر واحدًا تلو الآخر. إذا رفضت البوابة أحد المفتاحين جرّب المتجر الآخر.',
    ],
    see: [
      'Open the gateway page again: under “API keys of this shop” the end of the new key must say “Works”. Reload it until every process has answered.',
      'افتح صفحة بوابة الدفع من جديد: تحت «مفاتيح هذا المتجر» يجب أن يظهر آخر المفتاح الجديد مع «يعمل». أعد التحميل حتى تجيب كل الخوادم.',
    ],
    revoke: [
      'Only then revoke the old key in the gateway’s dashboard, leave the new one alone in the settings, and restart again.',
      'عندئذ فقط ألغِ القديم من لوحة تحكم البوابة، واترك الجديد وحده في الإعدادات، وأعد التشغيل.',
    ],
  },
});

/** The texts of SDK tokens. */
export const tokenTexts = byLanguage({
  title: ['SDK tokens', 'رموز SDK'],
  lead: [
    'They sign in terminals and mobile apps. The shop itself uses none.',
    'تسجّل بها أجهزة نقاط البيع والتطبيقات دخولها، ولا يستخدمها المتجر نفسه.',
  ],
  name: ['Name', 'الاسم'],
  kind: ['Kind of product', 'نوع المنتج'],
  terminal: ['Terminal', 'الجهاز'],
  optional: ['optional', 'اختياري'],
  add: ['Create a token', 'إنشاء رمز'],
  noName: ['Give the token a name, such as Till 3.', 'أعطِ الرمز اسمًا، مثل: صندوق 3.'],
  createTitle: (name: string) => [
    `Create the token ${isolated(name)}?`,
    `هل تريد إنشاء الرمز ${isolated(name)}؟`,
  ],
  createText: [
    'A person who has it can take payments as this terminal or app. It is shown once, on the next page.',
    'من يملكه يستطيع قبول الدفعات باسم هذا الجهاز أو التطبيق. يُعرض مرة واحدة في الصفحة التالية.',
  ],
  yes: ['Create', 'إنشاء'],
  done: (name: string) => [`The token ${isolated(name)}`, `الرمز ${isolated(name)}`],
  secret: ['token', 'الرمز'],
  step: [
    'Put it into the terminal or app now. If it is lost, switch it off and create another.',
    'أدخله في الجهاز أو التطبيق الآن. إن ضاع فأوقفه وأنشئ غيره.',
  ],
  switchTitle: (isOn: boolean, name: string) => [
    `Switch ${isOn ? 'on' : 'off'} the token ${isolated(name)}?`,
    `هل تريد ${isOn ? 'تشغيل' : 'إيقاف'} الرمز ${isolated(name)}؟`,
  ],
  onText: [
    'The terminal or app that has it can sign in again.',
    'يستطيع الجهاز أو التطبيق الذي يحمله الدخول من جديد.',
  ],
  offText: [
    'The terminal or app that has it can take no payment until it is switched on again.',
    'لن يقبل الجهاز أو التطبيق الذي يحمله أي دفعة حتى يُشغَّل من جديد.',
  ],
});
