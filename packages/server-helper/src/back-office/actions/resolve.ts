import { decimalOf } from '../../money.ts';
import type { PaymentRecord } from '../../payments/record.ts';
import { amountText } from '../format.ts';
import { html, type Html } from '../html.ts';
import type { Matter } from '../matters.ts';
import type { Fields } from '../office.ts';
import { refundablesOf } from '../refunds.ts';
import type { Language } from '../texts/by-language.ts';
import { reviewActionTexts } from '../texts/review-actions.ts';
import type { Action } from './action.ts';
import { matterButton } from './matter-button.ts';
import { mistakeInWhy, whyField } from './why-field.ts';

/** Takes a review off the list, and lets its order be paid anew where that is wanted. */
export const resolve: Action<Matter> = {
  name: 'resolve',
  right: 'resolve',
  // What became of an operation is said by the actions for it.
  isPossible: ({ entry }) => entry.kind === 'payment' && entry.reason !== 'unknown_outcome',
  fields: (matter, { language }) =>
    matterButton(matter, reviewActionTexts[language].resolve.button, 'resolve'),
  question: (matter, fields, { language }) => {
    const { entry, record } = matter;
    const { title, text, yes, keeps } = reviewActionTexts[language].resolve;
    const money = moneyBeside(matter, language);
    return {
      title: title(entry.orderId),
      text: html`<p>${text}</p>
        ${money !== null && html`<p class="warning">${keeps(money)}</p>`}`,
      button: yes,
      fields: {},
      inputs: html`${record?.payment.state === 'review' && reopenField(language, fields)}
      ${whyField(language, fields)}`,
      mistake: mistakeInWhy(language, fields),
    };
  },
  run: async ({ entry }, { why = '', reopen }, { office, actor: by }) => {
    await office.payments.review.resolve(entry.id, why, { by, reopen: reopen === 'yes' });
    return 'resolved';
  },
};

/** Money that stays with the merchant, and that nobody refunded yet. */
function moneyBeside({ record, row }: Matter, language: Language): string | null {
  if (record === null || row === null || row.kind === 'payment') return null;
  const { leftMinorUnits = 0 } =
    refundablesOf(record).find((one) => one.row.transactionId === row.transactionId) ?? {};
  if (leftMinorUnits === 0) return null;
  return amountText(language, decimalOf(leftMinorUnits), row.amount.currency);
}

const reopenField = (language: Language, fields: Fields): Html => {
  const { reopen, reopenHint } = reviewActionTexts[language].resolve;
  return html`<div class="field wide">
    <label
      ><input
        type="checkbox"
        name="reopen"
        value="yes"
        ${fields['reopen'] === 'yes' && html` checked`}
        aria-describedby="reopen-hint"
        data-test="reopen"
      />
      ${reopen}</label
    >
    <p class="hint" id="reopen-hint">${reopenHint}</p>
  </div>`;
};

/** Whether an order is stopped in review although nothing about it is open. */
export const isStuck = ({ payment, reviews }: PaymentRecord): boolean =>
  payment.state === 'review' &&
  reviews.length > 0 &&
  reviews.every(({ resolvedAt }) => resolvedAt !== null);
