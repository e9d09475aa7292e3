import { expect, it } from 'vitest';
import { SAR_115, aRow } from '../../test-support/records.ts';
import { describeEntry } from './timeline-text.ts';
import type { TimelineFact } from './timeline.ts';

const dollars = { minorUnits: 123_456_789, currency: 'USD' } as const;
const link = { kind: 'attempt', attempt: 1, means: 'link', amount: SAR_115 } as const;
const refund = {
  kind: 'operation',
  operationId: 'request/r-1',
  operation: 'refund',
  amount: SAR_115,
  requestedBy: null,
  approvedBy: null,
  wasSent: true,
  by: null,
} as const;
const review = { kind: 'review', reason: 'amount_mismatch', about: 't-1', by: null } as const;
const row = aRow();

/** Each entry, and its sentence in both languages; `<…>` stands for an isolated text. */
const sentences: readonly (readonly [TimelineFact, string, string])[] = [
  [
    { ...link, step: 'requested' },
    'Attempt 1, a payment link of 115.00 SAR, was requested.',
    'طُلب رابط دفع بمبلغ <115.00\u00a0ريال> (المحاولة 1).',
  ],
  [
    { ...link, means: 'authorization', amount: dollars, step: 'requested' },
    'Attempt 1, an authorization of 1234567.89 USD, was requested.',
    'طُلب حجز على البطاقة بمبلغ <1,234,567.89\u00a0USD> (المحاولة 1).',
  ],
  [{ ...link, step: 'open' }, 'Attempt 1 is open.', 'أصبحت المحاولة 1 متاحة للدفع.'],
  [
    { ...link, step: 'withdrawn' },
    'Attempt 1 is not offered any more: the gateway takes no payment on its page.',
    'لم تعد المحاولة 1 متاحة للدفع، فالبوابة لا تقبل الدفع على صفحتها.',
  ],
  [
    { kind: 'evidence', attempt: 2, rows: [row] },
    'The gateway reported 1 transaction of attempt 2.',
    'ردّت البوابة بشأن المحاولة 2، وعدد العمليات في ردها: 1.',
  ],
  [
    { kind: 'evidence', attempt: 2, rows: [row, row] },
    'The gateway reported 2 transactions of attempt 2.',
    'ردّت البوابة بشأن المحاولة 2، وعدد العمليات في ردها: 2.',
  ],
  [
    { kind: 'verdict', attempt: 1, transactionId: 't-1', verdict: 'payment' },
    'Transaction t-1 of attempt 1 pays the order.',
    'دُفع الطلب بالعملية <t-1> (المحاولة 1).',
  ],
  [
    { ...refund, state: 'sending', reason: null },
    'The refund request/r-1 of 115.00 SAR is being sent.',
    'استرداد بمبلغ <115.00\u00a0ريال> (<request/r-1>): قيد الإرسال.',
  ],
  [
    { ...refund, state: 'pending', reason: null, requestedBy: 'Noura' },
    'The refund request/r-1 of 115.00 SAR was accepted, and is not confirmed yet.',
    'استرداد بمبلغ <115.00\u00a0ريال> (<request/r-1>): قبلته البوابة ولم يتأكد بعد.',
  ],
  [
    { ...refund, state: 'proposed', reason: null, requestedBy: 'Noura', wasSent: false },
    'The refund request/r-1 of 115.00 SAR waits for the approval of another person, asked for by Noura.',
    'استرداد بمبلغ <115.00\u00a0ريال> (<request/r-1>): بانتظار موافقة شخص آخر، بطلب من <Noura>.',
  ],
  [
    { ...refund, state: 'sending', reason: null, requestedBy: 'Noura', approvedBy: 'Salem' },
    'The refund request/r-1 of 115.00 SAR is being sent, asked for by Noura and approved by Salem.',
    'استرداد بمبلغ <115.00\u00a0ريال> (<request/r-1>): قيد الإرسال، بطلب من <Noura> وموافقة <Salem>.',
  ],
  [
    { ...refund, state: 'failed', reason: 'a mistake', by: 'Salem', wasSent: false },
    'The refund request/r-1 of 115.00 SAR was withdrawn before it was sent (a mistake, by Salem).',
    'استرداد بمبلغ <115.00\u00a0ريال> (<request/r-1>): سُحب قبل إرساله (<a mistake>، بقرار من <Salem>).',
  ],
  [
    { ...refund, state: 'failed', reason: 'declined' },
    'The refund request/r-1 of 115.00 SAR failed (declined).',
    'استرداد بمبلغ <115.00\u00a0ريال> (<request/r-1>): لم يتم (رفض البنك العملية).',
  ],
  [
    { ...refund, state: 'succeeded', reason: 'seen, Noura' },
    'The refund request/r-1 of 115.00 SAR succeeded (seen, Noura).',
    'استرداد بمبلغ <115.00\u00a0ريال> (<request/r-1>): تم (<seen, Noura>).',
  ],
  [
    { ...review, resolution: null },
    'A person must review t-1: the gateway took an amount other than the order’s.',
    'بانتظار المراجعة: خصمت البوابة مبلغًا غير قيمة الطلب (<t-1>).',
  ],
  [
    { ...review, resolution: 'seen', by: 'Noura' },
    'The review of t-1 is over (seen, by Noura): the gateway took an amount other than the order’s.',
    'انتهت المراجعة: خصمت البوابة مبلغًا غير قيمة الطلب (<t-1>). <seen>، بقرار من <Noura>',
  ],
  [
    { ...review, reason: 'order_missing', resolution: null },
    'A person must review t-1: money came for an order that the shop did not find; loadOrder must answer the order itself when no shopper asks.',
    'بانتظار المراجعة: وصل المبلغ ولم يعثر المتجر على الطلب؛ على loadOrder أن تعيد الطلب نفسه عند استدعائها دون متسوّق (<t-1>).',
  ],
  [
    { kind: 'payment', state: 'partially_refunded', amount: SAR_115 },
    'The payment of 115.00 SAR is partially refunded.',
    'حالة الدفعة بمبلغ <115.00\u00a0ريال>: مستردة جزئيًا.',
  ],
  [
    { kind: 'refunded', total: SAR_115 },
    'The refunded total is 115.00 SAR.',
    'إجمالي المبلغ المسترد: <115.00\u00a0ريال>.',
  ],
  [{ kind: 'cancelled' }, 'The merchant cancelled the order.', 'ألغى المتجر الطلب.'],
  [
    { kind: 'cancelled', by: 'Noura' },
    'The merchant cancelled the order, asked for by Noura.',
    'ألغى المتجر الطلب، بطلب من <Noura>.',
  ],
  [
    { kind: 'redelivered', eventId: '1001/paid/t-1', by: 'Noura' },
    'The event 1001/paid/t-1 is delivered again, asked for by Noura.',
    'أُعيد تسليم الحدث <1001/paid/t-1>، بطلب من <Noura>.',
  ],
];

it.each(sentences)(
  'an entry of the timeline is a sentence in English and in Arabic (%#)',
  (entry, english, arabic) => {
    expect(describeEntry(entry)).toBe(english);
    expect(describeEntry(entry, 'en')).toBe(english);
    const isolated = arabic.replaceAll('<', '\u2068').replaceAll('>', '\u2069');
    expect(describeEntry(entry, 'ar')).toBe(isolated);
  },
);
