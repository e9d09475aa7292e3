import type { Language } from '../language.ts';

/** Why a way to pay is not open to this session. */
export type Refusal = 'unknown-saved-card' | 'phone-missing';

/** The texts of Apple Pay and saved cards, in one language. */
interface MethodLabels {
  readonly savedCard: string;
  readonly savedHint: string;
  readonly expired: string;
  readonly appleSheet: string;
  readonly appleHint: string;
  readonly applePhoneMissing: string;
  readonly card: string;
  readonly contact: string;
  readonly phoneOnFile: string;
  readonly payTo: string;
  readonly total: string;
  readonly refusals: Readonly<Record<Refusal, string>>;
  /** Before what a magic amount does. */
  readonly magic: string;
}

const en: MethodLabels = {
  savedCard: 'Saved card',
  savedHint: 'Cards that were used with the same phone number before.',
  expired: 'expired',
  appleSheet: 'Apple Pay, simulated',
  appleHint: 'Works in every browser here. Your own wallet is not opened.',
  applePhoneMissing: 'Apple Pay needs the customer’s phone number, and this session has none.',
  card: 'Card',
  contact: 'Contact',
  phoneOnFile: 'Phone number of the order',
  payTo: 'Pay to',
  total: 'Total',
  refusals: {
    'unknown-saved-card': 'This saved card is no longer there. Choose another way to pay.',
    'phone-missing': 'Apple Pay needs the customer’s phone number. Choose another way to pay.',
  },
  magic: 'Magic amount:',
};

const ar: MethodLabels = {
  savedCard: 'بطاقة محفوظة',
  savedHint: 'بطاقات سبق الدفع بها برقم الجوال نفسه.',
  expired: 'منتهية الصلاحية',
  appleSheet: 'محاكاة Apple Pay',
  appleHint: 'تعمل هنا في كل المتصفحات، ولن تُفتح محفظتك الحقيقية.',
  applePhoneMissing: 'يتطلب Apple Pay رقم جوال العميل، وهو غير متوفر في هذه الجلسة.',
  card: 'البطاقة',
  contact: 'بيانات التواصل',
  phoneOnFile: 'رقم الجوال المسجل في الطلب',
  payTo: 'الدفع إلى',
  total: 'الإجمالي',
  refusals: {
    'unknown-saved-card': 'هذه البطاقة المحفوظة لم تعد متاحة. اختر طريقة دفع أخرى.',
    'phone-missing': 'يتطلب Apple Pay رقم جوال العميل. اختر طريقة دفع أخرى.',
  },
  magic: 'مبلغ اختبار خاص:',
};

export const methodLabels: Readonly<Record<Language, MethodLabels>> = { en, ar };
