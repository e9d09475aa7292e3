import { decimalOf, type Money } from '../money.ts';
import { acceptMoney } from '../payments/accept-money.ts';
import { isSamePerson } from '../payments/money-decision.ts';
import type { ReviewReason, Operation } from '../payments/record.ts';
import {
  type Action,
  mistakeInWhy,
  whyField,
  amountFieldTexts,
  typedMinorUnits,
} from './action.ts';
import {
  amountText,
  html,
  type Html,
  type Language,
  stateTexts,
  byLanguage,
  isolated,
} from './html.ts';
import type { Matter } from './matters.ts';
import {
  sendRefund,
  type Refundable,
  refundablesOf,
  formerNotice,
  noticeOf,
  stateOf,
  refundQuestion,
} from './money-actions.ts';
import type { Fields, Visit } from './visit.ts';

/** Takes the money of a review as the order's payment. */
export const accept: Action<Matter> = {
  name: 'accept',
  right: 'accept',
  isPossible: ({ entry, record }, { office }) => {
    if (entry.kind !== 'payment' || record === null) return false;
    const decision = { id: entry.id, why: '-', by: null };
    const { kind } = acceptMoney(record, decision, undefined, office.parts.clock.now());
    return kind === 'accept';
  },
  fields: (matter, { language }) =>
    matterButton(matter, reviewActionTexts[language].accept.button, 'accept'),
  question: ({ entry, record, row }, fields, { language }) => {
    const texts = reviewActionTexts[language].accept;
    const inWords = (money: Money | undefined): string =>
      money === undefined ? '' : amountText(language, decimalOf(money.minorUnits), money.currency);
    const [came, price] = [inWords(row?.amount), inWords(record?.payment.amount)];
    const isWhole = row?.amount.minorUnits === record?.payment.amount.minorUnits;
    return {
      title: texts.title(came, entry.orderId),
      text: html`<p>${isWhole ? texts.whole(came) : texts.other(came, price)}</p>
        <p>${texts.text}</p>`,
      button: texts.yes(came),
      isFinal: true,
      fields: {},
      inputs: whyField(language, fields),
      mistake: mistakeInWhy(language, fields),
    };
  },
  run: async ({ entry }, { why = '' }, { office, actor: by }) => {
    await office.payments.review.accept(entry.id, why, { by });
    return 'accepted';
  },
};

/** Reviews of which it is not certain that the money is this order's, or how much of it is left. */
const uncertain: ReadonlySet<ReviewReason> = new Set([
  'refund_contradiction',
  'unattributed_payment',
]);

/** Gives the money of a review back to the card, as much of it as is left. */
export const refundMatter: Action<Matter> = {
  name: 'refund',
  right: 'refund',
  isPossible: (matter) => moneyOf(matter) !== undefined,
  fields: (matter, { language }) =>
    matterButton(matter, reviewActionTexts[language].refund.button, 'refund'),
  question: (matter, _fields, visit) => {
    const money = moneyOf(matter);
    if (matter.record === null || money === undefined) {
      return { mistake: amountFieldTexts[visit.language].noTransaction };
    }
    const { text, fields, ...question } = refundQuestion(
      visit,
      matter.record,
      money,
      money.leftMinorUnits,
    );
    const { ends } = reviewActionTexts[visit.language].refund;
    const shown = html`${text}
      <p>${ends}</p>`;
    return { ...question, text: shown, fields, state: stateOf(matter.record) };
  },
  repeated: ({ record }, fields, requestId) =>
    record &&
    formerNotice(record, requestId, {
      kind: 'refund',
      minorUnits: typedMinorUnits(fields),
      transactionId: fields['transaction'],
    }),
  run: async (matter, fields, visit, requestId) => {
    const money = moneyOf(matter);
    // The amount is the one that the question named, not what is left by now.
    const minorUnits = typedMinorUnits(fields);
    if (matter.record === null || money === undefined) return 'matter_over';
    const { transactionId } = money.row;
    const asked = { transactionId, minorUnits, requestId, fields, reviewId: matter.entry.id };
    return noticeOf(await sendRefund(visit, matter.record, asked));
  },
};

/** The money beside the order's own payment that a matter is about, while any of it is left. */
function moneyOf({ entry, record, row }: Matter): Refundable | undefined {
  if (entry.kind !== 'payment' || uncertain.has(entry.reason)) return undefined;
  if (record === null || row === null || row.kind === 'payment') return undefined;
  return refundablesOf(record).find((one) => one.row.transactionId === row.transactionId);
}

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

/** Takes a review off the list, and lets its order be paid anew where that is wanted. */
export const resolve: Action<Matter> = {
  name: 'resolve',
  right: 'resolve',
  // What became of an operation is said by the actions for it.
  isPossible: ({ entry }) => entry.kind === 'payment' && entry.reason !== 'unknown_outcome',
  fields: (matter, { language }) =>
    matterButton(matter, reviewActionTexts[language].resolve.button, 'resolve'),
  question: (matter, fields, { language }) => {
    const { entry, record } = matter;
    const { title, text, yes, keeps } = reviewActionTexts[language].resolve;
    const money = moneyBeside(matter, language);
    return {
      title: title(entry.orderId),
      text: html`<p>${text}</p>
        ${money !== null && html`<p class="warning">${keeps(money)}</p>`}`,
      button: yes,
      fields: {},
      inputs: html`${record?.payment.state === 'review' && reopenField(language, fields)}
      ${whyField(language, fields)}`,
      mistake: mistakeInWhy(language, fields),
    };
  },
  run: async ({ entry }, { why = '', reopen }, { office, actor: by }) => {
    await office.payments.review.resolve(entry.id, why, { by, reopen: reopen === 'yes' });
    return 'resolved';
  },
};

/** Money that stays with the merchant, and that nobody refunded yet. */
function moneyBeside({ record, row }: Matter, language: Language): string | null {
  if (record === null || row === null || row.kind === 'payment') return null;
  const { leftMinorUnits = 0 } =
    refundablesOf(record).find((one) => one.row.transactionId === row.transactionId) ?? {};
  if (leftMinorUnits === 0) return null;
  return amountText(language, decimalOf(leftMinorUnits), row.amount.currency);
}

const reopenField = (language: Language, fields: Fields): Html => {
  const { reopen, reopenHint } = reviewActionTexts[language].resolve;
  return html`<div class="field wide">
    <label
      ><input
        type="checkbox"
        name="reopen"
        value="yes"
        ${fields['reopen'] === 'yes' && html` checked`}
        aria-describedby="reopen-hint"
        data-test="reopen"
      />
      ${reopen}</label
    >
    <p class="hint" id="reopen-hint">${reopenHint}</p>
  </div>`;
};

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

/** The button of a matter's action; its name says which order it is about, as the list shows several. */
const matterButton = ({ entry }: Matter, words: string, test: string): Html =>
  html`<button class="quiet" data-test="${test}">
    ${words} <span class="spoken"><bdi>${entry.orderId}</bdi></span>
  </button>`;

/** The texts of what a person can do about a matter under review. */
const reviewActionTexts = byLanguage({
  accept: {
    button: ['Accept the money…', 'قبول المبلغ…'],
    title: (amount: string, orderId: string) => `Accept ${amount} for order ${isolated(orderId)}?
      هل تقبل ${amount} دفعةً للطلب ${isolated(orderId)}؟`,
    whole: (
      came: string,
    ) => `${came} came, as much as was asked for. It is enough from now on, also where the price has changed since.
      وصل ${came}، وهو المبلغ الذي طُلب حينها. يُعد كافيًا من الآن فصاعدًا، وإن تغيّر السعر بعد ذلك.`,
    other: (
      came: string,
      price: string,
    ) => `${came} came, and ${price} was asked for. What came is enough from now on.
      وصل ${came}، والمبلغ المطلوب ${price}. يُعد ما وصل كافيًا من الآن فصاعدًا.`,
    text: `The order counts as paid and your shop is told, so that it may ship at once. The gateway is asked first whether the money is still there. No money moves. It cannot be undone; afterwards the money can only be refunded.
      يُعد الطلب مدفوعًا ويُبلَّغ متجرك، وقد يشحنه فورًا. يُتحقق من البوابة أولًا أن المبلغ ما زال لديك. لا تتم أي حركة مالية. لا يمكن التراجع عن القبول، ولا يبقى بعده إلا الاسترداد.`,
    yes: (amount: string) => [`Yes, accept ${amount}`, `نعم، قبول ${amount}`],
  },
  refund: {
    button: ['Refund it…', 'استرداد المبلغ للعميل…'],
    ends: `The matter leaves the list when the gateway shows that all of it went back.
      تُغلق الحالة عندما تُظهر البوابة أن المبلغ أُعيد كاملًا.`,
  },
  resolve: {
    button: ['Resolve…', 'إنهاء المراجعة…'],
    title: (orderId: string) => `Resolve this matter of order ${isolated(orderId)}?
      هل تريد إنهاء هذه المراجعة للطلب ${isolated(orderId)}؟`,
    text: `It leaves the list. That moves no money and makes nothing paid.
      تُغلق الحالة وتخرج من القائمة، دون أي حركة مالية، ولا يصبح الطلب مدفوعًا بذلك.`,
    keeps: (
      amount: string,
    ) => `${amount} stays with you. If the customer is to pay again, refund it first: otherwise they have paid twice.
      يبقى لديك ${amount}. إن كان العميل سيدفع من جديد فأعِده إليه أولًا، وإلا يكون قد دفع مرتين.`,
    reopen: ['Let the order be paid anew', 'السماح بدفع الطلب من جديد'],
    reopenHint: `Without this the order stays in review, and no payment link is made for it.
      بدون ذلك يبقى الطلب قيد المراجعة، ولا يُنشأ له رابط دفع.`,
    yes: ['Yes, resolve it', 'نعم، أنهِ المراجعة'],
  },
  redeliver: {
    button: ['Deliver again…', 'إعادة التسليم…'],
    title: (
      event: string,
      orderId: string,
    ) => `Deliver the event ${isolated(event)} of order ${isolated(orderId)} again?
      هل تريد إعادة تسليم الحدث ${isolated(event)} للطلب ${isolated(orderId)}؟`,
    text: `Your shop’s own code is called again, and does what it does upon this event, such as shipping or a mail. Do this after it was mended. The kit itself moves no money.
      يُرسل الحدث إلى نظام متجرك من جديد لينفّذ ما يلزم عنده، كالشحن أو إرسال بريد. أعد التسليم بعد إصلاح العطل. لا تتم أي حركة مالية من هنا.`,
    yes: ['Yes, deliver it again', 'نعم، أعد التسليم'],
  },
});

/** The texts of what a person found out about an operation whose answer was lost. */
const outcomeActionTexts = byLanguage({
  transaction: `The transaction’s id, from the gateway’s dashboard
    معرّف العملية من لوحة البوابة`,
  noTransaction: `Write the transaction’s id as the gateway’s dashboard shows it, without spaces.
    اكتب معرّف العملية كما يظهر في لوحة البوابة، دون مسافات.`,
  final: `Nothing is sent to the gateway. The first answer is final, so look at the gateway’s dashboard before.
    لا يُرسل شيء إلى البوابة. القرار الأول نهائي، فراجع لوحة البوابة قبل تسجيله.`,
  succeeded: {
    button: ['It happened…', 'نُفّذت العملية…'],
    title: (kind: string, amount: string) => `${kind} of ${amount}: it happened?
      ${kind} بمبلغ ${amount}: هل تؤكد أنه نُفّذ؟`,
    text: {
      refund: `The amount counts as refunded, so that it is not refunded a second time.
        يُعد المبلغ مستردًا للعميل، حتى لا يُعاد إليه مرة ثانية.`,
      capture: `The amount counts as taken: the order is captured and your shop is told, so that it may ship.
        يُعد المبلغ محصّلًا ويُبلَّغ متجرك، وقد يشحن الطلب.`,
      void: `The held amount counts as released. It cannot be captured any more.
        يُعد الحجز مفكوكًا، ولا يمكن تحصيل المبلغ بعد ذلك.`,
      recurring: `The customer counts as charged for the period, and is not charged for it again.
        يُعد العميل قد دفع عن الفترة، ولا يُخصم منه عنها مرة أخرى.`,
      sale: `The gateway is asked about the transaction that you name, and its answer decides whether the order is paid.
        يُستعلم من البوابة عن العملية التي تذكرها، وبردها يتقرر هل الطلب مدفوع.`,
    },
    yes: ['Yes, it happened', 'نعم، نُفّذت'],
  },
  failed: {
    button: ['It did not happen…', 'لم تُنفَّذ العملية…'],
    title: (kind: string, amount: string) => `${kind} of ${amount}: it did not happen?
      ${kind} بمبلغ ${amount}: هل تؤكد أنه لم يُنفَّذ؟`,
    text: {
      refund: `The amount is yours to refund again. If it did go back, the customer could get it twice.
        يصبح المبلغ متاحًا للاسترداد من جديد. إن كان قد عاد فعلًا فقد يستلمه العميل مرتين.`,
      capture: `The amount counts as still held, and can be captured or released again.
        يُعد المبلغ محجوزًا، ويمكن تحصيله أو فك حجزه من جديد.`,
      void: `The amount counts as still held, and can be captured or released again.
        يُعد المبلغ محجوزًا، ويمكن تحصيله أو فك حجزه من جديد.`,
      recurring: `The customer counts as not charged. This period is not charged again; another one can be.
        يُعد الخصم من العميل غير منفَّذ. لا تُخصم هذه الفترة مرة أخرى، ويمكن خصم غيرها.`,
      sale: `The card counts as not charged, and the order may be paid in another way. If it was charged, the customer could pay twice.
        يُعد الخصم من البطاقة غير منفَّذ، ويمكن دفع الطلب بطريقة أخرى. إن كان قد خُصم منها فقد يدفع العميل مرتين.`,
    },
    yes: ['Yes, it did not happen', 'نعم، لم تُنفَّذ'],
  },
});

/** The texts of what a person can do about a refund that another one asked for. */
const proposalTexts = byLanguage({
  approve: {
    button: ['Approve…', 'الموافقة…'],
    title: (amount: string) => `Approve the refund of ${amount}?
      هل توافق على استرداد ${amount} للعميل؟`,
    text: (
      amount: string,
      orderId: string,
    ) => `${amount} of order ${isolated(orderId)} goes from you back to the customer’s card.
      يعود ${amount} من الطلب ${isolated(orderId)} من حسابك إلى بطاقة العميل.`,
    by: (person: string) => [`Asked for by ${isolated(person)}.`, `بطلب من ${isolated(person)}.`],
    final: `It is sent as soon as you approve it, and cannot be taken back then.
      يُرسل فور موافقتك، ولا يمكن التراجع عنه بعد ذلك.`,
    yes: (amount: string) => [`Yes, refund ${amount}`, `نعم، استرداد ${amount}`],
  },
  withdraw: {
    button: ['Withdraw…', 'سحب طلب الاسترداد…'],
    title: (amount: string) => `Withdraw the refund of ${amount}?
      هل تريد سحب طلب استرداد ${amount}؟`,
    text: `It was not sent, and is not sent any more. No money moves.
      لم يُرسل الاسترداد ولن يُرسل. لا تتم أي حركة مالية.`,
    yes: ['Yes, withdraw it', 'نعم، اسحب الطلب'],
  },
});
