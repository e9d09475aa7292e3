import type { Explanation, PaymentRecord } from '../index.ts';
import { hasMoney, loadPayment, reviewId } from '../parts.ts';
import type { Action } from './action.ts';
import { byLanguage } from './html.ts';
import type { Visit } from './visit.ts';

/** An order as its page shows it, and as the engine decides about it. */
export interface OrderCase {
  readonly explanation: Explanation;
  readonly record: PaymentRecord;
  /** The most that one recurring charge may take, in minor units, where the shop set it. */
  readonly ceilingMinorUnits: number | undefined;
}

/**
 * Finds an order that has a payment; `null` for any other.
 *
 * @throws {@link PaymentsError} `invalid_order`, `store_unavailable`.
 */
export async function findOrder({ office }: Visit, orderId: string): Promise<OrderCase | null> {
  const explanation = await office.payments.explain(orderId);
  if (explanation === null) return null;
  return office.parts.run(async (context) => {
    const record = await loadPayment(context, orderId);
    return record && { explanation, record, ceilingMinorUnits: context.recurringCeiling };
  });
}

/** Asks the gateway about an order now, and records the answer. */
export const confirmNow: Action<OrderCase> = {
  name: 'confirm',
  right: null,
  texts: (language) => confirmTexts[language],
  isPossible: ({ record }) => record.attempts.length > 0,
  question: ({ record }, _fields, { language }) => {
    const { title, text, yes } = confirmTexts[language];
    return { title: title(record.payment), text, button: yes };
  },
  run: async ({ explanation: { payment: before } }, _fields, { office }) => {
    const after = await office.payments.confirm(before.orderId);
    return after?.state === before.state && after.refunded === before.refunded
      ? 'confirmed_unchanged'
      : 'confirmed_changed';
  },
};

const confirmTexts = byLanguage({
  button: ['Ask the gateway now', 'التحقق من البوابة الآن'],
  hint: ['Moves no money.', 'لا تترتب عليه أي حركة مالية.'],
  title: `Ask the gateway about order {orderId}?
    هل تريد التحقق من الطلب {orderId} لدى البوابة؟`,
  text: `The gateway’s answer is recorded, as at any status check. If it shows a payment, the order is paid and your shop is told.
    يُسجَّل رد البوابة كما في كل تحقق من الحالة. إذا أظهر الرد دفعة، يصبح الطلب مدفوعًا ويُبلَّغ متجرك.`,
  yes: ['Yes, ask now', 'نعم، تحقق الآن'],
});

/** Lets an order be paid anew whose reviews were all resolved without that. */
export const reopen: Action<OrderCase> = {
  name: 'reopen',
  right: 'resolve',
  asksWhy: true,
  texts: (language) => reopenTexts[language],
  isPossible: ({ record }) => isStuck(record),
  question: ({ record }, _fields, { language }) => {
    const { title, text, yes } = reopenTexts[language];
    return { title: title(record.payment), text, button: yes };
  },
  repeated: ({ record }, { why }) =>
    !isStuck(record) && record.reviews.some(({ resolution }) => resolution === why)
      ? 'reopened'
      : null,
  run: async ({ record }, { why = '' }, { office, actor: by }) => {
    const last = record.reviews.at(-1);
    if (last === undefined) return 'matter_over';
    await office.payments.review.resolve(reviewId(last), why, { by, reopen: true });
    return 'reopened';
  },
};

/** Whether an order is stopped in review although nothing about it is open. */
const isStuck = ({ payment, reviews }: PaymentRecord): boolean =>
  payment.state === 'review' &&
  reviews.length > 0 &&
  reviews.every(({ resolvedAt }) => resolvedAt !== null);

const reopenTexts = byLanguage({
  button: ['Let it be paid anew…', 'السماح بالدفع من جديد…'],
  hint: ['Its reviews are over, and it is still stopped.', 'انتهت مراجعات الطلب وما زال موقوفًا.'],
  title: `Let order {orderId} be paid anew?
    هل تسمح بدفع الطلب {orderId} من جديد؟`,
  text: `The customer can get a payment link for it again. Refund money that came for it first: otherwise they pay twice.
    يمكن للعميل الحصول على رابط دفع جديد لهذا الطلب. إن سبق أن وصل مبلغ عنه فأعِده إلى العميل أولًا، وإلا فقد يدفع مرتين.`,
  yes: ['Yes, let it be paid', 'نعم، اسمح بالدفع'],
});

/** Gives an order up that has no money. */
export const giveUp: Action<OrderCase> = {
  name: 'cancel',
  right: 'cancel',
  testId: 'give-up',
  texts: (language) => giveUpTexts[language],
  isPossible: ({ record: { payment } }) => !payment.cancelled && !hasMoney(payment.state),
  question: ({ record }, _fields, { language }) => {
    const { title, text, yes } = giveUpTexts[language];
    return { title: title(record.payment), text, button: yes, isFinal: true };
  },
  repeated: ({ record }) => (record.payment.cancelled ? 'cancelled' : null),
  run: async ({ record }, _fields, { office, actor: by }) => {
    await office.payments.cancel(record.payment.orderId, { by });
    return 'cancelled';
  },
};

const giveUpTexts = byLanguage({
  button: ['Give the order up…', 'إلغاء الطلب…'],
  hint: `For an order that nobody is going to pay. Moves no money.
    لطلب لن يُدفع. لا تترتب عليه أي حركة مالية.`,
  title: `Give order {orderId} up?
    هل تريد إلغاء الطلب {orderId}؟`,
  text: `The gateway is asked first: an order that is paid is not given up. No new payment link is made afterwards. Money that comes all the same through an old link is yours to refund, and nothing is shipped for it. It cannot be undone.
    يُتحقق من البوابة أولًا، ولا يُلغى طلب مدفوع. لا يُنشأ للطلب رابط دفع بعد ذلك. إن وصل مبلغ عبر رابط قديم فعليك استرداده للعميل، ولا يُشحن مقابله شيء. لا يمكن التراجع عن الإلغاء.`,
  yes: ['Yes, give it up', 'نعم، ألغِ الطلب'],
});
