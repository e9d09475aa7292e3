import { decimalOf } from '../../money.ts';
import type { Operation } from '../../payments/record.ts';
import { amountText } from '../format.ts';
import { html, type Html } from '../html.ts';
import type { Matter } from '../matters.ts';
import type { Fields } from '../office.ts';
import type { Language } from '../texts/by-language.ts';
import { outcomeActionTexts } from '../texts/review-actions.ts';
import { stateTexts } from '../texts/states.ts';
import type { Action } from './action.ts';
import { matterButton } from './matter-button.ts';
import { mistakeInWhy, whyField } from './why-field.ts';

/** Records that an operation whose answer was lost was made. */
export const happened = outcomeAction('happened', 'succeeded');

/** Records that an operation whose answer was lost was not made. */
export const notHappened = outcomeAction('not-happened', 'failed');

const TRANSACTION = /^[\w-]{1,100}$/;

function outcomeAction(name: string, outcome: 'succeeded' | 'failed'): Action<Matter> {
  return {
    name,
    right: 'resolve',
    isPossible: (matter) => operationOf(matter) !== undefined,
    fields: (matter, { language }) =>
      matterButton(matter, outcomeActionTexts[language][outcome].button, name),
    question: (matter, fields, { language }) => {
      const operation = operationOf(matter);
      const texts = outcomeActionTexts[language][outcome];
      const { kind = 'refund', amount } = operation ?? {};
      const inWords = amount && amountText(language, decimalOf(amount.minorUnits), amount.currency);
      const needsId = kind === 'sale' && outcome === 'succeeded';
      return {
        title: texts.title(stateTexts[language].operationKind[kind], inWords ?? ''),
        text: html`<p>${texts.text[kind]}</p>
          <p>${outcomeActionTexts[language].final}</p>`,
        button: texts.yes,
        isFinal: true,
        fields: {},
        inputs: html`${needsId && transactionField(language, fields)} ${whyField(language, fields)}`,
        mistake:
          needsId && !TRANSACTION.test(transactionOf(fields))
            ? outcomeActionTexts[language].noTransaction
            : mistakeInWhy(language, fields),
      };
    },
    run: async (matter, fields, { office, actor: by }) => {
      const { id = '', kind } = operationOf(matter) ?? {};
      const named = kind === 'sale' && outcome === 'succeeded';
      await office.payments.resolveOperation(id, outcome, fields['why'] ?? '', {
        by,
        ...(named ? { transactionId: transactionOf(fields) } : {}),
      });
      return 'outcome_recorded';
    },
  };
}

/** The operation that a matter is about, while its outcome is not known. */
function operationOf({ entry, record }: Matter): Operation | undefined {
  if (entry.kind !== 'payment' || entry.reason !== 'unknown_outcome') return undefined;
  return record?.operations.find(({ id, state }) => id === entry.about && state === 'unknown');
}

const transactionOf = (fields: Fields): string => (fields['transaction'] ?? '').trim();

const transactionField = (language: Language, fields: Fields): Html =>
  html`<div class="field wide">
    <label for="transaction">${outcomeActionTexts[language].transaction}</label>
    <input
      id="transaction"
      name="transaction"
      value="${fields['transaction'] ?? ''}"
      dir="ltr"
      autocomplete="off"
      required
      data-test="transaction"
    />
  </div>`;
