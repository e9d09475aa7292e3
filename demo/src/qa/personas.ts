import type { ProfileName } from '@pay-button/gateway-sandbox';
import { type Bilingual, both, type Language } from '../texts/language.ts';
import type { OutcomeName } from './console.ts';

/** A shopper that a tester plays. */
export interface Persona {
  readonly name: Bilingual;
  /** What to do after the link. */
  readonly steps: Bilingual;
  /** Whether it starts on the storefront. @defaultValue at an order of coffee */
  readonly hasNoOrder?: boolean;
  /** What the link arms for the next payment. */
  readonly outcome?: OutcomeName;
  /** The faults that the link puts in force. */
  readonly profile?: ProfileName;
  readonly language?: Language;
  /** Whether pages come without scripts from then on. */
  readonly scriptless?: boolean;
  /** Paid beforehand by a sale with a token for renewals; the persona starts in the admin's pages. */
  readonly isPaid?: boolean;
}

/** Every persona that QA walks through, by the last word of its link. */
export const personas: Readonly<Record<string, Persona>> = {
  happy: {
    name: { en: 'The happy shopper', ar: 'دفع ناجح' },
    steps: both(`Pay with Mada 4201 3201 1111 1010. You are thanked, and the order is shipped once.
      ادفع ببطاقة مدى \u20684201 3201 1111 1010\u2069. يشكرك المتجر ويُشحن الطلب مرة واحدة.`),
  },
  declined: {
    name: { en: 'The declined', ar: 'بطاقة مرفوضة' },
    steps: both(`Pay with any test card: the bank says no once. Pay again on the same page.
      ادفع بأي بطاقة اختبار: يرفض البنك مرة واحدة. ادفع مرة أخرى في الصفحة نفسها.`),
    outcome: 'insufficient_funds',
  },
  slow: {
    name: { en: 'The slow connection', ar: 'اتصال بطيء' },
    steps:
      both(`Every call to the gateway takes seconds. Press Pay: the button shows that it is working.
      يستغرق كل اتصال بالبوابة بضع ثوانٍ. اضغط «ادفع»: يُظهر الزر أن الطلب قيد التنفيذ.`),
    profile: 'slow-3g',
  },
  'three-d-secure': {
    name: { en: '3-D Secure', ar: 'التحقق الثلاثي الأبعاد' },
    steps: both(`Pay with Visa 4508 7500 1574 1019, password 123456. Then try fail, cancel and hang.
      ادفع ببطاقة فيزا \u20684508 7500 1574 1019\u2069 والرمز 123456. ثم جرّب الفشل والإلغاء والتعليق.`),
  },
  'expired-session': {
    name: { en: 'The expired session', ar: 'جلسة منتهية' },
    steps:
      both(`Press Pay, come back, press “+48 hours” below: the order is expired, and can be paid anew.
      اضغط «ادفع» ثم ارجع واضغط «تقديم الوقت 48 ساعة» أدناه: تنتهي صلاحية الرابط ويمكن الدفع من جديد.`),
  },
  'double-clicker': {
    name: { en: 'The double-clicker', ar: 'نقر مزدوج' },
    steps: both(`Press Pay as fast as you can. The shop asks the gateway for one link.
      اضغط «ادفع» بأسرع ما يمكنك. لا يطلب المتجر من البوابة إلا رابطًا واحدًا.`),
  },
  'two-tabs': {
    name: { en: 'Two tabs', ar: 'علامتا تبويب' },
    steps: both(`Open this page in a second tab and pay in both. You are charged once.
      افتح الصفحة في علامة تبويب ثانية وادفع في كلتيهما. يُخصم المبلغ مرة واحدة.`),
  },
  'back-button': {
    name: { en: 'The Back button', ar: 'زر الرجوع' },
    steps: both(`Press Pay, then Back. The button is ready again; pay with it.
      اضغط «ادفع» ثم ارجع. الزر جاهز من جديد، فادفع به.`),
  },
  'saved-card': {
    name: { en: 'The saved card', ar: 'بطاقة محفوظة' },
    steps: both(`A card of this phone was used before. Choose “saved card” on the gateway’s page.
      استُخدمت بطاقة بهذا الجوال من قبل. اختر «بطاقة محفوظة» في صفحة البوابة.`),
  },
  subscriber: {
    name: { en: 'The subscriber', ar: 'اشتراك' },
    steps:
      both(`Paid, with a token. Charge the next month under “Charge again”; the same month twice is one charge.
      طلب مدفوع مع رمز للتجديد. اخصم قيمة الشهر التالي من «خصم جديد»، ولا تُخصم قيمة الشهر نفسه مرتين.`),
    isPaid: true,
  },
  refunder: {
    name: { en: 'The refunder', ar: 'استرداد' },
    steps: both(`Paid. Refund 15.00, then the rest. A larger refund is rejected.
      طلب مدفوع. نفّذ استرداد 15.00 ثم استرداد الباقي، وما زاد يُرفض.`),
    isPaid: true,
  },
  'apple-pay': {
    name: { en: 'Apple Pay', ar: 'Apple Pay' },
    steps: both(`Choose Apple Pay on the gateway’s page. It is simulated in every browser.
      اختر Apple Pay في صفحة البوابة، فهو محاكاة تعمل في كل متصفح.`),
  },
  arabic: {
    name: { en: 'Arabic', ar: 'العربية' },
    steps: both(`Everything is Arabic and runs from right to left, to the end.
      كل شيء بالعربية من اليمين إلى اليسار حتى النهاية.`),
    language: 'ar',
    hasNoOrder: true,
  },
  'screen-reader': {
    name: { en: 'The screen reader', ar: 'قارئ الشاشة' },
    steps:
      both(`Use the keyboard and a screen reader only: order, pay, and hear that the order is paid.
      استخدم لوحة المفاتيح وقارئ الشاشة فقط: اطلب وادفع، ثم استمع إلى تأكيد الدفع.`),
    hasNoOrder: true,
  },
  'no-javascript': {
    name: { en: 'No JavaScript', ar: 'بلا JavaScript' },
    steps: both(`Pages come without scripts until you choose another persona. Buy something.
      تأتي الصفحات بلا JavaScript حتى تختار شخصية أخرى. اشترِ شيئًا.`),
    scriptless: true,
  },
};

/** Finds a persona. */
export function findPersona(id: unknown): Persona | undefined {
  return Object.entries(personas).find(([known]) => known === id)?.[1];
}
