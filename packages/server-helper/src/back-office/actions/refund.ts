import { decimalOf } from '../../money.ts';
import { amountText } from '../format.ts';
import { html, type Html } from '../html.ts';
import type { OrderCase } from '../order-case.ts';
import type { Fields, Visit } from '../office.ts';
import { refund as sendRefund, refundablesOf, type Refundable } from '../refunds.ts';
import { amountFieldTexts, moneyActionTexts } from '../texts/money-actions.ts';
import { stateTexts } from '../texts/states.ts';
import type { Action, Entered } from './action.ts';
import { amountField, typedMinorUnits } from './amount-field.ts';
import { formerNotice, noticeOf, stateOf } from './operations.ts';
import { refundQuestion } from './refund-question.ts';

/** Gives money of an order back to the card, all of it or a part. */
export const refund: Action<OrderCase> = {
  name: 'refund',
  right: 'refund',
  isPossible: ({ record }) => refundablesOf(record).length > 0,
  fields: ({ record }, visit, entered) => {
    const all = refundablesOf(record);
    const [first] = all;
    const { button, hint } = moneyActionTexts[visit.language].refund;
    const amount = decimalOf(first?.leftMinorUnits ?? 0);
    const { currency } = first?.row.amount ?? record.payment.amount;
    return html`${all.length > 1 && transactionField(visit, all, entered)}
      ${amountField(visit, { id: 'refund-amount', amount, currency }, entered)}
      <p class="hint">${hint}</p>
      <button class="quiet" data-test="refund">${button}</button>`;
  },
  question: ({ record }, fields, visit) => {
    const texts = amountFieldTexts[visit.language];
    const chosen = chosenOf(refundablesOf(record), fields);
    if (chosen === undefined) return { mistake: texts.noTransaction };
    const minorUnits = typedMinorUnits(fields);
    if (minorUnits === 0) return { mistake: texts.notAnAmount };
    const { row, leftMinorUnits } = chosen;
    if (minorUnits > leftMinorUnits) {
      const left = amountText(visit.language, decimalOf(leftMinorUnits), row.amount.currency);
      return { mistake: texts.tooLarge(left) };
    }
    const question = refundQuestion(visit, record, chosen, minorUnits);
    return { ...question, state: stateOf(record) };
  },
  repeated: ({ record }, fields, requestId) =>
    formerNotice(record, requestId, {
      kind: 'refund',
      minorUnits: typedMinorUnits(fields),
      transactionId: fields['transaction'],
    }),
  run: async ({ record }, fields, visit, requestId) => {
    const { row } = chosenOf(refundablesOf(record), fields) ?? { row: null };
    if (row === null) return 'operation_failed';
    const { transactionId } = row;
    const minorUnits = typedMinorUnits(fields);
    const asked = { transactionId, minorUnits, requestId, fields };
    return noticeOf(await sendRefund(visit, record, asked));
  },
};

const chosenOf = (all: readonly Refundable[], fields: Fields): Refundable | undefined => {
  const wanted = fields['transaction'] ?? all[0]?.row.transactionId;
  return all.find(({ row }) => row.transactionId === wanted);
};

function transactionField(
  { language }: Visit,
  all: readonly Refundable[],
  entered: Entered | undefined,
): Html {
  const chosen = entered?.fields['transaction'] ?? all[0]?.row.transactionId;
  const options = all.map(({ row, leftMinorUnits }) => {
    const left = amountText(language, decimalOf(leftMinorUnits), row.amount.currency);
    const words = `${stateTexts[language].role[row.kind]} · ${left} · ${row.transactionId}`;
    const isChosen = row.transactionId === chosen;
    return html`<option value="${row.transactionId}" ${isChosen && html` selected`}>
      ${words}
    </option>`;
  });
  return html`<div class="field">
    <label for="refund-transaction">${amountFieldTexts[language].transaction}</label>
    <select id="refund-transaction" name="transaction">
      ${options}
    </select>
  </div>`;
}
