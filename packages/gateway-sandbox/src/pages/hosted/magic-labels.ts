import { readMagicAmount } from '../../domain/magic-amount.ts';
import type { Language } from '../language.ts';

/** The texts of the ten rules, in the order of the amounts 9,900 to 9,909; `n` is the halalas. */
const english: readonly ((n: string) => string)[] = [
  (n) => `the bank answers with the code ${n}`,
  (n) => `3-D Secure first, then the code ${n}`,
  (n) => `pending for ${Number(n)} minutes, then approved`,
  (n) => `pending for ${Number(n)} minutes, then declined`,
  (n) => `approved, and the answer comes ${Number(n)} seconds late`,
  (n) => `the connection is cut ${n === '00' ? 'before' : 'after'} the payment is made`,
  (n) => `approved, and the webhook arrives ${Number(n)} times`,
  (n) => webhookEnglish(n),
  (n) => (n === '01' ? 'approved, and a later refund fails' : 'approved, and its capture fails'),
  (n) => `approved, and the status follows ${Number(n)} seconds later`,
];

const arabic: readonly ((n: string) => string)[] = [
  (n) => `يرد البنك بالرمز ${n}`,
  (n) => `تحقق آمن أولًا، ثم الرمز ${n}`,
  (n) => `معلّقة مدة ${Number(n)} دقيقة، ثم مقبولة`,
  (n) => `معلّقة مدة ${Number(n)} دقيقة، ثم مرفوضة`,
  (n) => `مقبولة، ويتأخر الرد ${Number(n)} ثانية`,
  (n) => `ينقطع الاتصال ${n === '00' ? 'قبل' : 'بعد'} تنفيذ العملية`,
  (n) => `مقبولة، ويصل الإشعار ${Number(n)} مرة`,
  (n) => webhookArabic(n),
  (n) => (n === '01' ? 'مقبولة، ويفشل استرداد لاحق' : 'مقبولة، ويفشل التحصيل'),
  (n) => `مقبولة، وتتأخر الحالة ${Number(n)} ثانية`,
];

/** What a magic amount will do, for the page's banner; null for an amount like any other. */
export function magicText(
  amountMinor: number,
  currency: string,
  language: Language,
): string | null {
  if (readMagicAmount(amountMinor, currency) === null) return null;
  const rule = Math.floor(amountMinor / 100) % 10;
  const halalas = String(amountMinor % 100).padStart(2, '0');
  return (language === 'ar' ? arabic : english)[rule]?.(halalas) ?? null;
}

function webhookEnglish(n: string): string {
  if (n === '00') return 'approved, and the webhook arrives before the shopper returns';
  if (n === '99') return 'approved, and no webhook ever arrives';
  return `approved, and the webhook is ${Number(n)} minutes late`;
}

function webhookArabic(n: string): string {
  if (n === '00') return 'مقبولة، ويصل الإشعار قبل عودة العميل';
  if (n === '99') return 'مقبولة، ولا يصل أي إشعار';
  return `مقبولة، ويتأخر الإشعار ${Number(n)} دقيقة`;
}
