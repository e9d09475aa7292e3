import { price } from './language.ts';
import { ar } from './ar.ts';

type Tell = (...parts: readonly string[]) => string;

/** Kept apart from the direction of the sentence around it. */
const apart = (text: string): string => `\u2068${text}\u2069`;

const amountOf = (text: string): string => {
  const [digits = '', currency] = text.split(' ');
  return apart(currency === 'SAR' ? price(Number(digits.replace('.', '')), 'ar') : text);
};

const word = (words: Readonly<Record<string, string>>, name: string): string =>
  words[name] ?? apart(name);

const attempts = {
  creating: 'قيد الإنشاء',
  open: 'مفتوحة',
  succeeded: 'ناجحة',
  closed: 'مغلقة',
  lost: 'لا تعرفها البوابة',
};

const means = {
  'a payment link': 'رابط دفع',
  'a sale': 'بيع',
  'an authorization': 'حجز مبلغ',
};

const verdicts = {
  'what the order is paid by': 'بها دُفع الطلب',
  'money that came late': 'مبلغ وصل متأخرًا',
  'a duplicate charge': 'خصم مكرر',
  'in doubt': 'مشكوك فيها',
};

/** The kit tells a story in English sentences; each form of them, and what it is in Arabic. */
const forms: readonly (readonly [RegExp, Tell])[] = [
  [
    /^Attempt (\d+), (.+) of ([\d.]+ [A-Z]+), was asked for\.$/,
    (number = '', what = '', amount = '') =>
      `طُلب ${word(means, what)} بمبلغ ${amountOf(amount)} (المحاولة ${number}).`,
  ],
  [
    /^Attempt (\d+) is watched no more\.$/,
    (number = '') => `لم تعد المحاولة ${number} تحت المتابعة.`,
  ],
  [
    /^Attempt (\d+) is offered no more/,
    (number = '') => `لم تعد المحاولة ${number} متاحة للدفع، فالبوابة لا تعرفها.`,
  ],
  [
    /^Attempt (\d+) is (\w+)\.$/,
    (number = '', state = '') => `المحاولة ${number}: ${word(attempts, state)}.`,
  ],
  [
    /^The gateway was asked about attempt (\d+) and told (\d+) transaction/,
    (number = '', count = '') =>
      `سُئلت البوابة عن المحاولة ${number}، وعدد العمليات في جوابها: ${count}.`,
  ],
  [
    /^Transaction (\S+) of attempt (\d+) is (.+)\.$/,
    (id = '', number = '', verdict = '') =>
      `العملية ${apart(id)} من المحاولة ${number}: ${word(verdicts, verdict)}.`,
  ],
  [
    /^The payment of ([\d.]+ [A-Z]+) is (\w+)\.$/,
    (amount = '', state = '') =>
      `حالة الدفعة بمبلغ ${amountOf(amount)}: ${word(ar.states, state)}.`,
  ],
  [
    /^Refunded so far: ([\d.]+ [A-Z]+)\.$/,
    (amount = '') => `المسترد حتى الآن: ${amountOf(amount)}.`,
  ],
  [/^The merchant gave the order up\.$/, () => 'ألغى المتجر الطلب.'],
  [
    /^The (\w+) (\S+) of ([\d.]+ [A-Z]+) is (\w+)(?: \((.+)\))?\.$/,
    (kind = '', id = '', amount = '', state = '', reason = '') =>
      `${word(ar.admin.operationKinds, kind)} بمبلغ ${amountOf(amount)} (${apart(id)}): ` +
      `${word(ar.admin.operationStates, state)}${reason === '' ? '' : ` (${word(ar.admin.outcomeReasons, reason)})`}.`,
  ],
  [
    /^A person must look: (\w+), about (\S+)\.$/,
    (reason = '', subject = '') =>
      `بانتظار المراجعة: ${word(ar.admin.reasons, reason)} (${apart(subject)}).`,
  ],
  [
    /^Resolved: (\w+), about (\S+) \((.*)\)\.$/s,
    (reason = '', subject = '', found = '') =>
      `انتهت المراجعة: ${word(ar.admin.reasons, reason)} (${apart(subject)}). ${apart(found)}`,
  ],
];

/** A sentence of an order's story in Arabic; `undefined` for one that has no form here. */
export function timelineInArabic(sentence: string): string | undefined {
  for (const [form, tell] of forms) {
    const [whole, ...parts] = form.exec(sentence) ?? [];
    if (whole !== undefined) return tell(...parts);
  }
  return undefined;
}
