import type { TransactionId } from '../ids.ts';
import { decimalOf, type Money, parseAmount } from '../money.ts';
import type { LedgerRow, Operation, OperationState, PaymentRecord } from '../index.ts';
import { type MoneyRequest, targetOf } from '../parts.ts';
import { type Action, invalid, type Question } from './action.ts';
import {
  byLanguage,
  code,
  field,
  html,
  type Html,
  type Language,
  moneyText,
  stateTexts,
  typedAmount,
} from './html.ts';
import type { NoticeName } from './layout.ts';
import type { OrderCase } from './order-actions.ts';
import type { Fields, Visit } from './visit.ts';

/** Gives money of an order back to the card, all of it or a part. */
export const refund: Action<OrderCase> = {
  name: 'refund',
  right: 'refund',
  texts: (language) => refundTexts[language],
  isPossible: ({ record }) => refundablesOf(record).length > 0,
  fields: ({ record }, { language }, typed) => {
    const all = refundablesOf(record);
    const { left = record.payment.amount } = all[0] ?? {};
    const label = refundTexts[language].label(left);
    return html`${all.length > 1 && transactionField(language, all, typed)}
    ${amountField('refund-amount', label, left, typed)}`;
  },
  question: ({ record }, fields, visit) => {
    const { language } = visit;
    const chosen = chosenOf(record, fields);
    if (chosen === undefined) return { mistake: refundTexts[language].noTransaction };
    const mistake = mistakeInAmount(language, fields, chosen.left);
    if (mistake !== null) return { mistake };
    return refundQuestion(visit, record, chosen, typedMinorUnits(fields));
  },
  repeated: ({ record }, fields, requestId) => formerNotice(record, requestId, 'refund', fields),
  run: async ({ record }, fields, visit, requestId) => {
    const chosen = chosenOf(record, fields);
    if (chosen === undefined) return 'operation_failed';
    const { transactionId } = chosen.row;
    return sendRefund(visit, record, { transactionId, fields, requestId });
  },
};

function chosenOf(record: PaymentRecord, fields: Fields): Refundable | undefined {
  const all = refundablesOf(record);
  const { transaction: wanted = all[0]?.row.transactionId } = fields;
  return all.find(({ row }) => row.transactionId === wanted);
}

function transactionField(
  language: Language,
  all: readonly Refundable[],
  typed: Fields | undefined,
): Html {
  const chosen = typed?.['transaction'] ?? all[0]?.row.transactionId;
  const options = all.map(({ row: { transactionId, kind }, left }) => {
    const words = `${stateTexts[language].role[kind]} · ${moneyText(language, left)} · ${transactionId}`;
    return html`<option value="${transactionId}" ${transactionId === chosen && html` selected`}>
      ${words}
    </option>`;
  });
  return html`<div class="field">
    <label for="refund-transaction">${refundTexts[language].transaction}</label>
    <select id="refund-transaction" name="transaction">
      ${options}
    </select>
  </div>`;
}

/** Asks whether a part of a transaction is to go back to the card. */
export function refundQuestion(
  visit: Visit,
  record: PaymentRecord,
  { row: { transactionId, kind }, left }: Refundable,
  minorUnits: number,
): Question {
  const { language, office } = visit;
  const texts = refundTexts[language];
  const { orderId } = record.payment;
  const inWords = (units: number): string => moneyText(language, { ...left, minorUnits: units });
  const amount = inWords(minorUnits);
  const isProposed = needsApproval(visit, record, minorUnits);
  const most = inWords(office.settings.approvedAboveMinorUnits ?? 0);
  const rest = left.minorUnits - minorUnits;
  const isBesideUnknown = record.operations.some(
    (one) => one.kind === 'refund' && one.state === 'unknown',
  );
  return {
    title: texts.title({ amount }),
    text: html`<p>${texts.text({ amount, orderId })}</p>
      <p>${rest === 0 ? texts.nothingLeft : texts.left({ amount: inWords(rest) })}</p>
      ${isBesideUnknown && html`<p>${texts.besideUnknown}</p>`}
      <p>${isProposed ? texts.proposed({ most }) : texts.final}</p>
      <p class="hint">${stateTexts[language].role[kind]}: ${code(transactionId)}</p>`,
    button: isProposed ? texts.propose : texts.yes({ amount }),
    isFinal: !isProposed,
    fields: {
      transaction: transactionId,
      amount: decimalOf(minorUnits),
      ...(isProposed ? { [PROPOSED_FIELD]: 'yes' } : {}),
    },
    state: stateOf(record),
  };
}

/** A transaction of which something can be refunded, and how much. */
export interface Refundable {
  readonly row: LedgerRow;
  readonly left: Money;
}

/** What can be refunded of each transaction of an order, by the rules of the engine. */
export const refundablesOf = (record: PaymentRecord): readonly Refundable[] =>
  record.ledger
    .map((row) => {
      const { transactionId } = row;
      const asked = { ...nobody, kind: 'refund', transactionId, amountMinorUnits: 0 } as const;
      return { row, left: limitOf(record, asked) };
    })
    .filter(({ left }) => left.minorUnits > 0);

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
 * Sends a refund of the amount that the question named or, where another person must approve it, proposes
 * it. Who agreed to a proposal sends nothing, though an earlier refund failed since and the limit has room.
 */
export async function sendRefund(
  visit: Visit,
  record: PaymentRecord,
  asked: {
    readonly transactionId: TransactionId;
    readonly requestId: string;
    readonly fields: Fields;
    /** The review that it answers. */
    readonly reviewId?: string;
  },
): Promise<NoticeName> {
  const { fields, ...request } = asked;
  const minorUnits = typedMinorUnits(fields);
  const propose = fields[PROPOSED_FIELD] === 'yes' || needsApproval(visit, record, minorUnits);
  const given = { ...request, amount: decimalOf(minorUnits), by: visit.actor, propose };
  return noticeOf(await visit.office.payments.refund(record.payment.orderId, given));
}

const refundTexts = byLanguage({
  label: `Refund, in {currency}
    مبلغ الاسترداد بعملة {currency}`,
  transaction: ['Of which transaction', 'من أي عملية'],
  noTransaction: `Nothing is left to refund of this transaction.
    لم يبقَ من هذه العملية ما يُسترد.`,
  button: ['Refund…', 'استرداد…'],
  hint: `Back to the card that paid. You are asked once more before anything is sent.
    يعود المبلغ إلى البطاقة التي دُفع بها. ستُسأل مرة أخرى قبل الإرسال.`,
  title: ['Refund {amount}?', 'هل تريد استرداد {amount} للعميل؟'],
  text: `{amount} of order {orderId} goes from you back to the customer’s card.
    يعود {amount} من الطلب {orderId} من حسابك إلى بطاقة العميل.`,
  left: `{amount} of this transaction stays with you.
    يبقى لديك {amount} من هذه العملية.`,
  nothingLeft: ['Nothing of this transaction stays with you.', 'لا يبقى لديك شيء من هذه العملية.'],
  besideUnknown: `The outcome of an earlier refund is not known: its amount may have gone back already. See the order’s review first.
    نتيجة استرداد سابق غير معروفة، وربما عاد مبلغه إلى البطاقة فعلًا. انظر مراجعة الطلب أولًا.`,
  final: `A refund that was sent cannot be taken back.
    لا يمكن التراجع عن الاسترداد بعد إرساله.`,
  proposed: `Nothing is sent yet. Together with the order’s earlier refunds that nobody approved it is more than {most}, so another person must approve it.
    لن يُرسل شيء الآن. المبلغ، مع ما سبق استرداده من هذا الطلب دون موافقة، يتجاوز {most}، لذا لا بد من موافقة شخص آخر.`,
  yes: ['Yes, refund {amount}', 'نعم، استرداد {amount}'],
  propose: ['Ask for approval', 'اطلب الموافقة'],
});

/** Takes an amount that is held on a card, all of it or a part. */
export const capture: Action<OrderCase> = {
  name: 'capture',
  right: 'capture',
  texts: (language) => captureTexts[language],
  isPossible: ({ record }) => heldBy(record, 'capture').minorUnits > 0,
  fields: ({ record }, { language }, typed) => {
    const held = heldBy(record, 'capture');
    return amountField('capture-amount', captureTexts[language].label(held), held, typed);
  },
  question: ({ record }, fields, { language }) => {
    const texts = captureTexts[language];
    const { orderId } = record.payment;
    const held = heldBy(record, 'capture');
    const mistake = mistakeInAmount(language, fields, held);
    if (mistake !== null) return { mistake };
    const minorUnits = typedMinorUnits(fields);
    const amount = moneyText(language, { ...held, minorUnits });
    const rest = { ...held, minorUnits: held.minorUnits - minorUnits };
    return {
      title: texts.title({ amount }),
      text: html`<p>${texts.text({ amount, orderId })}</p>
        ${rest.minorUnits > 0 && html`<p>${texts.rest({ amount: moneyText(language, rest) })}</p>`}
        <p>${texts.once}</p>`,
      button: texts.yes({ amount }),
      isFinal: true,
      fields: { amount: decimalOf(minorUnits) },
      state: stateOf(record),
    };
  },
  repeated: ({ record }, fields, requestId) => formerNotice(record, requestId, 'capture', fields),
  run: async ({ record: { payment } }, fields, { office, actor: by }, requestId) => {
    const amount = decimalOf(typedMinorUnits(fields));
    return noticeOf(await office.payments.capture(payment.orderId, { amount, requestId, by }));
  },
};

const captureTexts = byLanguage({
  label: `Capture, in {currency}
    مبلغ التحصيل بعملة {currency}`,
  button: ['Capture…', 'تحصيل المبلغ المحجوز…'],
  hint: `Takes the amount that is held on the card, or a part of it, once.
    يُحصَّل المبلغ المحجوز على البطاقة، كله أو جزء منه، مرة واحدة فقط.`,
  title: ['Capture {amount}?', 'هل تريد تحصيل {amount}؟'],
  text: `{amount} is taken from the customer’s card for order {orderId}, and is yours.
    يُحصَّل {amount} من بطاقة العميل عن الطلب {orderId} لصالح متجرك.`,
  rest: `{amount} of the held amount is not taken, and cannot be taken later.
    أما {amount} من المبلغ المحجوز فلا يُحصَّل، ولا يمكن تحصيله لاحقًا.`,
  once: `A held amount is captured once. Money that was taken goes back by a refund only.
    يُحصَّل المبلغ المحجوز مرة واحدة، ولا يعود ما حُصّل إلا بالاسترداد.`,
  yes: ['Yes, capture {amount}', 'نعم، تحصيل {amount}'],
});

/** Releases an amount that is held on a card. Named so, since `void` is a word of the language. */
export const voidHeld: Action<OrderCase> = {
  name: 'void',
  right: 'void',
  texts: (language) => voidTexts[language],
  isPossible: ({ record }) => heldBy(record, 'void').minorUnits > 0,
  question: ({ record }, _fields, { language }) => {
    const texts = voidTexts[language];
    const { orderId } = record.payment;
    const amount = moneyText(language, heldBy(record, 'void'));
    return {
      title: texts.title({ amount }),
      text: texts.text({ amount, orderId }),
      button: texts.yes,
      isFinal: true,
      state: stateOf(record),
    };
  },
  repeated: ({ record }, _fields, requestId) => formerNotice(record, requestId, 'void'),
  run: async ({ record }, _fields, { office, actor: by }, requestId) =>
    noticeOf(await office.payments.void(record.payment.orderId, { requestId, by })),
};

/** What is held on a card and can be taken or released now. */
function heldBy(record: PaymentRecord, kind: 'capture' | 'void'): Money {
  const request = kind === 'void' ? { ...nobody, kind } : { ...nobody, kind, amountMinorUnits: 1 };
  return limitOf(record, request);
}

const voidTexts = byLanguage({
  button: ['Void…', 'فك الحجز…'],
  hint: `Releases the amount that is held on the card. Nothing is taken.
    يفك حجز المبلغ على البطاقة، ولا يُخصم شيء.`,
  title: ['Release the held {amount}?', 'هل تريد فك حجز {amount}؟'],
  text: `The customer has {amount} at their disposal again, and you get none of it for order {orderId}. It cannot be captured afterwards.
    يُتاح {amount} للعميل من جديد، ولا يصلك منه شيء عن الطلب {orderId}. لا يمكن تحصيله بعد ذلك.`,
  yes: ['Yes, release it', 'نعم، فك الحجز'],
});

const PERIOD = /^[A-Za-z0-9][A-Za-z0-9._:@+~/-]{0,99}$/;

/** Charges the customer of an order again, by the token that its payment left. */
export const charge: Action<OrderCase> = {
  name: 'charge',
  right: 'charge',
  texts: (language) => chargeTexts[language],
  isPossible: (subject) =>
    subject.explanation.recurringToken?.isReadable === true && mostOf(subject).minorUnits > 0,
  fields: ({ record, ceilingMinorUnits }, { language }, typed) => {
    const { label, period, periodHint } = chargeTexts[language];
    const { amount } = record.payment;
    const minorUnits = Math.min(amount.minorUnits, ceilingMinorUnits ?? amount.minorUnits);
    const value = typed?.['period'];
    return html`${amountField('charge-amount', label(amount), { ...amount, minorUnits }, typed)}
    ${field(
      { id: 'charge-period', name: 'period', label: period, value },
      html`dir="ltr" autocomplete="off" required${invalid(typed)}`,
      periodHint,
    )}`;
  },
  question: (subject, fields, { language }) => {
    const texts = chargeTexts[language];
    const { orderId, amount: price } = subject.record.payment;
    const period = periodOf(fields);
    const mistake = mistakeInAmount(language, fields, mostOf(subject));
    if (mistake !== null) return { mistake };
    if (!PERIOD.test(period)) return { mistake: texts.notAPeriod };
    if (chargeOf(subject, period) !== undefined) return { mistake: texts.charged({ period }) };
    const minorUnits = typedMinorUnits(fields);
    const amount = moneyText(language, { ...price, minorUnits });
    return {
      title: texts.title({ amount }),
      text: html`<p>${texts.text({ amount, orderId, period })}</p>
        <p>${texts.final}</p>`,
      button: texts.yes({ amount }),
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

const mostOf = ({ record, ceilingMinorUnits }: OrderCase): Money =>
  limitOf(record, { ...nobody, kind: 'recurring', amountMinorUnits: 1, ceilingMinorUnits });

const chargeTexts = byLanguage({
  label: `New charge, in {currency}
    مبلغ الخصم الجديد بعملة {currency}`,
  button: ['Charge again…', 'خصم جديد…'],
  hint: `Takes money from the customer’s card by the token that the first payment left.
    يُخصم المبلغ من بطاقة العميل بالرمز المحفوظ عند دفعته الأولى.`,
  period: ['For which period', 'عن أي فترة'],
  periodHint: `Such as 2026-11. Each is charged once, ever.
    مثل 2026-11. تُخصم كل فترة مرة واحدة فقط.`,
  notAPeriod: `Name the period in letters and digits without spaces, such as 2026-11.
    اكتب الفترة بحروف لاتينية وأرقام دون مسافات، مثل 2026-11.`,
  charged: `The period {period} was charged before, or it was tried. Look at the order’s operations.
    سبق خصم الفترة {period} أو محاولة خصمها. راجع عمليات الطلب.`,
  title: ['Charge {amount} again?', 'هل تريد خصم {amount} من جديد؟'],
  text: `{amount} is taken from the card of the customer of order {orderId}, for {period}. The customer is not asked.
    يُخصم {amount} من بطاقة عميل الطلب {orderId} عن {period}، دون الرجوع إلى العميل.`,
  final: `Do it only with the customer’s consent. It goes back by a refund only.
    لا تفعل ذلك إلا بموافقة العميل. لا يعود المبلغ إلا بالاسترداد.`,
  yes: ['Yes, charge {amount}', 'نعم، خصم {amount}'],
});

const nobody = { id: '', requestId: '', owner: '', requestedBy: null };

/** The most that an operation may move now, by the rules of the engine; zero where it may not be made. */
function limitOf(record: PaymentRecord, request: MoneyRequest): Money {
  const target = targetOf(record, request);
  if ('kind' in target) return { ...record.payment.amount, minorUnits: 0 };
  return { ...target.amount, minorUnits: target.limitMinorUnits };
}

/** A field to type an amount into, and to find it again after a mistake. */
const amountField = (
  id: string,
  label: string,
  { minorUnits }: Money,
  typed: Fields | undefined,
): Html =>
  field(
    { id, name: 'amount', label, value: typed?.['amount'] ?? decimalOf(minorUnits) },
    html`inputmode="decimal" dir="ltr" autocomplete="off" required${invalid(typed)}`,
  );

/** The amount that was typed, in minor units; zero for what is no amount above zero. */
const typedMinorUnits = (fields: Fields): number =>
  parseAmount(typedAmount(fields['amount'] ?? '')) ?? 0;

function mistakeInAmount(language: Language, fields: Fields, most: Money): string | null {
  const { notAnAmount, tooLarge } = amountTexts[language];
  const minorUnits = typedMinorUnits(fields);
  if (minorUnits === 0) return notAnAmount;
  return minorUnits > most.minorUnits ? tooLarge({ most: moneyText(language, most) }) : null;
}

const amountTexts = byLanguage({
  notAnAmount: `Write an amount above zero, such as 20.00, with two decimals at most.
    اكتب مبلغًا أكبر من صفر، مثل 20.00، بمنزلتين عشريتين على الأكثر.`,
  tooLarge: `That is too much: {most} at most.
    المبلغ أكبر من المتاح، والحد الأقصى {most}.`,
});

/** What the page says about an operation that was asked for. */
export const noticeOf = ({ state }: { readonly state: OperationState }): NoticeName =>
  `operation_${state}`;

/**
 * The notice of an operation that this request made before; `null` where it made none. Two people who
 * asked for different things in one state have one request between them: the second is told that theirs
 * was not done.
 *
 * @param fields - What the form asks for.
 */
export function formerNotice(
  { operations }: PaymentRecord,
  requestId: string,
  kind: Operation['kind'],
  fields: Fields = {},
): NoticeName | null {
  const former = operations.find((one) => one.requestId === requestId);
  if (former === undefined) return null;
  const { transaction = former.transactionId } = fields;
  const isSame =
    former.kind === kind &&
    former.transactionId === transaction &&
    (kind === 'void' || former.amount.minorUnits === typedMinorUnits(fields));
  return isSame ? noticeOf(former) : 'other_meanwhile';
}

/** Every operation of an order ends this state, so that two questions in it start one at most. */
const stateOf = ({ payment, operations }: PaymentRecord): string =>
  `${payment.orderId}\0${operations.length}`;
