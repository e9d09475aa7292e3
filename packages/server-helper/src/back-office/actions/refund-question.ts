import { decimalOf } from '../../money.ts';
import type { PaymentRecord } from '../../payments/record.ts';
import { amountText } from '../format.ts';
import { html } from '../html.ts';
import type { Visit } from '../office.ts';
import { code } from '../parts.ts';
import { needsApproval, PROPOSED_FIELD, type Refundable } from '../refunds.ts';
import { moneyActionTexts } from '../texts/money-actions.ts';
import { stateTexts } from '../texts/states.ts';
import type { Question } from './action.ts';

/** Asks whether a part of a transaction is to go back to the card. */
export function refundQuestion(
  visit: Visit,
  record: PaymentRecord,
  { row, leftMinorUnits }: Refundable,
  minorUnits: number,
): Question {
  const { language, office } = visit;
  const texts = moneyActionTexts[language].refund;
  const { orderId } = record.payment;
  const { transactionId, kind, amount } = row;
  const inWords = (units: number): string =>
    amountText(language, decimalOf(units), amount.currency);
  const isProposed = needsApproval(visit, record, minorUnits);
  const most = inWords(office.settings.approvedAboveMinorUnits ?? 0);
  const rest = leftMinorUnits - minorUnits;
  return {
    title: texts.title(inWords(minorUnits)),
    text: html`<p>${texts.text(inWords(minorUnits), orderId)}</p>
      <p>${rest === 0 ? texts.nothingLeft : texts.left(inWords(rest))}</p>
      <p>${isProposed ? texts.proposed(most) : texts.final}</p>
      <p class="hint">${stateTexts[language].role[kind]}: ${code(transactionId)}</p>`,
    button: isProposed ? texts.propose : texts.yes(inWords(minorUnits)),
    testId: 'confirm-refund',
    isFinal: !isProposed,
    fields: {
      transaction: transactionId,
      amount: decimalOf(minorUnits),
      ...(isProposed ? { [PROPOSED_FIELD]: 'yes' } : {}),
    },
  };
}
