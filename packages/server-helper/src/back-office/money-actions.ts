import type { MoneyOperation } from '../flows/views.ts';
import type { TransactionId } from '../ids.ts';
import { decimalOf } from '../money.ts';
import type {
  PaymentRecord,
  LedgerRow,
  Operation,
  OperationKind,
  OperationState,
} from '../payments/record.ts';
import { targetOf, type Target } from '../payments/refund.ts';
import {
  amountFieldTexts,
  type Action,
  type Entered,
  amountField,
  typedMinorUnits,
  type Question,
  invalid,
} from './action.ts';
import { amountText, html, type Html, stateTexts, code, byLanguage, isolated } from './html.ts';
import type { NoticeName } from './layout.ts';
import type { OrderCase } from './order-actions.ts';
import type { Fields, Visit } from './visit.ts';

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

/** A transaction of which something can be refunded, and how much. */
export interface Refundable {
  readonly row: LedgerRow;
  readonly leftMinorUnits: number;
}

/** What can be refunded of each transaction of an order, by the rules of the engine. */
export function refundablesOf(record: PaymentRecord): readonly Refundable[] {
  const nobody = { id: '', requestId: '', owner: '', requestedBy: null, amountMinorUnits: 0 };
  return record.ledger.flatMap((row) => {
    const { transactionId } = row;
    const target = targetOf(record, { ...nobody, kind: 'refund', transactionId });
    const leftMinorUnits = 'kind' in target ? 0 : target.limitMinorUnits;
    return leftMinorUnits > 0 ? [{ row, leftMinorUnits }] : [];
  });
}

/**
 * Whether a refund waits for another person. Refunds of the order that nobody approved count with it, so
 * that a large one cannot go out in parts.
 */
function needsApproval(
  { office }: Pick<Visit, 'office'>,
  { operations }: PaymentRecord,
  minorUnits: number,
): boolean {
  const { approvedAboveMinorUnits: most } = office.settings;
  if (most === null) return false;
  const before = operations
    .filter(({ kind, state }) => kind === 'refund' && state !== 'failed' && state !== 'proposed')
    .filter(({ approvedBy }) => approvedBy === null)
    .reduce((sum, { amount }) => sum + amount.minorUnits, 0);
  return before + minorUnits > most;
}

/** The field by which a confirmation says that its question spoke of a proposal. */
const PROPOSED_FIELD = 'proposed';

/**
 * Sends a refund or, where another person must approve it, proposes it. Who agreed to a proposal sends
 * nothing, though an earlier refund failed since and the limit has room.
 */
export function sendRefund(
  visit: Visit,
  record: PaymentRecord,
  asked: {
    readonly transactionId: TransactionId;
    readonly minorUnits: number;
    readonly requestId: string;
    readonly fields: Fields;
    /** The review that it answers. */
    readonly reviewId?: string;
  },
): Promise<MoneyOperation> {
  const { transactionId, minorUnits, requestId, fields, reviewId } = asked;
  return visit.office.payments.refund(record.payment.orderId, {
    amount: decimalOf(minorUnits),
    transactionId,
    requestId,
    reviewId,
    by: visit.actor,
    propose: fields[PROPOSED_FIELD] === 'yes' || needsApproval(visit, record, minorUnits),
  });
}

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

/** What the page says about an operation that was asked for. */
export const noticeOf = ({ state }: { readonly state: OperationState }): NoticeName =>
  `operation_${state}`;

/**
 * The notice of an operation that this request made before; `null` where it made none.
 *
 * @param terms - What the form asks for. Two people who asked for different things in one state have one
 * request between them: the second is told that theirs was not done.
 */
export function formerNotice(
  { operations }: PaymentRecord,
  requestId: string,
  terms: {
    readonly kind: OperationKind;
    readonly minorUnits?: number;
    readonly transactionId?: string | undefined;
  },
): NoticeName | null {
  const former = operations.find((one) => one.requestId === requestId);
  if (former === undefined) return null;
  const { kind, minorUnits = former.amount.minorUnits, transactionId } = terms;
  const isSame =
    former.kind === kind &&
    former.amount.minorUnits === minorUnits &&
    (transactionId === undefined || former.transactionId === transactionId);
  return isSame ? noticeOf(former) : 'other_meanwhile';
}

/** Every operation of an order ends this state, so that two questions in it start one at most. */
export const stateOf = ({ payment, operations }: PaymentRecord): string =>
  `${payment.orderId}\0${operations.length}`;

/** The texts of the actions that move an order's money. */
const moneyActionTexts = byLanguage({
  refund: {
    button: ['Refund…', 'استرداد…'],
    hint: `Back to the card that paid. You are asked once more before anything is sent.
      يعود المبلغ إلى البطاقة التي دُفع بها. ستُسأل مرة أخرى قبل الإرسال.`,
    title: (amount: string) => [`Refund ${amount}?`, `هل تريد استرداد ${amount} للعميل؟`],
    text: (
      amount: string,
      orderId: string,
    ) => `${amount} of order ${isolated(orderId)} goes from you back to the customer’s card.
      يعود ${amount} من الطلب ${isolated(orderId)} من حسابك إلى بطاقة العميل.`,
    left: (amount: string) => `${amount} of this transaction stays with you.
      يبقى لديك ${amount} من هذه العملية.`,
    nothingLeft: ['Nothing of this transaction stays with you.', 'لا يبقى لديك شيء من هذه العملية.'],
    final: `A refund that was sent cannot be taken back.
      لا يمكن التراجع عن الاسترداد بعد إرساله.`,
    proposed: (
      most: string,
    ) => `Nothing is sent yet. Together with the order’s earlier refunds that nobody approved it is more than ${most}, so another person must approve it.
      لن يُرسل شيء الآن. المبلغ، مع ما سبق استرداده من هذا الطلب دون موافقة، يتجاوز ${most}، لذا لا بد من موافقة شخص آخر.`,
    yes: (amount: string) => [`Yes, refund ${amount}`, `نعم، استرداد ${amount}`],
    propose: ['Ask for approval', 'اطلب الموافقة'],
  },
  capture: {
    button: ['Capture…', 'تحصيل المبلغ المحجوز…'],
    hint: `Takes the amount that is held on the card, or a part of it, once.
      يُحصَّل المبلغ المحجوز على البطاقة، كله أو جزء منه، مرة واحدة فقط.`,
    title: (amount: string) => [`Capture ${amount}?`, `هل تريد تحصيل ${amount}؟`],
    text: (
      amount: string,
      orderId: string,
    ) => `${amount} is taken from the customer’s card for order ${isolated(orderId)}, and is yours.
      يُحصَّل ${amount} من بطاقة العميل عن الطلب ${isolated(orderId)} لصالح متجرك.`,
    rest: (amount: string) => `${amount} of the held amount is not taken, and cannot be taken later.
      أما ${amount} من المبلغ المحجوز فلا يُحصَّل، ولا يمكن تحصيله لاحقًا.`,
    once: `A held amount is captured once. Money that was taken goes back by a refund only.
      يُحصَّل المبلغ المحجوز مرة واحدة، ولا يعود ما حُصّل إلا بالاسترداد.`,
    yes: (amount: string) => [`Yes, capture ${amount}`, `نعم، تحصيل ${amount}`],
  },
  void: {
    button: ['Void…', 'فك الحجز…'],
    hint: `Releases the amount that is held on the card. Nothing is taken.
      يفك حجز المبلغ على البطاقة، ولا يُخصم شيء.`,
    title: (amount: string) => [`Release the held ${amount}?`, `هل تريد فك حجز ${amount}؟`],
    text: (
      amount: string,
      orderId: string,
    ) => `The customer has ${amount} at their disposal again, and you get no money for order ${isolated(orderId)}. It cannot be captured afterwards.
      يُتاح ${amount} للعميل من جديد، ولا يصلك أي مبلغ عن الطلب ${isolated(orderId)}. لا يمكن تحصيله بعد ذلك.`,
    yes: ['Yes, release it', 'نعم، فك الحجز'],
  },
  charge: {
    button: ['Charge again…', 'خصم جديد…'],
    hint: `Takes money from the customer’s card by the token that the first payment left.
      يُخصم المبلغ من بطاقة العميل بالرمز المحفوظ عند دفعته الأولى.`,
    period: ['For which period', 'عن أي فترة'],
    periodHint: `Such as 2026-11. Each is charged once, ever.
      مثل 2026-11. تُخصم كل فترة مرة واحدة فقط.`,
    notAPeriod: `Name the period in letters and digits without spaces, such as 2026-11.
      اكتب الفترة بحروف لاتينية وأرقام دون مسافات، مثل 2026-11.`,
    charged: (
      period: string,
    ) => `The period ${isolated(period)} was charged before, or it was tried. Look at the order’s operations.
      سبق خصم الفترة ${isolated(period)} أو محاولة خصمها. راجع عمليات الطلب.`,
    title: (amount: string) => [`Charge ${amount} again?`, `هل تريد خصم ${amount} من جديد؟`],
    text: (
      amount: string,
      orderId: string,
      period: string,
    ) => `${amount} is taken from the card of the customer of order ${isolated(orderId)}, for ${isolated(period)}. The customer is not asked.
      يُخصم ${amount} من بطاقة عميل الطلب ${isolated(orderId)} عن ${isolated(period)}، دون الرجوع إلى العميل.`,
    final: `Do it only with the customer’s consent. It goes back by a refund only.
      لا تفعل ذلك إلا بموافقة العميل. لا يعود المبلغ إلا بالاسترداد.`,
    yes: (amount: string) => [`Yes, charge ${amount}`, `نعم، خصم ${amount}`],
  },
});
