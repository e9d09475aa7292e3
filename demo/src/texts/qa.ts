import type { TextPairs } from './language.ts';

/** Every sentence of the testers’ tools, in English and Arabic. */
export const qaTexts = {
  title: ['QA tools', 'أدوات الاختبار'],
  what: `These tools exist because the gateway is the sandbox. A shop with a real gateway has none of them.
    تظهر هذه الأدوات لأن البيئة التجريبية هي البوابة هنا، ولا تظهر مع بوابة دفع حقيقية.`,
  nextPayment: ['Next payment', 'الدفعة التالية'],
  asTheCardSays: ['As the card says', 'بحسب البطاقة'],
  outcomes: {
    approve: ['Approved', 'مقبولة'],
    declined: ['Declined', 'مرفوضة'],
    insufficient_funds: ['Declined: insufficient funds', 'مرفوضة: الرصيد غير كافٍ'],
    expired_card: ['Declined: expired card', 'مرفوضة: البطاقة منتهية'],
    lost_card: ['Declined: lost card', 'مرفوضة: البطاقة مفقودة'],
    over_limit: ['Declined: over the limit', 'مرفوضة: تجاوز الحد'],
    bank_down: ['Declined: bank not reachable', 'مرفوضة: تعذّر الاتصال بالبنك'],
  },
  gateway: ['Gateway', 'حالة البوابة'],
  profiles: {
    healthy: ['Healthy', 'سليمة'],
    'slow-3g': ['Slow connection', 'اتصال بطيء'],
    'ghost-success': ['Done, but the answer is lost', 'نُفِّذت العملية ولم يصل الرد'],
    'ghost-failure': ['Not done, and no answer', 'لم تُنفَّذ العملية ولم يصل رد'],
    'bank-outage': ['Banks are down', 'البنوك متوقفة'],
    'maintenance-html': ['Maintenance page', 'صفحة صيانة'],
    'status-lag': ['Status lags behind', 'تأخر تحديث الحالة'],
    'webhook-storm': ['Every webhook five times', 'كل إشعار خمس مرات'],
    'webhook-blackout': ['No webhooks', 'لا إشعارات'],
    'out-of-order': ['Webhooks out of order', 'إشعارات بغير ترتيبها'],
    'friday-night': ['A little of everything', 'قليل من كل شيء'],
  },
  apply: ['Apply', 'تطبيق'],
  time: ['Time', 'الوقت'],
  clock: ['+48 hours', 'تقديم الوقت \u206848\u2069 ساعة'],
  replay: ['Replay last webhook', 'إعادة آخر إشعار'],
  reset: ['Reset sandbox', 'إعادة ضبط البيئة التجريبية'],
  report: ['Copy bug report', 'نسخ تقرير الخلل'],
  copied: ['Copied', 'تم النسخ'],
  personas: ['Personas', 'الشخصيات'],
  bugs: ['Bug switches', 'الأخطاء المقصودة'],
  compare: ['Compare sources', 'مقارنة المصادر'],
  inspector: ['Inspector', 'لوحة المراقبة'],
  admin: ['Admin', 'الإدارة'],
  activeBug: (id: string) => [`Bug on: ${id}`, `الخطأ المفعّل: ${id}`],
  notices: {
    applied: ['Applied.', 'تم التطبيق.'],
    outcome: `The outcome is set, for the next payment only, whichever shopper makes it.
      حُدِّدت نتيجة الدفعة التالية وحدها، أيًّا كان المتسوق.`,
    leapt: `The clocks of the sandbox and the shop moved two days ahead.
      تقدّمت ساعة البيئة التجريبية وساعة المتجر يومين.`,
    replayed: ['The last webhook was sent again.', 'أُعيد إرسال آخر إشعار.'],
    none: ['There is no webhook to replay yet.', 'لا يوجد إشعار لإعادته بعد.'],
    emptied: `The sandbox is empty and healthy. Orders are kept and can be paid again.
      أُفرغت البيئة التجريبية وزالت أعطالها. الطلبات محفوظة ويمكن دفعها من جديد.`,
    failed: `The sandbox did not carry this out. See the inspector.
      لم تنفّذ البيئة التجريبية الطلب. راجع لوحة المراقبة.`,
  },

  comparisonTitle: `What three sources say about this payment
    ما تقوله ثلاثة مصادر عن هذه الدفعة`,
  comparisonText: `Only the status answer counts. The browser and the webhook are reasons to ask for it.
    لا يُعتمد إلا جواب الاستعلام عن الحالة، أما المتصفح والإشعار فسببان للاستعلام.`,
  browser: ['The browser', 'المتصفح'],
  browserSaid: {
    success: ['The gateway sent it to the success address.', 'أرسلته البوابة إلى عنوان النجاح.'],
    failure: ['The gateway sent it to the failure address.', 'أرسلته البوابة إلى عنوان الفشل.'],
  },
  sentTo: (page: string) => [
    `The shop sent it to ${page}.`,
    `ثم وجّهه المتجر إلى \u2068${page}\u2069.`,
  ],
  noBrowser: ['The browser has not come back yet.', 'لم يعد المتصفح بعد.'],
  webhook: ['The webhook', 'الإشعار'],
  noWebhook: ['No webhook has arrived yet.', 'لم يصل أي إشعار بعد.'],
  status: ['The status answer', 'جواب الاستعلام عن الحالة'],
  noRows: ['The gateway shows no transaction yet.', 'لا تُظهر البوابة أي عملية حتى الآن.'],
  neverAsked: ['The gateway has not been asked yet.', 'لم يُستعلم من البوابة بعد.'],
  verdict: ['The shop’s verdict', 'استنتاج المتجر'],

  personasTitle: ['Personas', 'الشخصيات'],
  personasText: `Each link opens the page where the persona starts, with an order placed.
    كل رابط يفتح الصفحة التي تبدأ منها الشخصية، ومعها طلب جاهز.`,
  start: ['Start', 'ابدأ'],

  bugsTitle: ['Bug switches', 'الأخطاء المقصودة'],
  bugsText: `Mistakes that real shops make, added on purpose. A switch applies to the orders that you place after it. Beside each is the test that catches it.
    أخطاء تقع فيها متاجر حقيقية، أضفناها عمدًا. يسري الخطأ على الطلبات التي ترسلها بعد تفعيله، وبجانبه اسم الاختبار الذي يكشفه.`,
  symptom: ['Symptom', 'العَرَض'],
  expected: ['Expected', 'المتوقع'],
  caughtBy: ['Caught by', 'يكشفه'],
  turnOn: ['Turn on', 'تفعيل'],
  turnOff: ['Turn off', 'إيقاف'],
  isOn: ['On', 'مفعّل'],
} satisfies TextPairs;
