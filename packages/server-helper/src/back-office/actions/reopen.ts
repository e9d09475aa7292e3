import { reviewId } from '../../payments/reviews.ts';
import { html } from '../html.ts';
import type { OrderCase } from '../order-case.ts';
import { orderActionTexts } from '../texts/order-actions.ts';
import type { Action } from './action.ts';
import { isStuck } from './resolve.ts';
import { mistakeInWhy, whyField } from './why-field.ts';

/** Lets an order be paid anew whose reviews were all resolved without that. */
export const reopen: Action<OrderCase> = {
  name: 'reopen',
  right: 'resolve',
  isPossible: ({ record }) => isStuck(record),
  fields: (_case, { language }) => {
    const { button, hint } = orderActionTexts[language].reopen;
    return html`<p class="hint">${hint}</p>
      <button class="quiet" data-test="reopen">${button}</button>`;
  },
  question: ({ record }, fields, { language }) => {
    const { title, text, yes } = orderActionTexts[language].reopen;
    return {
      title: title(record.payment.orderId),
      text,
      button: yes,
      fields: {},
      inputs: whyField(language, fields),
      mistake: mistakeInWhy(language, fields),
    };
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
