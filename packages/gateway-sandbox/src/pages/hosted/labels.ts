import type { CardFault, CardField } from '../../domain/card-entry.ts';
import type { Language } from '../language.ts';
import type { CardGroup } from './drawer-cards.ts';

/** Every text of the hosted page, in one language. */
export interface HostedLabels {
  readonly strip: string;
  readonly languages: string;
  readonly pageTitle: (amount: string) => string;
  readonly amountDue: string;
  readonly order: string;
  readonly customer: string;
  readonly secure: string;
  readonly paymentMethod: string;
  readonly card: string;
  readonly number: string;
  readonly expiry: string;
  readonly expiryHint: string;
  readonly cvv: string;
  readonly cvvHint: string;
  readonly holder: string;
  readonly optional: string;
  readonly pay: (amount: string) => string;
  readonly paying: string;
  readonly backToShop: string;
  readonly drawer: string;
  readonly drawerNote: string;
  readonly outcome: string;
  readonly outcomeCard: string;
  readonly outcomeApprove: string;
  readonly outcomeDecline: string;
  readonly testCards: string;
  readonly cardGroups: Readonly<Record<CardGroup, string>>;
  readonly fill: string;
  readonly otherCards: string;
  readonly expireNow: string;
  readonly expireNote: string;
  readonly declined: (lastFour: string, reason: string) => string;
  readonly notCharged: string;
  readonly fixFields: string;
  readonly faults: Readonly<Record<CardField, Partial<Record<CardFault, string>>>>;
}

const en: HostedLabels = {
  strip: 'Sandbox: test cards only, no real money',
  languages: 'Language',
  pageTitle: (amount) => `Pay ${amount}`,
  amountDue: 'Amount due',
  order: 'Order',
  customer: 'Name',
  secure: 'Stand-in for the payment gateway’s page',
  paymentMethod: 'Payment method',
  card: 'Card',
  number: 'Card number',
  expiry: 'Expiry date',
  expiryHint: 'For example 12/39',
  cvv: 'Security code',
  cvvHint: '3 or 4 digits (CVV)',
  holder: 'Name on card',
  optional: 'optional',
  pay: (amount) => `Pay ${amount}`,
  paying: 'Processing your payment…',
  backToShop: 'Return to the shop without paying',
  drawer: 'Test tools',
  drawerNote: 'Only the sandbox has these.',
  outcome: 'Outcome of the next payment',
  outcomeCard: 'As the card says',
  outcomeApprove: 'Approve',
  outcomeDecline: 'Decline',
  testCards: 'Test cards',
  cardGroups: { approved: 'Approved', declined: 'Declined', challenge: '3-D Secure' },
  fill: 'Fill in',
  otherCards:
    'For any other case: 9682 99 MM RR 00000 C, with the 3-D Secure mode MM, the response code RR and the Luhn digit C.',
  expireNow: 'Expire this session now',
  expireNote: 'As if 48 hours had passed.',
  declined: (lastFour, reason) => `The card ending in ${lastFour} was declined: ${reason}.`,
  notCharged: 'You have not been charged. You can try again or use another card.',
  fixFields: 'Please check the fields marked below. Nothing has been charged.',
  faults: {
    number: {
      missing: 'Enter the card number.',
      malformed: 'A card number has 12 to 19 digits.',
      'not-a-test-card':
        'This is not a test card. Never enter a real card here; choose one under “Test tools”.',
    },
    expiry: {
      missing: 'Enter the expiry date.',
      malformed: 'Write the expiry date as MM/YY.',
      expired: 'This date has passed. Enter a date in the future.',
    },
    cvv: {
      missing: 'Enter the security code.',
      malformed: 'The security code has 3 or 4 digits.',
    },
  },
};

const ar: HostedLabels = {
  strip: 'بيئة تجريبية: بطاقات اختبار فقط، دون أي خصم حقيقي',
  languages: 'اللغة',
  pageTitle: (amount) => `ادفع ${amount}`,
  amountDue: 'المبلغ المستحق',
  order: 'رقم الطلب',
  customer: 'الاسم',
  secure: 'صفحة تحاكي صفحة بوابة الدفع',
  paymentMethod: 'طريقة الدفع',
  card: 'بطاقة',
  number: 'رقم البطاقة',
  expiry: 'تاريخ الانتهاء',
  expiryHint: 'مثال: 12/39',
  cvv: 'رمز الأمان',
  cvvHint: '3 أو 4 أرقام (CVV)',
  holder: 'الاسم على البطاقة',
  optional: 'اختياري',
  pay: (amount) => `ادفع ${amount}`,
  paying: 'جارٍ تنفيذ عملية الدفع…',
  backToShop: 'العودة إلى المتجر بدون دفع',
  drawer: 'أدوات الاختبار',
  drawerNote: 'متاحة في البيئة التجريبية فقط.',
  outcome: 'نتيجة عملية الدفع القادمة',
  outcomeCard: 'بحسب البطاقة',
  outcomeApprove: 'قبول',
  outcomeDecline: 'رفض',
  testCards: 'بطاقات الاختبار',
  cardGroups: { approved: 'مقبولة', declined: 'مرفوضة', challenge: 'التحقق الآمن' },
  fill: 'تعبئة',
  otherCards:
    'لأي حالة أخرى استخدم الرقم التالي، حيث MM وضع التحقق الآمن وRR رمز الاستجابة وC رقم التحقق (Luhn).',
  expireNow: 'إنهاء صلاحية الجلسة الآن',
  expireNote: 'كما لو مرّت 48 ساعة.',
  declined: (lastFour, reason) => `رُفضت البطاقة المنتهية بـ ${lastFour}: ${reason}.`,
  notCharged: 'لم يُخصم منك أي مبلغ. يمكنك المحاولة مرة أخرى أو استخدام بطاقة أخرى.',
  fixFields: 'يُرجى مراجعة الحقول المحددة أدناه. لم يُخصم أي مبلغ.',
  faults: {
    number: {
      missing: 'أدخل رقم البطاقة.',
      malformed: 'يتكون رقم البطاقة من 12 إلى 19 رقمًا.',
      'not-a-test-card':
        'هذا الرقم ليس بطاقة اختبار. لا تُدخل بطاقة حقيقية هنا، واختر بطاقة من «أدوات الاختبار».',
    },
    expiry: {
      missing: 'أدخل تاريخ انتهاء البطاقة.',
      malformed: 'اكتب التاريخ بصيغة شهر/سنة، مثل 12/39.',
      expired: 'انتهى هذا التاريخ. أدخل تاريخًا في المستقبل.',
    },
    cvv: {
      missing: 'أدخل رمز الأمان.',
      malformed: 'يتكون رمز الأمان من 3 أو 4 أرقام.',
    },
  },
};

export const hostedLabels: Readonly<Record<Language, HostedLabels>> = { en, ar };
