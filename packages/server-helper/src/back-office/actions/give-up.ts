import { hasMoney } from '../../payments/record.ts';
import { html } from '../html.ts';
import type { OrderCase } from '../order-case.ts';
import { orderActionTexts } from '../texts/order-actions.ts';
import type { Action } from './action.ts';

/** Gives an order up that has no money. */
export const giveUp: Action<OrderCase> = {
  name: 'cancel',
  right: 'cancel',
  isPossible: ({ record: { payment } }) => !payment.cancelled && !hasMoney(payment.state),
  fields: (_case, { language }) => {
    const { button, hint } = orderActionTexts[language].giveUp;
    return html`<p class="hint">${hint}</p>
      <button class="quiet" data-test="give-up">${button}</button>`;
  },
  question: ({ record }, _fields, { language }) => {
    const { title, text, yes } = orderActionTexts[language].giveUp;
    const { orderId } = record.payment;
    return { title: title(orderId), text, button: yes, isFinal: true, fields: {} };
  },
  repeated: ({ record }) => (record.payment.cancelled ? 'cancelled' : null),
  run: async ({ record }, _fields, { office, actor: by }) => {
    await office.payments.cancel(record.payment.orderId, { by });
    return 'cancelled';
  },
};
