import { byAmount, declineReason } from '../../domain/outcome.ts';
import { byLanguage, type Language, type Pair } from '../html.ts';

const declines: Readonly<Record<string, Pair>> = {
  '05': ['the bank did not accept the payment', 'لم يقبل البنك العملية'],
  '14': ['the card number is not valid', 'رقم البطاقة غير صحيح'],
  '41': ['the card was reported lost', 'البطاقة مبلّغ عن فقدانها'],
  '43': ['the card was reported stolen', 'البطاقة مبلّغ عن سرقتها'],
  '51': ['insufficient funds', 'الرصيد غير كافٍ'],
  '54': ['the card has expired', 'البطاقة منتهية الصلاحية'],
  '57': ['this kind of card is not accepted', 'هذا النوع من البطاقات غير مقبول'],
  '61': ['the payment exceeds the card’s limit', 'المبلغ يتجاوز حد البطاقة'],
  '82': ['the security code is wrong', 'رمز الأمان غير صحيح'],
  '91': ['the bank cannot be reached', 'تعذّر الوصول إلى البنك'],
  '96': ['a technical fault at the bank', 'حدث خلل فني لدى البنك'],
  '99': ['the bank gave no reason', 'لم يوضح البنك السبب'],
  '3D': ['the bank could not confirm that it was you', 'لم يتمكن البنك من التحقق من هويتك'],
  '3U': `the bank’s confirmation service cannot be reached
    تعذّر الوصول إلى خدمة التحقق لدى البنك`,
  '3C': ['you cancelled the confirmation', 'ألغيتَ عملية التحقق'],
  '3I': ['the bank’s confirmation service failed', 'تعطلت خدمة التحقق لدى البنك'],
  '3T': ['the time to confirm has passed', 'انتهت مهلة التحقق'],
  '3P': ['this order is already paid', 'هذا الطلب مدفوع مسبقًا'],
  '3X': ['the payment page has expired', 'انتهت صلاحية صفحة الدفع'],
};

/** The effect of each magic amount, by its last digit of riyals: 9,900 to 9,909; `n` is the halalas. */
const magicRules: Readonly<Record<string, (n: number) => Pair>> = {
  0: (n) => [`the bank answers with the code ${two(n)}`, `يرد البنك بالرمز ${two(n)}`],
  1: (n) => [`3-D Secure first, then the code ${two(n)}`, `تحقق آمن أولًا، ثم الرمز ${two(n)}`],
  2: (n) => `pending for ${english(n, 'minute')}, then approved
    معلّقة مدة ${arabic(n, 'minute')}، ثم مقبولة`,
  3: (n) => `pending for ${english(n, 'minute')}, then declined
    معلّقة مدة ${arabic(n, 'minute')}، ثم مرفوضة`,
  4: (n) => `approved, and the answer comes ${english(n, 'second')} late
    مقبولة، ويتأخر الرد ${arabic(n, 'second')}`,
  5: (n) => `the connection is cut ${n === 0 ? 'before' : 'after'} the payment is made
    ينقطع الاتصال ${n === 0 ? 'قبل' : 'بعد'} تنفيذ العملية`,
  6: (n) => `approved, and the webhook arrives ${english(n, 'time')}
    مقبولة، ويصل الإشعار ${arabic(n, 'time')}`,
  7: (n) => {
    if (n === 0) {
      return `approved, and the webhook arrives before the shopper returns
        مقبولة، ويصل الإشعار قبل عودة المتسوّق إلى المتجر`;
    }
    if (n === 99) return ['approved, and no webhook ever arrives', 'مقبولة، ولا يصل أي إشعار'];
    return `approved, and the webhook is ${english(n, 'minute')} late
      مقبولة، ويتأخر الإشعار ${arabic(n, 'minute')}`;
  },
  8: (n) =>
    n === 1
      ? ['approved, and a later refund fails', 'مقبولة، ويفشل استردادها لاحقًا']
      : ['approved, and its capture fails', 'مقبولة، ويفشل تحصيلها'],
  9: (n) => `approved, and the status follows ${english(n, 'second')} later
    مقبولة، وتتأخر الحالة ${arabic(n, 'second')}`,
};

function two(n: number): string {
  return String(n).padStart(2, '0');
}

function english(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

const arabicNouns = {
  minute: ['دقيقة واحدة', 'دقيقتين', 'دقائق', 'دقيقة'],
  second: ['ثانية واحدة', 'ثانيتين', 'ثوانٍ', 'ثانية'],
  time: ['مرة واحدة', 'مرتين', 'مرات', 'مرة'],
} as const;

/** Arabic has a dual, a plural for 3 to 10, and the singular after 10. */
function arabic(n: number, noun: keyof typeof arabicNouns): string {
  const [one, dual, few, many] = arabicNouns[noun];
  if (n === 1) return one;
  if (n === 2) return dual;
  return `${n} ${n >= 3 && n <= 10 ? few : many}`;
}

/** The message about a field of the card, by field and fault. */
const cardFaults: Readonly<Record<string, Pair>> = {
  'number missing': ['Enter the card number.', 'أدخل رقم البطاقة.'],
  'number malformed': `A card number has 12 to 19 digits.
    يتكون رقم البطاقة من 12 إلى 19 رقمًا.`,
  'number not-a-test-card': `This is not a test card. Never enter a real card here; choose one under “Test tools”.
    هذا الرقم ليس بطاقة اختبار. لا تُدخل بطاقة حقيقية هنا، واختر بطاقة من «أدوات الاختبار».`,
  'expiry missing': ['Enter the expiry date.', 'أدخل تاريخ انتهاء البطاقة.'],
  'expiry malformed': ['Write the expiry date as MM/YY.', 'اكتب التاريخ بصيغة شهر/سنة، مثل 12/39.'],
  'expiry expired': `This date has passed. Enter a date in the future.
    هذا التاريخ مضى. أدخل تاريخًا في المستقبل.`,
  'cvv missing': ['Enter the security code.', 'أدخل رمز الأمان.'],
  'cvv malformed': ['The security code has 3 or 4 digits.', 'يتكون رمز الأمان من 3 أو 4 أرقام.'],
};

export const hostedTexts = byLanguage({
  pay: ['Pay', 'ادفع'],
  describe: (merchant: string) => `Pay ${merchant} by card, mada or Apple Pay.
    الدفع إلى ${merchant} بالبطاقة أو مدى أو Apple Pay.`,
  amountDue: ['Amount due', 'المبلغ المستحق'],
  order: ['Order', 'رقم الطلب'],
  customer: ['Name', 'الاسم'],
  standIn: ['Stand-in for the payment gateway’s page', 'صفحة تحاكي صفحة بوابة الدفع'],
  paymentMethod: ['Payment method', 'طريقة الدفع'],
  paying: ['Processing your payment…', 'جارٍ تنفيذ عملية الدفع…'],
  backToShop: ['Return to the shop without paying', 'العودة إلى المتجر دون دفع'],
  card: ['Card', 'بطاقة'],
  number: ['Card number', 'رقم البطاقة'],
  expiry: ['Expiry date', 'تاريخ الانتهاء'],
  expiryHint: ['For example 12/39', 'مثال: 12/39'],
  cvv: ['Security code', 'رمز الأمان'],
  cvvHint: ['3 or 4 digits (CVV)', '3 أو 4 أرقام (CVV)'],
  holder: ['Name on card', 'الاسم على البطاقة'],
  optional: ['optional', 'اختياري'],
  savedCard: ['Saved card', 'بطاقة محفوظة'],
  savedHint: `Cards that were used with the same phone number before.
    بطاقات سبق الدفع بها برقم الجوال نفسه.`,
  expired: ['expired', 'منتهية الصلاحية'],
  appleSheet: ['Apple Pay, simulated', 'محاكاة Apple Pay'],
  appleHint: `Works in every browser here. Your own wallet is not opened.
    تعمل هنا في كل المتصفحات، ولن تُفتح محفظتك الحقيقية.`,
  appleWithoutPhone: `Apple Pay needs the customer’s phone number, and this session has none.
    يتطلب Apple Pay رقم جوال العميل، وهو غير متوفر في هذه الجلسة.`,
  contact: ['Contact', 'بيانات التواصل'],
  phoneOnFile: ['Phone number of the order', 'رقم الجوال المسجل في الطلب'],
  payTo: ['Pay to', 'الدفع إلى'],
  total: ['Total', 'الإجمالي'],
  refusals: {
    'unknown-saved-card': `This saved card is no longer there. Choose another way to pay.
      هذه البطاقة المحفوظة لم تعد متاحة. اختر طريقة دفع أخرى.`,
    'phone-missing': `Apple Pay needs the customer’s phone number. Choose another way to pay.
      يتطلب Apple Pay رقم جوال العميل. اختر طريقة دفع أخرى.`,
  },
  magicRules,
  magic: ['Magic amount:', 'مبلغ اختبار خاص:'],
  drawer: ['Test tools', 'أدوات الاختبار'],
  drawerNote: ['Only the sandbox has these.', 'متاحة في البيئة التجريبية فقط.'],
  outcome: ['Outcome of the next payment', 'نتيجة عملية الدفع القادمة'],
  outcomes: {
    card: ['As the card says', 'بحسب البطاقة'],
    approve: ['Approve', 'قبول'],
    decline: ['Decline', 'رفض'],
  },
  testCards: ['Test cards', 'بطاقات الاختبار'],
  cardGroups: {
    approved: ['Approved', 'مقبولة'],
    declined: ['Declined', 'مرفوضة'],
    challenge: ['3-D Secure', 'التحقق الآمن'],
  },
  cardEffects: {
    approved: ['approved', 'مقبولة'],
    challenge: (answer: string) => [`confirm, then: ${answer}`, `تحقق، ثم: ${answer}`],
    'authentication-fails': ['the confirmation fails', 'يفشل التحقق'],
    'directory-down': ['3-D Secure is unavailable', 'التحقق الآمن غير متاح'],
    'never-returns': ['stays pending', 'تبقى معلّقة دون نتيجة'],
  },
  fill: ['Fill in', 'تعبئة'],
  otherCards: `For any other case, with the 3-D Secure mode MM, the response code RR and the Luhn digit C:
    لأي حالة أخرى، حيث MM وضع التحقق الآمن وRR رمز الاستجابة وC رقم التحقق (Luhn):`,
  expireNow: ['Expire this session now', 'إنهاء صلاحية الجلسة الآن'],
  expireNote: ['As if 48 hours had passed.', 'كما لو مرّت 48 ساعة.'],
  declined: (lastFour: string, reason: string) => [
    `The payment by the card ending in ${lastFour} failed: ${reason}.`,
    `لم تتم عملية الدفع بالبطاقة المنتهية بالأرقام ${lastFour}: ${reason}.`,
  ],
  declines,
  notCharged: `You have not been charged. You can try again or use another card.
    لم يُخصم منك أي مبلغ. يمكنك المحاولة مرة أخرى أو استخدام بطاقة أخرى.`,
  fixFields: `Please check the fields marked below. Nothing has been charged.
    يُرجى مراجعة الحقول المحددة أدناه. لم يُخصم أي مبلغ.`,
  cardFaults,
});

export function declineText(code: string | null, language: Language): string {
  const known = code ?? '';
  return hostedTexts[language].declines[known] ?? declineReason(known) ?? '';
}

/** The effect of a magic amount, for the page's banner; null for any other amount. */
export function magicText(minor: number, currency: string, language: Language): string | null {
  if (byAmount({ amountMinor: minor, currency }) === null) return null;
  const rule = Math.floor(minor / 100) % 10;
  return hostedTexts[language].magicRules[rule]?.(minor % 100) ?? null;
}
