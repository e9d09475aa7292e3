import { byLanguage, type Language, type TextPairs } from './language.ts';
import { qaTexts } from './qa.ts';

const shopTexts = {
  shopName: ['Finjan', 'فنجان'],
  tagline: ['Everything for Saudi coffee', 'كل ما تحتاجه لقهوتك السعودية'],
  skipToContent: ['Skip to content', 'انتقل إلى المحتوى'],
  language: ['Language', 'اللغة'],
  basket: ['Basket', 'السلة'],
  pieces: (count: number) => [`${count} in your basket`, `عدد القطع في سلتك: ${count}`],
  demoNote: `A demo shop: nothing is sold, delivered or charged.
    متجر تجريبي: لا شيء يُباع أو يُوصَّل، ولا يُخصم أي مبلغ.`,

  heroTitle: ['Coffee, the way it is poured here.', 'قهوتنا كما نعرفها.'],
  heroText: `Beans from Jazan, dates from Madinah and the pot between them. Delivered anywhere in the Kingdom.
    بُنّ من جازان وتمر من المدينة، ودلّة تجمع بينهما. نوصل طلبك إلى أي مكان في المملكة.`,
  heroAlt: ['A dallah pouring coffee into a finjan', 'دلّة تصبّ القهوة في فنجان'],
  products: ['Our products', 'منتجاتنا'],
  addToBasket: ['Add to basket', 'أضف إلى السلة'],
  addToBasketOf: (name: string) => [`Add to basket: ${name}`, `أضف إلى السلة: ${name}`],
  added: (name: string) => [`${name} is in your basket.`, `أُضيف إلى سلتك: ${name}.`],
  seeBasket: ['See basket', 'عرض السلة'],
  vatIncluded: `Prices include 15% VAT.
    الأسعار شاملة ضريبة القيمة المضافة\u00a0\u206815%\u2069.`,

  basketTitle: ['Your basket', 'سلة التسوق'],
  basketEmpty: ['Your basket is empty.', 'سلتك فارغة.'],
  basketEmptyText: ['What you choose appears here.', 'اختر ما يعجبك أولًا وستجده هنا.'],
  keepShopping: ['Continue shopping', 'متابعة التسوق'],
  each: ['each', 'للقطعة'],
  quantity: ['Quantity', 'الكمية'],
  quantityOf: (name: string) => [`Quantity of ${name}`, `كمية ${name}`],
  update: ['Update', 'تحديث'],
  updateOf: (name: string) => [`Update quantity of ${name}`, `تحديث كمية ${name}`],
  oneMore: (name: string) => [`One more: ${name}`, `زيادة كمية ${name}`],
  oneFewer: (name: string) => [`One fewer: ${name}`, `إنقاص كمية ${name}`],
  remove: ['Remove', 'حذف'],
  removeOf: (name: string) => [`Remove ${name}`, `حذف ${name}`],
  total: ['Total', 'الإجمالي'],
  ofWhichVat: ['Includes 15% VAT', 'شامل ضريبة القيمة المضافة\u00a0\u206815%\u2069'],
  delivery: ['Delivery', 'التوصيل'],
  deliveryFree: ['Free', 'مجاني'],
  yourDetails: ['Your details', 'بياناتك'],
  name: ['Full name', 'الاسم الكامل'],
  email: ['Email (optional)', 'البريد الإلكتروني (اختياري)'],
  phone: ['Mobile number', 'رقم الجوال'],
  phoneHint: ['For example 0512345678', 'مثال: 0512345678'],
  placeOrder: ['Continue to payment', 'المتابعة إلى الدفع'],
  placeOrderNote: `You can check everything once more before you pay.
    يمكنك مراجعة طلبك مرة أخرى قبل الدفع.`,
  errorTitle: (title: string) => [`Error: ${title}`, `خطأ: ${title}`],
  correct: ['Please correct the following:', 'يرجى تصحيح ما يلي:'],
  complaints: {
    lines: `Something in your basket is no longer sold. Check it and try again.
      أحد المنتجات في سلتك لم يعد متوفرًا. راجع السلة ثم حاول مجددًا.`,
    name: ['Enter your name.', 'أدخل اسمك.'],
    email: `Enter an email such as name@example.com, or leave it empty.
      أدخل بريدًا إلكترونيًا صحيحًا مثل name@example.com أو اترك الخانة فارغة.`,
    phone: ['Enter a mobile number such as 0512345678.', 'أدخل رقم جوال صحيحًا مثل 0512345678.'],
  },

  order: (orderId: string) => [`Order ${orderId}`, `الطلب ${orderId}`],
  orderTitle: ['Check and pay', 'المراجعة والدفع'],
  summary: ['Order summary', 'ملخص الطلب'],
  deliverTo: ['For', 'باسم'],
  pay: ['Pay', 'ادفع'],
  payNote: `You pay on the payment gateway’s secure page. Your card number never reaches this shop.
    يتم الدفع في صفحة بوابة الدفع الآمنة، ولا يصل رقم بطاقتك إلى متجرنا إطلاقًا.`,
  testCard: ['Test card for this demo', 'بطاقة اختبار لهذا المتجر التجريبي'],
  testCardText: `Mada 4201 3201 1111 1010, expiry 12/39, CVV 123. Do not type a real card.
    مدى \u20684201 3201 1111 1010\u2069، تاريخ الانتهاء \u206812/39\u2069، رمز الأمان 123. لا تُدخل بطاقة حقيقية.`,
  cancelledTitle: ['This order was cancelled', 'أُلغي هذا الطلب'],
  cancelledText: `It can no longer be paid. If you did pay, we will refund you.
    لم يعد بالإمكان دفع قيمته. إن كنت قد دفعت، فسيتم استرداد المبلغ لك.`,
  toYourOrder: ['Go to your order', 'الانتقال إلى طلبك'],

  waitTitle: ['We are checking your payment', 'نتحقق من عملية الدفع'],
  waitText: `This takes a few seconds. You may close this page: your order is safe, and we keep checking.
    يستغرق ذلك بضع ثوانٍ. يمكنك إغلاق الصفحة، فطلبك محفوظ وسنواصل التحقق.`,
  confirming: ['Being confirmed', 'قيد التأكيد'],
  waitNoScript: `This page refreshes itself every 5 seconds.
    تُحدَّث هذه الصفحة تلقائيًا كل 5 ثوانٍ.`,
  checkAgain: ['Check again', 'تحقّق مرة أخرى'],
  waitSettledTitle: ['Your payment', 'عملية الدفع'],

  thanksTitle: (name: string) => [`Thank you, ${name}!`, `شكرًا لك، ${name}!`],
  thanksText: `We have your payment and are packing your order.
    تم استلام دفعتك، وجارٍ تجهيز طلبك.`,
  receipt: ['Receipt', 'إيصال الدفع'],
  orderNumber: ['Order number', 'رقم الطلب'],
  date: ['Date', 'التاريخ'],
  riyadhTime: ['Riyadh time', 'بتوقيت الرياض'],
  paidWith: ['Paid with', 'طريقة الدفع'],
  schemes: {
    MADA: ['mada', 'مدى'],
    VISA: ['Visa', 'فيزا'],
    MASTERCARD: ['Mastercard', 'ماستركارد'],
    AMEX: ['American Express', 'أمريكان إكسبريس'],
  },
  cardEnding: (scheme: string, lastFour: string) => [
    `${scheme} ending in\u00a0${lastFour}`,
    `بطاقة ${scheme} تنتهي بـ\u00a0\u2068${lastFour}\u2069`,
  ],
  refunded: ['Refunded', 'المبلغ المسترد'],
  print: ['Print', 'طباعة'],

  tracking: ['Tracking', 'تتبّع الطلب'],
  steps: {
    placed: ['Order placed', 'تم استلام الطلب'],
    paid: ['Payment received', 'تم الدفع'],
    packing: ['Being packed', 'قيد التجهيز'],
    delivered: ['Delivery', 'التوصيل'],
    refunded: ['Refunded', 'تم استرداد المبلغ'],
  },
  myOrders: ['My orders', 'طلباتي'],
  myOrdersText: ['The orders placed in this browser.', 'الطلبات التي أجريتها من هذا المتصفح.'],
  noOrders: ['No orders yet', 'لا توجد طلبات بعد'],
  noOrdersText: `An order that you place in this browser appears here.
    ستظهر هنا الطلبات التي تجريها من هذا المتصفح.`,

  notPaidTitle: ['This order is not paid yet', 'لم يُدفع هذا الطلب بعد'],
  notPaidText: `An order counts as paid once the gateway confirms the payment to us. We have no confirmation yet.
    لا نعتمد أي دفعة إلا بعد أن تؤكدها لنا بوابة الدفع، ولم يصلنا تأكيد حتى الآن.`,

  retryTitle: ['The payment did not go through', 'لم تتم عملية الدفع'],
  retryText: `Nothing was charged. You can try again with the same card or another one; your order is unchanged.
    لم يُخصم أي مبلغ. يمكنك المحاولة مجددًا بالبطاقة نفسها أو ببطاقة أخرى، وطلبك كما هو.`,

  state: ['Payment', 'حالة الدفع'],
  states: {
    unpaid: ['Not paid yet', 'غير مدفوع'],
    pending: ['Waiting for payment', 'بانتظار الدفع'],
    paid: ['Paid', 'مدفوع'],
    failed: ['Declined', 'مرفوض'],
    expired: ['Payment link expired', 'انتهت صلاحية رابط الدفع'],
    partially_refunded: ['Partly refunded', 'مُسترد جزئيًا'],
    refunded: ['Refunded', 'مُسترد'],
    paid_late: ['Paid after cancellation', 'دُفع بعد الإلغاء'],
    review: ['Being checked by our team', 'قيد المراجعة لدى فريقنا'],
    authorized: ['Amount reserved', 'المبلغ محجوز'],
    captured: ['Paid', 'مدفوع'],
    voided: ['Reservation released', 'أُلغي حجز المبلغ'],
  },
  stateNotes: {
    paid_late: `Your payment arrived after this order was cancelled. We will refund it.
      وصلت دفعتك بعد إلغاء الطلب، وسنبدأ استرداد المبلغ لك.`,
    review: `A colleague is looking at this payment. Please do not pay again; we will contact you.
      يراجع أحد موظفينا هذه العملية. يرجى عدم الدفع مرة أخرى، وسنتواصل معك.`,
    refunded: ['The full amount was refunded to you.', 'تم استرداد المبلغ كاملًا لصالحك.'],
    partially_refunded: `Part of the amount was refunded to you.
      تم استرداد جزء من المبلغ لصالحك.`,
    authorized: `The amount is reserved on your card and has not been charged yet.
      المبلغ محجوز على بطاقتك ولم يُخصم بعد.`,
    voided: `The amount reserved on your card was released; nothing was charged.
      فُك حجز المبلغ على بطاقتك، ولم يُخصم منها شيء.`,
  },

  errors: {
    notFound: {
      title: ['We cannot find this page', 'لم نجد هذه الصفحة'],
      text: `It may have moved, or it belongs to someone else. Orders open only in the browser that placed them.
        ربما نُقلت أو تخص شخصًا آخر. لا تُفتح الطلبات إلا في المتصفح الذي أُرسلت منه.`,
    },
    forbidden: {
      title: ['This form came from another site', 'وصل هذا النموذج من موقع آخر'],
      text: `For your safety we did not accept it. Please use the form in our shop.
        لم نقبله حرصًا على سلامتك. يرجى استخدام النموذج الموجود في متجرنا.`,
    },
    badRequest: {
      title: ['We could not read that', 'لم نتمكن من قراءة ما أُرسل'],
      text: `Please go back, check your entries and send them again. Nothing was ordered or charged.
        يرجى الرجوع والتأكد من بياناتك ثم إرسالها مجددًا. لم يُسجَّل أي طلب ولم يُخصم أي مبلغ.`,
    },
    failed: {
      title: ['Something went wrong on our side', 'حدث خطأ لدينا'],
      text: `Nothing is lost. Please try again in a moment; an order you have placed is still there.
        لم يُفقد أي شيء. يرجى المحاولة بعد قليل، وأي طلب أرسلته ما زال محفوظًا.`,
    },
  },
  toShop: ['Go to the shop', 'الذهاب إلى المتجر'],

  /** The admin’s own pages; the back office has its own texts. */
  admin: {
    title: ['Admin', 'الإدارة'],
    signInText: ['The shop prints its token when it starts.', 'يطبع المتجر الرمز عند تشغيله.'],
    token: ['Admin token', 'رمز الإدارة'],
    signIn: ['Sign in', 'دخول'],
    signOut: ['Sign out', 'خروج'],
    wrongToken: `This is not the token. Look for “adminToken” in the line that begins with “ready”.
      الرمز غير صحيح. ابحث عن \u2068adminToken\u2069 في السطر الذي يبدأ بكلمة \u2068ready\u2069.`,
    signOutText: ['The session of this browser ends.', 'تنتهي جلسة هذا المتصفح.'],
    toShop: ['Shop', 'المتجر'],
    back: ['Payments', 'المدفوعات'],
    toPayment: ['The payment of this order', 'دفعة هذا الطلب'],
    customer: ['Customer', 'العميل'],
    payLink: ['Pay link, to send to the customer', 'رابط الدفع، لإرساله إلى العميل'],
    shipped: (times: number) => [
      times === 1 ? 'Shipped once' : `Shipped ${times} times`,
      times === 1 ? 'شُحن مرة واحدة' : `عدد مرات الشحن: ${times}`,
    ],
    notShipped: ['Not shipped', 'لم يُشحن'],
    saleTitle: ['Take a card by phone', 'الدفع ببطاقة عبر الهاتف'],
    saleText: `A server-to-server sale with a test card. Never type a real card.
      بيع من خادم إلى خادم ببطاقة اختبار. لا تُدخل بطاقة حقيقية.`,
    card: ['Test card', 'بطاقة الاختبار'],
    how: ['How', 'الطريقة'],
    saleNow: ['Charge now', 'خصم فوري'],
    saleHold: ['Authorize only', 'حجز فقط'],
    keepToken: ['Keep a token for renewals', 'الاحتفاظ برمز للتجديد'],
    sell: ['Send to the gateway', 'إرسال إلى البوابة'],
    cardNames: {
      visa: ['Visa, approved', 'فيزا، مقبولة'],
      mada: ['Mada, approved', 'مدى، مقبولة'],
      declined: ['Mada, insufficient funds', 'مدى، الرصيد غير كافٍ'],
      challenge: ['Visa, asks for 3-D Secure', 'فيزا، تطلب التحقق الثلاثي الأبعاد'],
    },
  },
} satisfies TextPairs;

/** Every sentence of the shop, by language. */
export const textsIn = byLanguage({ ...shopTexts, qa: qaTexts });

/** Every sentence of the shop in one language. */
export type Texts = (typeof textsIn)[Language];
