import { createHash } from 'node:crypto';
import type { Answer, EdgeRequest } from './http.ts';
import { isProblem, type ProblemCode } from './problem.ts';

/** A text in the languages of our pages. */
export type PageText = Readonly<Record<'en' | 'ar', string>>;

type Language = keyof PageText;

/** What a page says. */
export interface PageParts {
  readonly status: number;
  readonly headers?: Answer['headers'];
  readonly text: PageText;
  /** Of a form that sends a POST to the page's own address; absent for none. */
  readonly button?: PageText;
  /** Of the way back to the shop; absent for none. */
  readonly shopUrl?: string;
  /** Whether the browser goes to `shopUrl` by itself. */
  readonly goesOn?: boolean;
}

const directions: Readonly<Record<Language, string>> = { en: 'ltr', ar: 'rtl' };
const back: PageText = { en: 'Back to the shop', ar: 'العودة إلى المتجر' };

const style =
  ':root{color-scheme:light dark}body{font:1.125rem/1.6 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1.5rem;text-align:center}button{font:inherit;padding:.5em 1.5em}';

/** Only this one style may be used, nothing may be loaded, and no other page may show this one. */
const policy = `default-src 'none'; base-uri 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors 'none'`;

/** A page without scripts for a shopper, in the languages that the browser asks for. */
export function plainPage(
  request: EdgeRequest,
  { status, headers, text, button, shopUrl, goesOn = false }: PageParts,
): Answer {
  const languages = languagesOf(request.header('accept-language'));
  const [first = 'en'] = languages;
  const inEach = (one: PageText, markup: (words: string) => string): string =>
    languages.map((language) => part(language, markup(one[language]))).join('');
  const form =
    button &&
    `<form method="post">${inEach(button, (words) => `<button>${words}</button>`)}</form>`;
  // `URL` leaves no double quote and no bracket in an address.
  const href = shopUrl && new URL(shopUrl).href.replaceAll('&', '&amp;');
  const link = href && inEach(back, (words) => `<a href="${href}">${words}</a>`);
  const onward = goesOn ? `<meta http-equiv="refresh" content="0;url=${href}">` : '';
  return {
    status,
    headers: {
      ...headers,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
    },
    html: `<!doctype html><html lang="${first}" dir="${directions[first]}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">${onward}<title>${text[first]}</title><style>${style}</style><main>${inEach(text, (words) => words)}${form ?? ''}${link ?? ''}</main></html>`,
  };
}

const part = (language: Language, content: string): string =>
  `<p lang="${language}" dir="${directions[language]}">${content}</p>`;

const isLanguage = (text: string): text is Language => Object.hasOwn(directions, text);

/** The languages of ours that `Accept-Language` names, in its order; both where it names none. */
export function languagesOf(header = ''): readonly Language[] {
  const wanted = header
    .toLowerCase()
    .split(',', 20)
    .map((range) => {
      const [tag = '', weight = 'q=1'] = range.split(';').map((text) => text.trim());
      const [language = ''] = tag.split('-', 1);
      return { language, weight: Number(weight.replace('q=', '')) };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ language }) => language)
    .filter(isLanguage);
  return wanted.length === 0 ? ['en', 'ar'] : [...new Set(wanted)];
}

/** The text for a shopper without scripts, in both languages; other codes share one text. */
const words: Partial<Record<ProblemCode, readonly [english: string, arabic: string]>> = {
  already_paid: ['This order is paid already.', 'هذا الطلب مدفوع مسبقًا.'],
  attempt_in_progress: [
    'Your payment is being prepared. Try again in a moment.',
    'جارٍ تجهيز الدفع. حاول مرة أخرى بعد قليل.',
  ],
  gateway_timeout: [
    'The payment page takes longer than usual. Try again in a moment.',
    'يستغرق تجهيز صفحة الدفع وقتًا أطول من المعتاد. حاول مرة أخرى بعد قليل.',
  ],
  gateway_unreachable: [
    'The payment gateway did not answer. Nothing was charged. Try again in a moment.',
    'لم تستجب بوابة الدفع، ولم يُخصم أي مبلغ. حاول مرة أخرى بعد قليل.',
  ],
  hook_failed: [
    'The shop could not record the payment yet. It is tried again. Wait before you pay again.',
    'تعذّر على المتجر تسجيل الدفع بعد، وستُعاد المحاولة. انتظر قبل أن تدفع مرة أخرى.',
  ],
  in_review: [
    'This payment is being reviewed. The shop will contact you.',
    'دفعتك قيد المراجعة، وسيتواصل معك المتجر.',
  ],
  not_found: ['There is nothing at this address.', 'لا توجد صفحة بهذا العنوان.'],
  order_cancelled: ['This order was cancelled.', 'تم إلغاء هذا الطلب.'],
  order_not_found: ['There is no such order.', 'لم نجد هذا الطلب.'],
  store_unavailable: [
    'Payments are not possible right now. Nothing was charged. Try again in a moment.',
    'الدفع غير متاح حاليًا، ولم يُخصم أي مبلغ. حاول مرة أخرى بعد قليل.',
  ],
  too_many_attempts: [
    'There were many attempts to pay this order. Nothing was charged. Try again later, or contact the shop.',
    'كثرت محاولات الدفع لهذا الطلب، ولم يُخصم أي مبلغ. حاول لاحقًا أو تواصل مع المتجر.',
  ],
  too_many_requests: [
    'There were many tries in a short time. Nothing was charged. Wait a minute and try again.',
    'محاولات كثيرة في وقت قصير، ولم يُخصم أي مبلغ. انتظر دقيقة ثم حاول مرة أخرى.',
  ],
};

const otherwise = [
  'The payment could not be started. Nothing was charged. Please contact the shop.',
  'تعذّر بدء عملية الدفع، ولم يُخصم أي مبلغ. يُرجى التواصل مع المتجر.',
] as const;

/**
 * Answers a browser's own navigation, by a form or a link, with a page instead of JSON: the same
 * status, in words. A script's request asks for JSON and gets it.
 */
export function readableAnswer(request: EdgeRequest, answer: Answer, shopUrl: string): Answer {
  const { json } = answer;
  if (!isProblem(json) || !(request.header('accept') ?? '').includes('text/html')) return answer;
  const [en, ar] = words[json.code] ?? otherwise;
  const { status, headers } = answer;
  return { ...answer, ...plainPage(request, { status, headers, text: { en, ar }, shopUrl }) };
}
