import type { PaymentView } from '../index.ts';
import { formatAmount } from '../format-amount.ts';
import { escapeHtml } from '../text.ts';
import { decimalOf, type Money } from '../money.ts';

export type Language = 'en' | 'ar';

/** One text in both languages: side by side, or one below the other where it is long. `{name}` is a gap. */
type Pair = readonly [english: string, arabic: string] | `${string}\n${string}`;

interface TextPairs {
  readonly [name: string]: Pair | TextPairs;
}

type GapOf<Text> = Text extends readonly string[]
  ? GapOf<Text[number]>
  : Text extends `${string}{${infer Name}}${infer Rest}`
    ? Name | GapOf<Rest>
    : never;

/** A text, or the function that fills its gaps. */
type Filled<Gap extends string> = [Gap] extends [never]
  ? string
  : (values: Readonly<Record<Gap, string | number>>) => string;

type InOneLanguage<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Pair
    ? Filled<GapOf<Table[Name]>>
    : InOneLanguage<Table[Name]>;
};

/**
 * Splits a table of texts into one table for each language. The source has both languages of a text
 * together, so that a change to one is not forgotten in the other; the type counts them, and names the
 * gaps. What fills a gap cannot turn the sentence around it.
 */
export function byLanguage<const Table extends TextPairs>(
  texts: Table,
): Readonly<Record<Language, InOneLanguage<Table>>> {
  return {
    en: pick(texts, 0) as InOneLanguage<Table>,
    ar: pick(texts, 1) as InOneLanguage<Table>,
  };
}

function pick(entry: TextPairs[string], half: 0 | 1): unknown {
  const pair = typeof entry === 'string' ? entry.split('\n') : entry;
  if (!isPair(pair)) {
    return Object.fromEntries(Object.entries(pair).map(([name, one]) => [name, pick(one, half)]));
  }
  const text = pair[half]?.trim() ?? '';
  if (!pair.join('').includes('{')) return text;
  return (values: Readonly<Record<string, string | number>>) =>
    text.replaceAll(/\{(\w+)\}/g, (_gap, name: string) => isolated(String(values[name])));
}

const isPair = (entry: object): entry is readonly string[] => Array.isArray(entry);

/** Keeps a text of another direction from turning the sentence around it; no mark of its own ends that. */
const isolated = (text: string): string => `\u2068${text.replaceAll(/[\u2066-\u2069]/g, '')}\u2069`;

/** Text that is already HTML. The template escapes every other value. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

type Part = Html | string | number | null | false | readonly Part[];

/**
 * Characters that turn the order of the text behind them, so that a stranger's words could show an
 * amount backwards. No language needs them.
 */
const OVERRIDES = /[\u202A-\u202E\u2066\u2067]/g;

/** Builds a piece of a page. Values are escaped; `null` and `false` become nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const pieces = strings.map((text, index) => text + render(parts[index] ?? null));
  return new Html(pieces.join(''));
}

export const nothing = new Html('');

function render(part: Part): string {
  if (part === null || part === false) return '';
  if (part instanceof Html) return part.toString();
  if (typeof part === 'object') return part.map(render).join('');
  return escapeHtml(String(part).replace(OVERRIDES, ''));
}

/** How a language is written, with Latin digits as on cards and receipts. */
export const locales: Readonly<Record<Language, string>> = {
  en: 'en-GB',
  ar: 'ar-SA-u-ca-gregory-nu-latn',
};

/** An amount on a page. */
export const amountTag = (language: Language, amount: string, currency: string): Html =>
  new Html(formatAmount(amount, currency, language).html);

/** An amount in a sentence, a title or a name. */
export const amountText = (language: Language, amount: string, currency: string): string =>
  isolated(formatAmount(amount, currency, language).text);

/** An amount of the engine on a page. */
export const moneyTag = (language: Language, { minorUnits, currency }: Money): Html =>
  amountTag(language, decimalOf(minorUnits), currency);

/** An amount of the engine in a sentence, a title or a name. */
export const moneyText = (language: Language, { minorUnits, currency }: Money): string =>
  amountText(language, decimalOf(minorUnits), currency);

/** How a moment is written, by the server and by the script. */
export const instantFormat = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
} as const satisfies Intl.DateTimeFormatOptions;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(language: Language, timeZone: string): Intl.DateTimeFormat {
  const key = `${language} ${timeZone}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat(locales[language], { timeZone, ...instantFormat });
  formats.set(key, made);
  return made;
}

/** For whom a page is written. */
interface Reader {
  readonly language: Language;
  readonly office: { readonly settings: { readonly timeZone: string } };
}

/** A moment, in the office's zone until the script writes it in the reader's. */
export function instant({ language, office }: Reader, iso: string): Html {
  const text = formatIn(language, office.settings.timeZone).format(new Date(iso));
  return html`<time datetime="${iso}">${text}</time>`;
}

const dayFormat = (language: Language): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(locales[language], { timeZone: 'UTC', dateStyle: 'medium' });

// Making one takes longer than a chart of a year has for each of its days.
const dayFormats = { en: dayFormat('en'), ar: dayFormat('ar') };

/** A day of the calendar, as `23 Nov 2026`. */
export const dayText = (language: Language, day: string): string =>
  dayFormats[language].format(Date.parse(day));

/** A share of one, as `97%`. */
export function shareText(language: Language, share: number): string {
  const format = { style: 'percent', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(numerals[language], format).format(share);
}

const numerals: Readonly<Record<Language, string>> = { en: 'en-GB', ar: 'ar-SA-u-nu-latn' };

const units = [
  { unit: 'hour', milliseconds: 3_600_000 },
  { unit: 'minute', milliseconds: 60_000 },
  { unit: 'second', milliseconds: 1_000 },
] as const;

/** How long something took, in the largest unit of which there are two or more. */
export function durationText(language: Language, milliseconds: number): string {
  if (milliseconds < 1_000) return language === 'ar' ? 'أقل من ثانية' : 'under 1 sec';
  const found = units.find((one) => milliseconds >= 2 * one.milliseconds) ?? units[2];
  // Arabic has no abbreviation of these that everybody reads.
  const unitDisplay = language === 'ar' ? 'long' : 'short';
  const unit = { style: 'unit', unit: found.unit, unitDisplay } as const;
  const format = { ...unit, maximumFractionDigits: 1 };
  return new Intl.NumberFormat(numerals[language], format).format(
    milliseconds / found.milliseconds,
  );
}

/** The digits that Arabic keyboards write. */
const ARABIC_DIGITS = /[\u0660-\u0669\u06F0-\u06F9]/g;

/**
 * An amount as a person types it, as a decimal text with two decimals: `115`, `1,150.5` and `١١٥٫٠٠`
 * are read.
 *
 * @returns `null` for anything else; nothing rounds.
 */
export function typedAmount(text: string): string | null {
  const latin = text
    .trim()
    .replaceAll(ARABIC_DIGITS, (digit) => String((digit.codePointAt(0) ?? 0) & 15))
    .replace('\u066B', '.');
  const [, whole = '', decimals = ''] =
    /^(\d{1,3}(?:[,\u066C]\d{3})*|\d{1,13})(?:\.(\d{1,2}))?$/.exec(latin) ?? [];
  const digits = whole.replaceAll(/[,\u066C]/g, '');
  if (digits === '' || digits.length > 13) return null;
  return `${digits.replace(/^0+(?=\d)/, '')}.${decimals.padEnd(2, '0')}`;
}

/** A short word on a coloured ground; the ground follows `data-state`. */
export const badge = (state: string, words: string, test = ''): Html =>
  html`<span class="badge" data-state="${state}" ${test !== '' && html` data-test="${test}"`}
    >${words}</span
  >`;

/** The state of a payment, as `order-state` where a page is about one order. */
export function stateBadge(
  { language }: { readonly language: Language },
  { state, cancelled, isChecking }: Pick<PaymentView, 'state' | 'cancelled' | 'isChecking'>,
  test = '',
): Html {
  const texts = stateTexts[language];
  return html`${badge(state, texts.payment[state], test)}
  ${cancelled && badge('cancelled', texts.cancelled)}
  ${isChecking && badge('checking', texts.checking)}`;
}

/** An id or another word of a machine, which has its own direction. */
export const code = (text: string): Html => html`<code dir="ltr">${text}</code>`;

export const fact = (name: string, value: Html | string): Html =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;

/** A part of a page with a heading of its own. */
export const panel = (id: string, heading: string, content: Html | readonly Html[]): Html =>
  html`<section class="panel" aria-labelledby="${id}">
    <h2 id="${id}">${heading}</h2>
    ${content}
  </section>`;

/** A panel of cards; nothing where there are none. */
export function cards(id: string, heading: string, items: readonly Html[]): Html {
  if (items.length === 0) return nothing;
  const list = html`<ul class="cards" data-test="${id}">
    ${items}
  </ul>`;
  return panel(id, heading, list);
}

/** A field of a form, with its label. */
export const field = (
  {
    id,
    label,
    name = id,
    value = '',
    look = '',
  }: {
    readonly id: string;
    readonly label: Html | string;
    readonly name?: string;
    readonly value?: string | undefined;
    /** How wide it may be, by a class of the style sheet. */
    readonly look?: 'wide' | 'grow' | '';
  },
  more: Html,
  hint = '',
): Html =>
  html`<div class="field ${look}">
    <label for="${id}">${label}</label>
    <input id="${id}" name="${name}" value="${value}" data-test="${id}" ${more} />
    ${hint !== '' && html`<p class="hint">${hint}</p>`}
  </div>`;

/** Words for states and kinds, as a badge or a cell shows them. */
export const stateTexts = byLanguage({
  payment: {
    unpaid: ['Not paid', 'غير مدفوع'],
    pending: ['Waiting for payment', 'بانتظار الدفع'],
    paid: ['Paid', 'مدفوع'],
    failed: ['Declined', 'مرفوض'],
    expired: ['Expired', 'منتهي'],
    partially_refunded: ['Partly refunded', 'مسترد جزئيًا'],
    refunded: ['Refunded', 'مسترد'],
    paid_late: ['Paid too late', 'مدفوع بعد الإلغاء'],
    review: ['In review', 'قيد المراجعة'],
    authorized: ['Authorized', 'المبلغ محجوز'],
    captured: ['Captured', 'تم التحصيل'],
    voided: ['Voided', 'فُك الحجز'],
  },
  meaning: {
    unpaid: ['Nobody has asked for a payment link yet.', 'لم يُطلب رابط دفع بعد.'],
    pending: `A payment link is open. No money has been seen yet.
      رابط الدفع مفتوح، ولم تصل أي دفعة بعد.`,
    paid: `The gateway confirmed the whole amount. The order may be shipped.
      أكدت البوابة كامل المبلغ. يمكن شحن الطلب.`,
    failed: `Every try so far was declined. No money was taken; the customer may try again.
      رُفضت كل المحاولات حتى الآن، ولم يُخصم أي مبلغ. يمكن للعميل المحاولة مجددًا.`,
    expired: `The last payment link ended unpaid. A new one may follow.
      انتهى آخر رابط دون دفع، ويمكن إنشاء رابط جديد.`,
    partially_refunded: `A part of the money went back to the card.
      أُعيد جزء من المبلغ إلى البطاقة.`,
    refunded: ['All of the money went back to the card.', 'أُعيد كامل المبلغ إلى البطاقة.'],
    paid_late: `Money came after the order was cancelled. It is not shipped: refund it, or accept it in the review.
      وصل المبلغ بعد إلغاء الطلب. لا يُشحن الطلب: أعِد المبلغ إلى العميل أو اقبله من قائمة المراجعة.`,
    review: `Something does not match. Do not ship before the review is over.
      توجد بيانات غير متطابقة. لا تشحن الطلب قبل انتهاء المراجعة.`,
    authorized: `The amount is held on the card and not taken yet. Capture it, or void it.
      المبلغ محجوز على البطاقة ولم يُحصَّل بعد. حصّله أو فُك حجزه.`,
    captured: `The held amount was taken. The order may be shipped.
      حُصّل المبلغ المحجوز. يمكن شحن الطلب.`,
    voided: ['The held amount was released. Nothing was taken.', 'فُك حجز المبلغ، ولم يُخصم شيء.'],
  },
  cancelled: ['Order cancelled', 'الطلب ملغى'],
  checking: ['Being checked', 'قيد التحقق'],
  attempt: {
    creating: ['Being made', 'قيد الإنشاء'],
    open: ['Open', 'مفتوح'],
    succeeded: ['Succeeded', 'نجح'],
    closed: ['Closed', 'مغلق'],
    lost: ['Lost', 'لم يصل الرد'],
  },
  means: {
    link: ['Payment link', 'رابط دفع'],
    sale: ['Sale', 'خصم مباشر'],
    authorization: ['Authorization', 'حجز'],
    charge: ['Recurring charge', 'خصم دوري'],
  },
  role: {
    payment: ['Pays the order', 'دفعة الطلب'],
    late: ['Came late', 'وصلت متأخرة'],
    duplicate: ['Duplicate charge', 'خصم مكرر'],
    discrepancy: ['Does not match', 'لا تطابق الطلب'],
    charge: ['Recurring charge', 'خصم دوري'],
  },
  operationKind: {
    refund: ['Refund', 'استرداد'],
    capture: ['Capture', 'تحصيل'],
    void: ['Void', 'فك الحجز'],
    recurring: ['Recurring charge', 'خصم دوري'],
    sale: ['Sale', 'خصم مباشر'],
  },
  operation: {
    proposed: ['Waits for approval', 'بانتظار الموافقة'],
    sending: ['Being sent', 'قيد الإرسال'],
    pending: ['Accepted, not confirmed yet', 'قُبل ولم يتأكد بعد'],
    succeeded: ['Succeeded', 'تم'],
    failed: ['Failed', 'لم يتم'],
    unknown: ['Unknown outcome', 'النتيجة غير معروفة'],
  },
  delivery: {
    waiting: ['Waiting', 'بانتظار التسليم'],
    unhandled: ['No handler here', 'لا معالج له هنا'],
    done: ['Delivered', 'سُلّم'],
    dead: ['Failed too often', 'تكرر فشله'],
  },
  entry: {
    attempt: ['Attempt', 'محاولة'],
    evidence: ['Evidence', 'رد البوابة'],
    verdict: ['Verdict', 'نتيجة التحقق'],
    operation: ['Operation', 'عملية'],
    review: ['Review', 'مراجعة'],
    payment: ['Payment', 'الدفعة'],
    refunded: ['Refund', 'استرداد'],
    cancelled: ['Cancellation', 'إلغاء'],
    redelivered: ['Event', 'حدث'],
  },
});

/** Why an operation or a review ended as it did, where the kit's own code says so. */
const outcomeTexts = byLanguage({
  accepted: ['the gateway accepted it', 'قبلته البوابة'],
  connection_failed: ['no connection to the gateway', 'تعذّر الاتصال بالبوابة'],
  connection_lost: ['the connection broke', 'انقطع الاتصال'],
  contradicting_words: ['the gateway’s answer contradicts itself', 'رد البوابة متناقض'],
  declined: ['the bank declined', 'رفض البنك العملية'],
  evidence: ['the gateway’s status shows it', 'أكدته حالة العملية لدى البوابة'],
  gateway_fault: ['the gateway had a fault', 'حدث خلل لدى البوابة'],
  interrupted: ['the shop stopped before the answer', 'توقف المتجر قبل وصول الرد'],
  no_evidence: ['accepted, and not shown for two days', 'قُبل ولم يظهر لدى البوابة خلال يومين'],
  rejected: ['the gateway rejected the request', 'رفضت البوابة الطلب'],
  timeout: ['no answer in time', 'لم يصل الرد في الوقت المحدد'],
  unreadable_answer: ['the answer could not be read', 'تعذّرت قراءة الرد'],
});

/** The words for a reason; what a person wrote, and a code without words, stay as they are. */
export function outcomeText(language: Language, reason: string): string {
  const known: Readonly<Record<string, string>> = outcomeTexts[language];
  return Object.hasOwn(known, reason) ? (known[reason] ?? reason) : reason;
}
