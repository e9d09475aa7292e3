import { decimalOf, type Money } from '../../money.ts';
import { acceptMoney } from '../../payments/accept-money.ts';
import { amountText } from '../format.ts';
import { html } from '../html.ts';
import type { Matter } from '../matters.ts';
import { reviewActionTexts } from '../texts/review-actions.ts';
import type { Action } from './action.ts';
import { matterButton } from './matter-button.ts';
import { mistakeInWhy, whyField } from './why-field.ts';

/** Takes the money of a review as the order's payment. */
export const accept: Action<Matter> = {
  name: 'accept',
  right: 'accept',
  isPossible: ({ entry, record }, { office }) => {
    if (entry.kind !== 'payment' || record === null) return false;
    const decision = { id: entry.id, why: '-', by: null };
    const { kind } = acceptMoney(record, decision, undefined, office.parts.clock.now());
    return kind === 'accept';
  },
  fields: (matter, { language }) =>
    matterButton(matter, reviewActionTexts[language].accept.button, 'accept'),
  question: ({ entry, record, row }, fields, { language }) => {
    const texts = reviewActionTexts[language].accept;
    const inWords = (money: Money | undefined): string =>
      money === undefined ? '' : amountText(language, decimalOf(money.minorUnits), money.currency);
    const [came, price] = [inWords(row?.amount), inWords(record?.payment.amount)];
    const isWhole = row?.amount.minorUnits === record?.payment.amount.minorUnits;
    return {
      title: texts.title(came, entry.orderId),
      text: html`<p>${isWhole ? texts.whole(came) : texts.other(came, price)}</p>
        <p>${texts.text}</p>`,
      button: texts.yes(came),
      isFinal: true,
      fields: {},
      inputs: whyField(language, fields),
      mistake: mistakeInWhy(language, fields),
    };
  },
  run: async ({ entry }, { why = '' }, { office, actor: by }) => {
    await office.payments.review.accept(entry.id, why, { by });
    return 'accepted';
  },
};
