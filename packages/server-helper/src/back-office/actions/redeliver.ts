import type { Matter } from '../matters.ts';
import { reviewActionTexts } from '../texts/review-actions.ts';
import type { Action } from './action.ts';
import { matterButton } from './matter-button.ts';

/** Hands an event to the shop's own code again. */
export const redeliver: Action<Matter> = {
  name: 'redeliver',
  right: 'resolve',
  isPossible: ({ entry }) => entry.kind === 'dead_letter',
  fields: (matter, { language }) =>
    matterButton(matter, reviewActionTexts[language].redeliver.button, 'redeliver'),
  question: ({ entry }, _fields, { language }) => {
    const { title, text, yes } = reviewActionTexts[language].redeliver;
    const event = entry.kind === 'dead_letter' ? entry.event.type : '';
    return { title: title(event, entry.orderId), text, button: yes, fields: {} };
  },
  run: async ({ entry }, _fields, { office, actor: by }) => {
    await office.payments.review.redeliver(entry.id, { by });
    return 'redelivered';
  },
};
