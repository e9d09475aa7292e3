import type { Language } from '../language.ts';

/** Every text of the 3-D Secure page, in one language. */
export interface ChallengeLabels {
  readonly title: string;
  /** The issuer's name. */
  readonly bank: string;
  readonly intro: string;
  readonly shop: string;
  readonly amount: string;
  readonly card: string;
  readonly timeLeft: string;
  readonly until: string;
  readonly clockFrozen: string;
  readonly password: string;
  readonly hint: string;
  readonly approve: string;
  readonly cancel: string;
  readonly wrong: string;
  readonly expired: string;
  readonly drawer: string;
  readonly drawerNote: string;
  readonly passwords: readonly (readonly [string, string])[];
  readonly fail: string;
  readonly hang: string;
}

const en: ChallengeLabels = {
  title: 'Confirm your payment',
  bank: 'Test bank',
  intro:
    'Your bank asks you to confirm this payment. Enter the one-time password that it sent to your phone.',
  shop: 'Shop',
  amount: 'Amount',
  card: 'Card',
  timeLeft: 'Time left',
  until: 'open until',
  clockFrozen: 'the sandbox clock is stopped',
  password: 'One-time password',
  hint: '6 digits',
  approve: 'Confirm',
  cancel: 'Cancel this payment',
  wrong: 'That password is wrong. Please try again.',
  expired: 'That password has expired. We sent you another one.',
  drawer: 'Test tools',
  drawerNote: 'Only the sandbox has these.',
  passwords: [
    ['123456', 'passes'],
    ['000000', 'is wrong (three tries)'],
    ['111111', 'has expired'],
    ['222222', 'makes the bank fail'],
  ],
  fail: 'Fail the confirmation',
  hang: 'Let it hang',
};

const ar: ChallengeLabels = {
  title: 'تأكيد عملية الدفع',
  bank: 'بنك تجريبي',
  intro: 'يطلب منك البنك تأكيد هذه العملية. أدخل رمز التحقق المرسل إلى جوالك.',
  shop: 'المتجر',
  amount: 'المبلغ',
  card: 'البطاقة',
  timeLeft: 'الوقت المتبقي',
  until: 'متاحة حتى',
  clockFrozen: 'ساعة البيئة التجريبية متوقفة',
  password: 'رمز التحقق',
  hint: '6 أرقام',
  approve: 'تأكيد',
  cancel: 'إلغاء عملية الدفع',
  wrong: 'رمز التحقق غير صحيح. حاول مرة أخرى.',
  expired: 'انتهت صلاحية الرمز، وأرسلنا لك رمزًا جديدًا.',
  drawer: 'أدوات الاختبار',
  drawerNote: 'متاحة في البيئة التجريبية فقط.',
  passwords: [
    ['123456', 'صحيح'],
    ['000000', 'خاطئ (ثلاث محاولات)'],
    ['111111', 'منتهي الصلاحية'],
    ['222222', 'خلل لدى البنك'],
  ],
  fail: 'إفشال التحقق',
  hang: 'ترك العملية معلّقة',
};

export const challengeLabels: Readonly<Record<Language, ChallengeLabels>> = { en, ar };
