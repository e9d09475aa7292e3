import { html } from '../html.ts';
import type { OrderCase } from '../order-case.ts';
import { orderActionTexts } from '../texts/order-actions.ts';
import type { Action } from './action.ts';

/** Asks the gateway about an order now, and records the answer. */
export const confirmNow: Action<OrderCase> = {
  name: 'confirm',
  right: null,
  isPossible: ({ record }) => record.attempts.length > 0,
  fields: (_case, { language }) => {
    const { button, hint } = orderActionTexts[language].confirm;
    return html`<p class="hint">${hint}</p>
      <button class="quiet" data-test="confirm">${button}</button>`;
  },
  question: ({ record: { payment } }, _fields, { language }) => {
    const { title, text, yes } = orderActionTexts[language].confirm;
    return { title: title(payment.orderId), text, button: yes, fields: {} };
  },
  run: async ({ explanation: { payment: before } }, _fields, { office }) => {
    const after = await office.payments.confirm(before.orderId);
    return after?.state === before.state && after.refunded === before.refunded
      ? 'confirmed_unchanged'
      : 'confirmed_changed';
  },
};
