import { createHash } from 'node:crypto';
import { ConfigurationError, helpAddress, PaymentsError } from '../errors.ts';
import { GatewayError } from '../gateway/gateway-error.ts';
import type { Answer, EdgeRequest } from './http.ts';

/** The problems that our routes answer, by their codes. Each has an entry in `docs/errors.md`. */
const kinds = {
  already_paid: [409, 'The order is paid already'],
  attempt_in_progress: [409, 'A payment link is being made'],
  body_already_read: [500, 'The body was read before it came here'],
  body_timeout: [408, 'The body took too long'],
  body_too_large: [413, 'The body is too large'],
  cross_site: [403, 'The request came from another site'],
  gateway_rejected: [502, 'The payment gateway refused the payment link'],
  gateway_timeout: [504, 'The payment gateway takes too long'],
  gateway_unreachable: [502, 'The payment gateway did not answer'],
  hook_failed: [503, 'The payment could not be recorded yet'],
  idempotency_key_reused: [409, 'The idempotency key stands for another request'],
  in_review: [409, 'The payment is being reviewed'],
  internal_error: [500, 'Something went wrong on our side'],
  invalid_body: [422, 'The body is not as it must be'],
  invalid_idempotency_key: [400, 'The idempotency key is not as it must be'],
  invalid_order: [422, 'The order cannot be paid as it is'],
  invalid_signature: [401, 'The webhook’s signature does not match'],
  method_not_allowed: [405, 'This address does not take this method'],
  mount_mismatch: [500, 'The payments router is mounted elsewhere'],
  not_found: [404, 'There is nothing at this address'],
  order_cancelled: [409, 'The order was cancelled'],
  order_not_found: [404, 'There is no such order'],
  overloaded: [503, 'The shop is very busy'],
  store_unavailable: [503, 'Payments cannot be recorded right now'],
  too_many_attempts: [429, 'There were too many payment attempts'],
  too_many_requests: [429, 'There were too many requests'],
  unsupported_media_type: [415, 'The body has an unsupported type'],
} as const satisfies Readonly<Record<string, readonly [status: number, title: string]>>;

/** The code of a problem; no code ever changes its meaning. */
export type ProblemCode = keyof typeof kinds;

export const isProblem = (
  json: unknown,
): json is { readonly code: ProblemCode; readonly detail: string } =>
  typeof json === 'object' && json !== null && 'code' in json && 'detail' in json;

interface ProblemOptions {
  readonly field?: string | undefined;
  readonly headers?: Answer['headers'];
  /** After how many seconds another try may be better. */
  readonly retryAfterS?: number | undefined;
}

/** An RFC 9457 problem as an answer. */
export function problem(
  code: ProblemCode,
  detail: string,
  { field, headers, retryAfterS }: ProblemOptions = {},
): Answer {
  const [status, title] = kinds[code];
  const document = { type: helpAddress(code), title, status, code, detail };
  return {
    status,
    headers: {
      'content-type': 'application/problem+json',
      ...(retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }),
      ...headers,
    },
    json: field === undefined ? document : { ...document, field },
  };
}

/** The one answer to every bad token, so that the answer does not reveal what was wrong with it. */
export const invalidAddress = (): Answer => problem('not_found', 'This address is not valid.');

/** Ends a route from within a flow, with an answer that is decided already. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly answer: Answer;

  constructor(answer: Answer) {
    super('the request was refused');
    this.answer = answer;
  }
}

/** The problem that a browser gets for an error, with nothing that is not for a shopper. */
export function problemOf(error: unknown): Answer {
  if (error instanceof Refusal) return error.answer;
  // To a shopper it is one thing whether the link or the answer about the former link is missing.
  if (error instanceof PaymentsError && error.code === 'not_confirmed') return unreachable();
  // The codes of money operations, which no route performs, are not problem codes.
  if (error instanceof PaymentsError && Object.hasOwn(kinds, error.code)) {
    const code = error.code as ProblemCode;
    const [status] = kinds[code];
    const retryAfterS = status === 429 ? 300 : status >= 503 ? 5 : undefined;
    return problem(code, error.message, { field: error.field, retryAfterS });
  }
  // The gateway's own words may name the merchant's set-up, so they go to the log only.
  if (error instanceof GatewayError) {
    return error.outcome === 'rejected'
      ? problem('gateway_rejected', 'No new payment was started. The shop has to look into this.')
      : unreachable();
  }
  if (error instanceof ConfigurationError) {
    if (error.code === 'closed') {
      const detail = 'The shop is restarting. Try again in a moment.';
      return problem('store_unavailable', detail, { retryAfterS: 5 });
    }
    const code = error.code === 'body_already_read' ? error.code : 'internal_error';
    return problem(code, 'The shop’s payments are not set up correctly.');
  }
  return problem('internal_error', 'No new payment was started. Try again in a moment.');
}

const unreachable = (): Answer => {
  const detail = 'No new payment was started. Try again in a moment.';
  return problem('gateway_unreachable', detail, { retryAfterS: 5 });
};

/** A text in the languages of our pages. */
export type PageText = Readonly<Record<'en' | 'ar', string>>;

type Language = keyof PageText;

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
    languages
      .map((each) => `<p lang="${each}" dir="${directions[each]}">${markup(one[each])}</p>`)
      .join('');
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
    .filter((one): one is Language => Object.hasOwn(directions, one));
  return wanted.length === 0 ? ['en', 'ar'] : [...new Set(wanted)];
}

/** The text for a shopper without scripts, in English and below it in Arabic; other codes share one text. */
const words: Partial<Record<ProblemCode, `${string}\n${string}`>> = {
  already_paid: `This order is paid already.
    هذا الطلب مدفوع مسبقًا.`,
  attempt_in_progress: `Your payment is being prepared. Try again in a moment.
    جارٍ تجهيز الدفع. حاول مرة أخرى بعد قليل.`,
  gateway_timeout: `The payment page takes longer than usual. Try again in a moment.
    يستغرق تجهيز صفحة الدفع وقتًا أطول من المعتاد. حاول مرة أخرى بعد قليل.`,
  gateway_unreachable: `The payment gateway did not answer. No new payment was started. Try again in a moment.
    لم تستجب بوابة الدفع، ولم تبدأ أي عملية دفع جديدة. حاول مرة أخرى بعد قليل.`,
  hook_failed: `The shop could not record the payment yet. It is tried again. Wait before you pay again.
    تعذّر على المتجر تسجيل الدفع بعد، وستُعاد المحاولة. انتظر قبل أن تدفع مرة أخرى.`,
  in_review: `This payment is being reviewed. The shop will contact you.
    دفعتك قيد المراجعة، وسيتواصل معك المتجر.`,
  not_found: `There is nothing at this address.
    لا توجد صفحة بهذا العنوان.`,
  order_cancelled: `This order was cancelled.
    تم إلغاء هذا الطلب.`,
  order_not_found: `There is no such order.
    لم نجد هذا الطلب.`,
  store_unavailable: `Payments are not possible right now. No new payment was started. Try again in a moment.
    الدفع غير متاح حاليًا، ولم تبدأ أي عملية دفع جديدة. حاول مرة أخرى بعد قليل.`,
  too_many_attempts: `There were many attempts to pay this order. No new payment was started. Try again later, or contact the shop.
    كثرت محاولات الدفع لهذا الطلب، ولم تبدأ أي عملية دفع جديدة. حاول لاحقًا أو تواصل مع المتجر.`,
  too_many_requests: `There were many tries in a short time. No new payment was started. Wait a minute and try again.
    محاولات كثيرة في وقت قصير، ولم تبدأ أي عملية دفع جديدة. انتظر دقيقة ثم حاول مرة أخرى.`,
};

const otherwise = `The payment could not be started. Please contact the shop.
  تعذّر بدء عملية الدفع. يُرجى التواصل مع المتجر.`;

/**
 * Answers a browser's own navigation, by a form or a link, with a page instead of JSON: the same
 * status, in words. A script's request asks for JSON and gets it.
 */
export function readableAnswer(request: EdgeRequest, answer: Answer, shopUrl: string): Answer {
  const { json } = answer;
  if (!isProblem(json) || !(request.header('accept') ?? '').includes('text/html')) return answer;
  const [en = '', ar = ''] = (words[json.code] ?? otherwise).split('\n').map((one) => one.trim());
  const { status, headers } = answer;
  return { ...answer, ...plainPage(request, { status, headers, text: { en, ar }, shopUrl }) };
}
