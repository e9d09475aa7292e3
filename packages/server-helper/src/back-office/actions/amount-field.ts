import { parseAmount } from '../../money.ts';
import { html, type Html } from '../html.ts';
import type { Fields, Visit } from '../office.ts';
import { amountFieldTexts } from '../texts/money-actions.ts';
import { typedAmount } from '../typed-amount.ts';
import type { Entered } from './action.ts';

/** A field to type an amount into, and to find it again after a mistake. */
export function amountField(
  { language }: Pick<Visit, 'language'>,
  field: {
    readonly id: 'refund-amount' | 'capture-amount' | 'charge-amount';
    readonly amount: string;
    readonly currency: string;
  },
  entered: Entered | undefined,
): Html {
  const { id, amount, currency } = field;
  const value = entered?.fields['amount'] ?? amount;
  return html`<div class="field">
    <label for="${id}">${amountFieldTexts[language].labels[id](currency)}</label>
    <input
      id="${id}"
      name="amount"
      value="${value}"
      inputmode="decimal"
      dir="ltr"
      autocomplete="off"
      required
      data-test="${id}"
      ${invalid(entered)}
    />
  </div>`;
}

/** Marks a field as the one that the mistake is about. */
export const invalid = (entered: Entered | undefined): Html | false =>
  entered !== undefined && html` aria-invalid="true" aria-describedby="mistake"`;

/** The amount that was typed, in minor units; zero for what is no amount above zero. */
export const typedMinorUnits = (fields: Fields): number =>
  parseAmount(typedAmount(fields['amount'] ?? '')) ?? 0;
