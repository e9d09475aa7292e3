import { isSamePerson } from '../../payments/money-decision.ts';
import { amountText } from '../format.ts';
import { html } from '../html.ts';
import type { Matter } from '../matters.ts';
import type { Visit } from '../office.ts';
import { proposalTexts } from '../texts/review-actions.ts';
import type { Action } from './action.ts';
import { matterButton } from './matter-button.ts';
import { noticeOf } from './operations.ts';
import { mistakeInWhy, whyField } from './why-field.ts';

/** Sends a refund that another person asked for. */
export const approve: Action<Matter> = {
  name: 'approve',
  right: 'refund',
  isPossible: ({ entry }, { actor }) =>
    entry.kind === 'proposal' &&
    entry.requestedBy !== null &&
    !isSamePerson(entry.requestedBy, actor),
  fields: (matter, { language }) =>
    matterButton(matter, proposalTexts[language].approve.button, 'approve'),
  question: (matter, _fields, visit) => {
    const { title, text, by, final, yes } = proposalTexts[visit.language].approve;
    const { amount, person } = wordsOf(matter, visit);
    return {
      title: title(amount),
      text: html`<p>${text(amount, matter.entry.orderId)}</p>
        <p>${by(person)}</p>
        <p>${final}</p>`,
      button: yes(amount),
      isFinal: true,
      fields: {},
    };
  },
  run: async ({ entry }, _fields, { office, actor: by }) =>
    noticeOf(await office.payments.approve(entry.id, { by })),
};

/** Takes a refund back that nobody approved. */
export const withdraw: Action<Matter> = {
  name: 'withdraw',
  right: 'refund',
  isPossible: ({ entry }) => entry.kind === 'proposal',
  fields: (matter, { language }) =>
    matterButton(matter, proposalTexts[language].withdraw.button, 'withdraw'),
  question: (matter, fields, visit) => {
    const { language } = visit;
    const { title, text, yes } = proposalTexts[language].withdraw;
    return {
      title: title(wordsOf(matter, visit).amount),
      text,
      button: yes,
      fields: {},
      inputs: whyField(language, fields),
      mistake: mistakeInWhy(language, fields),
    };
  },
  run: async ({ entry }, { why = '' }, { office, actor: by }) => {
    await office.payments.resolveOperation(entry.id, 'withdrawn', why, { by });
    return 'withdrawn';
  },
};

function wordsOf({ entry }: Matter, { language }: Visit) {
  if (entry.kind !== 'proposal') return { amount: '', person: '' };
  const { amount, currency, requestedBy } = entry;
  return { amount: amountText(language, amount, currency), person: requestedBy ?? '' };
}
