import { decimalOf } from '../../money.ts';
import { type Target, targetOf } from '../../payments/refund.ts';
import type { PaymentRecord } from '../../payments/record.ts';
import { amountText } from '../format.ts';
import { html } from '../html.ts';
import type { OrderCase } from '../order-case.ts';
import { amountFieldTexts, moneyActionTexts } from '../texts/money-actions.ts';
import type { Action } from './action.ts';
import { amountField, typedMinorUnits } from './amount-field.ts';
import { formerNotice, noticeOf, stateOf } from './operations.ts';

/** Takes an amount that is held on a card, all of it or a part. */
export const capture: Action<OrderCase> = {
  name: 'capture',
  right: 'capture',
  isPossible: ({ record }) => heldBy(record, 'capture') !== null,
  fields: ({ record }, visit, entered) => {
    const { button, hint } = moneyActionTexts[visit.language].capture;
    const amount = decimalOf(heldBy(record, 'capture')?.limitMinorUnits ?? 0);
    const { currency } = record.payment.amount;
    return html`${amountField(visit, { id: 'capture-amount', amount, currency }, entered)}
      <p class="hint">${hint}</p>
      <button class="quiet" data-test="capture">${button}</button>`;
  },
  question: ({ record }, fields, { language }) => {
    const texts = moneyActionTexts[language].capture;
    const { orderId, amount } = record.payment;
    const minorUnits = typedMinorUnits(fields);
    const held = heldBy(record, 'capture')?.limitMinorUnits ?? 0;
    const inWords = (units: number): string =>
      amountText(language, decimalOf(units), amount.currency);
    if (minorUnits === 0) return { mistake: amountFieldTexts[language].notAnAmount };
    if (minorUnits > held) return { mistake: amountFieldTexts[language].tooLarge(inWords(held)) };
    const rest = held - minorUnits;
    return {
      title: texts.title(inWords(minorUnits)),
      text: html`<p>${texts.text(inWords(minorUnits), orderId)}</p>
        ${rest > 0 && html`<p>${texts.rest(inWords(rest))}</p>`}
        <p>${texts.once}</p>`,
      button: texts.yes(inWords(minorUnits)),
      isFinal: true,
      fields: { amount: decimalOf(minorUnits) },
      state: stateOf(record),
    };
  },
  repeated: ({ record }, fields, requestId) =>
    formerNotice(record, requestId, { kind: 'capture', minorUnits: typedMinorUnits(fields) }),
  run: async ({ record }, fields, { office, actor: by }, requestId) => {
    const amount = decimalOf(typedMinorUnits(fields));
    const { orderId } = record.payment;
    return noticeOf(await office.payments.capture(orderId, { amount, requestId, by }));
  },
};

/** Releases an amount that is held on a card. Named so, since `void` is a word of the language. */
export const voidHeld: Action<OrderCase> = {
  name: 'void',
  right: 'void',
  isPossible: ({ record }) => heldBy(record, 'void') !== null,
  fields: (_case, { language }) => {
    const { button, hint } = moneyActionTexts[language].void;
    return html`<p class="hint">${hint}</p>
      <button class="quiet" data-test="void">${button}</button>`;
  },
  question: ({ record }, _fields, { language }) => {
    const texts = moneyActionTexts[language].void;
    const { orderId, amount } = record.payment;
    const held = decimalOf(heldBy(record, 'void')?.limitMinorUnits ?? 0);
    const inWords = amountText(language, held, amount.currency);
    return {
      title: texts.title(inWords),
      text: texts.text(inWords, orderId),
      button: texts.yes,
      isFinal: true,
      fields: {},
      state: stateOf(record),
    };
  },
  repeated: ({ record }, _fields, requestId) => formerNotice(record, requestId, { kind: 'void' }),
  run: async ({ record }, _fields, { office, actor: by }, requestId) =>
    noticeOf(await office.payments.void(record.payment.orderId, { requestId, by })),
};

/** What is held on a card and can be taken or released now, by the rules of the engine. */
function heldBy(record: PaymentRecord, kind: 'capture' | 'void'): Target | null {
  const nobody = { id: '', requestId: '', owner: '', requestedBy: null };
  const request = kind === 'void' ? { ...nobody, kind } : { ...nobody, kind, amountMinorUnits: 1 };
  const target = targetOf(record, request);
  return 'kind' in target ? null : target;
}
