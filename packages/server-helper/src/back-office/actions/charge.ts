import { decimalOf } from '../../money.ts';
import type { Operation } from '../../payments/record.ts';
import { targetOf } from '../../payments/refund.ts';
import { amountText } from '../format.ts';
import { html } from '../html.ts';
import type { OrderCase } from '../order-case.ts';
import type { Fields } from '../office.ts';
import { amountFieldTexts, moneyActionTexts } from '../texts/money-actions.ts';
import type { Action } from './action.ts';
import { amountField, invalid, typedMinorUnits } from './amount-field.ts';
import { noticeOf } from './operations.ts';

const PERIOD = /^[A-Za-z0-9][A-Za-z0-9._:@+~/-]{0,99}$/;

/** Charges the customer of an order again, by the token that its payment left. */
export const charge: Action<OrderCase> = {
  name: 'charge',
  right: 'charge',
  isPossible: (subject) =>
    subject.explanation.recurringToken?.isReadable === true && mostOf(subject) > 0,
  fields: ({ record, ceilingMinorUnits }, visit, entered) => {
    const { button, hint, period, periodHint } = moneyActionTexts[visit.language].charge;
    const { amount } = record.payment;
    const usual = Math.min(amount.minorUnits, ceilingMinorUnits ?? amount.minorUnits);
    const field = {
      id: 'charge-amount',
      amount: decimalOf(usual),
      currency: amount.currency,
    } as const;
    return html`${amountField(visit, field, entered)}
      <div class="field">
        <label for="charge-period">${period}</label>
        <input
          id="charge-period"
          name="period"
          value="${entered?.fields['period'] ?? ''}"
          dir="ltr"
          autocomplete="off"
          required
          ${invalid(entered)}
          data-test="charge-period"
        />
        <p class="hint">${periodHint}</p>
      </div>
      <p class="hint">${hint}</p>
      <button class="quiet" data-test="charge">${button}</button>`;
  },
  question: (subject, fields, { language }) => {
    const texts = moneyActionTexts[language].charge;
    const { orderId, amount } = subject.record.payment;
    const minorUnits = typedMinorUnits(fields);
    const most = mostOf(subject);
    const inWords = (units: number): string =>
      amountText(language, decimalOf(units), amount.currency);
    const period = periodOf(fields);
    if (minorUnits === 0) return { mistake: amountFieldTexts[language].notAnAmount };
    if (minorUnits > most) return { mistake: amountFieldTexts[language].tooLarge(inWords(most)) };
    if (!PERIOD.test(period)) return { mistake: texts.notAPeriod };
    if (chargeOf(subject, period) !== undefined) return { mistake: texts.charged(period) };
    return {
      title: texts.title(inWords(minorUnits)),
      text: html`<p>${texts.text(inWords(minorUnits), orderId, period)}</p>
        <p>${texts.final}</p>`,
      button: texts.yes(inWords(minorUnits)),
      isFinal: true,
      fields: { amount: decimalOf(minorUnits), period },
    };
  },
  // A period is charged once, ever.
  repeated: (subject, fields) => {
    const former = chargeOf(subject, periodOf(fields));
    if (former === undefined) return null;
    return former.amount.minorUnits === typedMinorUnits(fields)
      ? noticeOf(former)
      : 'other_meanwhile';
  },
  run: async ({ record }, fields, { office, actor: by }) => {
    const amount = decimalOf(typedMinorUnits(fields));
    const request = { amount, periodKey: periodOf(fields), by };
    return noticeOf(await office.payments.chargeRecurring(record.payment.orderId, request));
  },
};

const periodOf = (fields: Fields): string => (fields['period'] ?? '').trim();

const chargeOf = ({ record }: OrderCase, period: string): Operation | undefined =>
  record.operations.find(({ kind, requestId }) => kind === 'recurring' && requestId === period);

/** The most that one charge may take now; zero where none may be made. */
function mostOf({ record, ceilingMinorUnits }: OrderCase): number {
  const nobody = { id: '', requestId: '', owner: '', requestedBy: null };
  const asked = { ...nobody, kind: 'recurring', amountMinorUnits: 1, ceilingMinorUnits } as const;
  const target = targetOf(record, asked);
  return 'kind' in target ? 0 : target.limitMinorUnits;
}
