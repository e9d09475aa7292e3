import type { ReviewReason } from '../../payments/record.ts';
import { html } from '../html.ts';
import type { Matter } from '../matters.ts';
import { refund, type Refundable, refundablesOf } from '../refunds.ts';
import { amountFieldTexts } from '../texts/money-actions.ts';
import { reviewActionTexts } from '../texts/review-actions.ts';
import type { Action } from './action.ts';
import { typedMinorUnits } from './amount-field.ts';
import { matterButton } from './matter-button.ts';
import { formerNotice, noticeOf, stateOf } from './operations.ts';
import { refundQuestion } from './refund-question.ts';

/** Reviews of which it is not certain that the money is this order's, or how much of it is left. */
const uncertain: ReadonlySet<ReviewReason> = new Set([
  'refund_contradiction',
  'unattributed_payment',
]);

/** Gives the money of a review back to the card, as much of it as is left. */
export const refundMatter: Action<Matter> = {
  name: 'refund',
  right: 'refund',
  isPossible: (matter) => moneyOf(matter) !== undefined,
  fields: (matter, { language }) =>
    matterButton(matter, reviewActionTexts[language].refund.button, 'refund'),
  question: (matter, _fields, visit) => {
    const money = moneyOf(matter);
    if (matter.record === null || money === undefined) {
      return { mistake: amountFieldTexts[visit.language].noTransaction };
    }
    const { text, fields, ...question } = refundQuestion(
      visit,
      matter.record,
      money,
      money.leftMinorUnits,
    );
    const { ends } = reviewActionTexts[visit.language].refund;
    const shown = html`${text}
      <p>${ends}</p>`;
    return { ...question, text: shown, fields, state: stateOf(matter.record) };
  },
  repeated: ({ record }, fields, requestId) =>
    record &&
    formerNotice(record, requestId, {
      kind: 'refund',
      minorUnits: typedMinorUnits(fields),
      transactionId: fields['transaction'],
    }),
  run: async (matter, fields, visit, requestId) => {
    const money = moneyOf(matter);
    // The amount is the one that the question named, not what is left by now.
    const minorUnits = typedMinorUnits(fields);
    if (matter.record === null || money === undefined) return 'matter_over';
    const { transactionId } = money.row;
    const asked = { transactionId, minorUnits, requestId, fields, reviewId: matter.entry.id };
    return noticeOf(await refund(visit, matter.record, asked));
  },
};

/** The money beside the order's own payment that a matter is about, while any of it is left. */
function moneyOf({ entry, record, row }: Matter): Refundable | undefined {
  if (entry.kind !== 'payment' || uncertain.has(entry.reason)) return undefined;
  if (record === null || row === null || row.kind === 'payment') return undefined;
  return refundablesOf(record).find((one) => one.row.transactionId === row.transactionId);
}
