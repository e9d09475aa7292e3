import type { Answer, EdgeRequest } from './http.ts';
import { plainPage } from './plain-page.ts';
import { isProblem, type ProblemCode } from './problem.ts';

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
