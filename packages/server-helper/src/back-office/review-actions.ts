import type { LedgerRow, Operation, PaymentRecord, ReviewEntry, ReviewReason } from '../index.ts';
import {
  acceptMoney,
  findEntry,
  isOutdated,
  isSamePerson,
  loadPayment,
  moneyOfReview,
} from '../parts.ts';
import type { Action } from './action.ts';
import { amountText, byLanguage, field, html, moneyText, stateTexts } from './html.ts';
import {
  formerNotice,
  noticeOf,
  type Refundable,
  refundablesOf,
  refundQuestion,
  sendRefund,
} from './money-actions.ts';
import type { Fields, Visit } from './visit.ts';

/** One entry of the review list, with the payment that it is about. */
export interface Matter {
  readonly entry: ReviewEntry;
  readonly record: PaymentRecord | null;
  /** The money that it is about, where the gateway showed some. */
  readonly row: LedgerRow | null;
}

/** What waits for a person, the oldest first. */
export async function listMatters(visit: Visit, limit: number): Promise<readonly Matter[]> {
  const entries = await visit.office.payments.review.list({ limit });
  return mattersOf(visit, entries.slice(0, limit));
}

/** The matter of an id; `null` where it does not wait any more. */
export async function findMatter(visit: Visit, id: string): Promise<Matter | null> {
  const entry = await visit.office.parts.run((context) => findEntry(context, id));
  const [matter = null] = await mattersOf(visit, entry === undefined ? [] : [entry]);
  return matter;
}

const mattersOf = ({ office }: Visit, entries: readonly ReviewEntry[]): Promise<Matter[]> =>
  office.parts.run((context) =>
    Promise.all(
      entries.map(async (entry) => {
        const record = await loadPayment(context, entry.orderId);
        const row = record && entry.kind === 'payment' ? moneyOfReview(record, entry.id).row : null;
        return { entry, record, row: row ?? null };
      }),
    ),
  );

/** Takes the money of a review as the order's payment. */
export const accept: Action<Matter> = {
  name: 'accept',
  right: 'accept',
  asksWhy: true,
  texts: (language) => acceptTexts[language],
  isPossible: ({ entry, record }, { office }) => {
    if (entry.kind !== 'payment' || record === null) return false;
    const decision = { id: entry.id, why: '-', by: null };
    const { kind } = acceptMoney(record, decision, undefined, office.parts.clock.now());
    return kind === 'accept';
  },
  question: ({ entry: { orderId }, record, row }, _fields, { language }) => {
    const texts = acceptTexts[language];
    const came = row === null ? '' : moneyText(language, row.amount);
    const price = record === null ? '' : moneyText(language, record.payment.amount);
    const isWhole = row?.amount.minorUnits === record?.payment.amount.minorUnits;
    return {
      title: texts.title({ came, orderId }),
      text: html`<p>${isWhole ? texts.whole({ came }) : texts.other({ came, price })}</p>
        <p>${texts.text}</p>`,
      button: texts.yes({ came }),
      isFinal: true,
    };
  },
  run: async ({ entry }, { why = '' }, { office, actor: by }) => {
    await office.payments.review.accept(entry.id, why, { by });
    return 'accepted';
  },
};

const acceptTexts = byLanguage({
  button: ['Accept the money…', 'قبول المبلغ…'],
  title: `Accept {came} for order {orderId}?
    هل تقبل {came} دفعةً للطلب {orderId}؟`,
  whole: `{came} came, as much as was asked for. It is enough from now on, also where the price has changed since.
    وصل {came}، وهو المبلغ الذي طُلب حينها. يُعد كافيًا من الآن فصاعدًا، وإن تغيّر السعر بعد ذلك.`,
  other: `{came} came, and {price} was asked for. What came is enough from now on.
    وصل {came}، والمبلغ المطلوب {price}. يُعد ما وصل كافيًا من الآن فصاعدًا.`,
  text: `The order counts as paid and your shop is told, so that it may ship at once. The gateway is asked first whether the money is still there. No money moves. It cannot be undone; afterwards the money can only be refunded.
    يُعد الطلب مدفوعًا ويُبلَّغ متجرك، وقد يشحنه فورًا. يُتحقق من البوابة أولًا أن المبلغ ما زال لديك. لا تتم أي حركة مالية. لا يمكن التراجع عن القبول، ولا يبقى بعده إلا الاسترداد.`,
  yes: ['Yes, accept {came}', 'نعم، قبول {came}'],
});

/** Reviews of which it is not certain that the money is this order's, or how much of it is left. */
const uncertain = new Set<ReviewReason>(['refund_contradiction', 'unattributed_payment']);

/** Gives the money of a review back to the card, as much of it as is left. */
export const refundMatter: Action<Matter> = {
  name: 'refund',
  right: 'refund',
  texts: (language) => refundTexts[language],
  isPossible: (matter) => moneyToRefund(matter) !== undefined,
  question: (matter, _fields, visit) => {
    const { ends, over } = refundTexts[visit.language];
    const money = moneyToRefund(matter);
    if (matter.record === null || money === undefined) return { mistake: over };
    const question = refundQuestion(visit, matter.record, money, money.left.minorUnits);
    const text = html`${question.text}
      <p>${ends}</p>`;
    return { ...question, text };
  },
  repeated: ({ record }, fields, requestId) =>
    record && formerNotice(record, requestId, 'refund', fields),
  run: async (matter, fields, visit, requestId) => {
    const money = moneyToRefund(matter);
    if (matter.record === null || money === undefined) return 'matter_over';
    const { transactionId } = money.row;
    const asked = { transactionId, requestId, fields, reviewId: matter.entry.id };
    return sendRefund(visit, matter.record, asked);
  },
};

/** What is left of the money beside the order's own payment that is certainly this matter's. */
const moneyToRefund = (matter: Matter): Refundable | undefined =>
  matter.entry.kind !== 'payment' || uncertain.has(matter.entry.reason)
    ? undefined
    : moneyBeside(matter);

/** What is left of the money that a matter is about, where it is beside the order's own payment. */
function moneyBeside({ record, row }: Matter): Refundable | undefined {
  if (record === null || row === null || row.kind === 'payment') return undefined;
  return refundablesOf(record).find((one) => one.row.transactionId === row.transactionId);
}

const refundTexts = byLanguage({
  button: ['Refund it…', 'استرداد المبلغ للعميل…'],
  ends: `The matter leaves the list when the gateway shows that all of it went back.
    تُغلق الحالة عندما تُظهر البوابة أن المبلغ أُعيد كاملًا.`,
  over: `Nothing is left to refund of this transaction.
    لم يبقَ من هذه العملية ما يُسترد.`,
});

/** Record that an operation whose answer was lost was made, and that it was not. */
export const happened = outcomeAction('happened', 'succeeded');
export const notHappened = outcomeAction('not-happened', 'failed');

function outcomeAction(name: string, outcome: 'succeeded' | 'failed'): Action<Matter> {
  return {
    name,
    right: 'resolve',
    asksWhy: true,
    texts: (language) => outcomeTexts[language][outcome],
    isPossible: (matter) => operationOf(matter) !== undefined,
    question: (matter, fields, { language }) => {
      const { final, transaction, noTransaction, ...texts } = outcomeTexts[language];
      const { title, text, yes } = texts[outcome];
      const { kind = 'refund', amount } = operationOf(matter) ?? {};
      const named = {
        kind: stateTexts[language].operationKind[kind],
        amount: amount === undefined ? '' : moneyText(language, amount),
      };
      const needsId = kind === 'sale' && outcome === 'succeeded';
      const input = field(
        { id: 'transaction', label: transaction, value: fields['transaction'], look: 'wide' },
        html`dir="ltr" autocomplete="off" required`,
      );
      return {
        title: title(named),
        text: html`<p>${text[kind]}</p>
          <p>${final}</p>`,
        button: yes,
        isFinal: true,
        inputs: html`${needsId && input}`,
        mistake: needsId && !TRANSACTION.test(transactionOf(fields)) ? noTransaction : null,
      };
    },
    run: async (matter, fields, { office, actor: by }) => {
      const { id = '', kind } = operationOf(matter) ?? {};
      const isNamed = kind === 'sale' && outcome === 'succeeded';
      const transactionId = isNamed ? transactionOf(fields) : undefined;
      await office.payments.resolveOperation(id, outcome, fields['why'] ?? '', {
        by,
        transactionId,
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

const TRANSACTION = /^[\w-]{1,100}$/;
const transactionOf = (fields: Fields): string => (fields['transaction'] ?? '').trim();

const outcomeTexts = byLanguage({
  transaction: `The transaction’s id, from the gateway’s dashboard
    معرّف العملية من لوحة البوابة`,
  noTransaction: `Write the transaction’s id as the gateway’s dashboard shows it, without spaces.
    اكتب معرّف العملية كما يظهر في لوحة البوابة، دون مسافات.`,
  final: `Nothing is sent to the gateway. The first answer is final, so look at the gateway’s dashboard before.
    لا يُرسل شيء إلى البوابة. القرار الأول نهائي، فراجع لوحة البوابة قبل تسجيله.`,
  succeeded: {
    button: ['It happened…', 'نُفّذت العملية…'],
    title: `{kind} of {amount}: it happened?
      {kind} بمبلغ {amount}: هل تؤكد أنه نُفّذ؟`,
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
    title: `{kind} of {amount}: it did not happen?
      {kind} بمبلغ {amount}: هل تؤكد أنه لم يُنفَّذ؟`,
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

/** Takes a review off the list, and lets its order be paid anew where that is wanted. */
export const resolve: Action<Matter> = {
  name: 'resolve',
  right: 'resolve',
  asksWhy: true,
  texts: (language) => resolveTexts[language],
  // What became of an operation is said by the actions for it.
  isPossible: ({ entry }) => entry.kind === 'payment' && entry.reason !== 'unknown_outcome',
  question: (matter, fields, { language }) => {
    const { title, text, yes, keeps, reopen, reopenHint } = resolveTexts[language];
    const { left } = moneyBeside(matter) ?? {};
    const kept = left && keeps({ amount: moneyText(language, left) });
    const box = html`<div class="field wide">
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
    return {
      title: title(matter.entry),
      text: html`<p>${text}</p>
        ${kept !== undefined && html`<p class="warning">${kept}</p>`}`,
      button: yes,
      inputs: html`${matter.record?.payment.state === 'review' && box}`,
    };
  },
  run: async ({ entry }, { why = '', reopen }, { office, actor: by }) => {
    await office.payments.review.resolve(entry.id, why, { by, reopen: reopen === 'yes' });
    return 'resolved';
  },
};

const resolveTexts = byLanguage({
  button: ['Resolve…', 'إنهاء المراجعة…'],
  title: `Resolve this matter of order {orderId}?
    هل تريد إنهاء هذه المراجعة للطلب {orderId}؟`,
  text: `It leaves the list. That moves no money and makes nothing paid.
    تُغلق الحالة وتخرج من القائمة، دون أي حركة مالية، ولا يصبح الطلب مدفوعًا بذلك.`,
  keeps: `{amount} stays with you. If the customer is to pay again, refund it first: otherwise they have paid twice.
    يبقى لديك {amount}. إن كان العميل سيدفع من جديد فأعِده إليه أولًا، وإلا يكون قد دفع مرتين.`,
  reopen: ['Let the order be paid anew', 'السماح بدفع الطلب من جديد'],
  reopenHint: `Without this the order stays in review, and no payment link is made for it.
    بدون ذلك يبقى الطلب قيد المراجعة، ولا يُنشأ له رابط دفع.`,
  yes: ['Yes, resolve it', 'نعم، أنهِ المراجعة'],
});

/** Sends a refund that another person asked for. */
export const approve: Action<Matter> = {
  name: 'approve',
  right: 'refund',
  texts: (language) => approveTexts[language],
  isPossible: ({ entry }, { actor }) =>
    entry.kind === 'proposal' &&
    entry.requestedBy !== null &&
    !isSamePerson(entry.requestedBy, actor),
  question: ({ entry }, _fields, { language }) => {
    const { title, text, by, final, yes } = approveTexts[language];
    const words = wordsOf(entry, language);
    return {
      title: title(words),
      text: html`<p>${text(words)}</p>
        <p>${by(words)}</p>
        <p>${final}</p>`,
      button: yes(words),
      isFinal: true,
    };
  },
  run: async ({ entry }, _fields, { office, actor: by }) =>
    noticeOf(await office.payments.approve(entry.id, { by })),
};

function wordsOf(entry: ReviewEntry, language: Visit['language']) {
  const { orderId } = entry;
  if (entry.kind !== 'proposal') return { orderId, amount: '', person: '' };
  const { amount, currency, requestedBy } = entry;
  return { orderId, amount: amountText(language, amount, currency), person: requestedBy ?? '' };
}

const approveTexts = byLanguage({
  button: ['Approve…', 'الموافقة…'],
  title: `Approve the refund of {amount}?
    هل توافق على استرداد {amount} للعميل؟`,
  text: `{amount} of order {orderId} goes from you back to the customer’s card.
    يعود {amount} من الطلب {orderId} من حسابك إلى بطاقة العميل.`,
  by: ['Asked for by {person}.', 'بطلب من {person}.'],
  final: `It is sent as soon as you approve it, and cannot be taken back then.
    يُرسل فور موافقتك، ولا يمكن التراجع عنه بعد ذلك.`,
  yes: ['Yes, refund {amount}', 'نعم، استرداد {amount}'],
});

/** Takes a refund back that nobody approved. */
export const withdraw: Action<Matter> = {
  name: 'withdraw',
  right: 'refund',
  asksWhy: true,
  texts: (language) => withdrawTexts[language],
  isPossible: ({ entry }) => entry.kind === 'proposal',
  question: ({ entry }, _fields, { language }) => {
    const { title, text, yes } = withdrawTexts[language];
    return { title: title(wordsOf(entry, language)), text, button: yes };
  },
  run: async ({ entry }, { why = '' }, { office, actor: by }) => {
    await office.payments.resolveOperation(entry.id, 'withdrawn', why, { by });
    return 'withdrawn';
  },
};

const withdrawTexts = byLanguage({
  button: ['Withdraw…', 'سحب طلب الاسترداد…'],
  title: `Withdraw the refund of {amount}?
    هل تريد سحب طلب استرداد {amount}؟`,
  text: `It was not sent, and is not sent any more. No money moves.
    لم يُرسل الاسترداد ولن يُرسل. لا تتم أي حركة مالية.`,
  yes: ['Yes, withdraw it', 'نعم، اسحب الطلب'],
});

/** Hands an event to the shop's own code again. */
export const redeliver: Action<Matter> = {
  name: 'redeliver',
  right: 'resolve',
  texts: (language) => redeliverTexts[language],
  isPossible: ({ entry }) => entry.kind === 'dead_letter',
  question: ({ entry, record }, _fields, { language }) => {
    const { title, text, outdated, yes } = redeliverTexts[language];
    const event = entry.kind === 'dead_letter' ? entry.event.type : '';
    // Each delivery is a change of the order, so that an answered question is not asked again.
    const state = `${entry.id} ${record?.payment.version}`;
    const said = isOutdated(entry, record) ? `${outdated} ${text}` : text;
    return { title: title({ event, orderId: entry.orderId }), text: said, button: yes, state };
  },
  run: async ({ entry }, _fields, { office, actor: by }) => {
    await office.payments.review.redeliver(entry.id, { by });
    return 'redelivered';
  },
};

const redeliverTexts = byLanguage({
  button: ['Deliver again…', 'إعادة التسليم…'],
  title: `Deliver the event {event} of order {orderId} again?
    هل تريد إعادة تسليم الحدث {event} للطلب {orderId}؟`,
  text: `Your shop’s own code is called again, and does what it does upon this event, such as shipping or a mail. Do this after it was mended. The kit itself moves no money.
    يُرسل الحدث إلى نظام متجرك من جديد لينفّذ ما يلزم عنده، كالشحن أو إرسال بريد. أعد التسليم بعد إصلاح العطل. لا تتم أي حركة مالية من هنا.`,
  outdated: `The order’s money went back in full since, or a review doubts it: code that ships upon this event may ship unpaid.
    أُعيد مبلغ الطلب كاملًا بعد هذا الحدث، أو ما زال الدفع قيد المراجعة: إن كان نظام متجرك يشحن عنده فقد يشحن طلبًا غير مدفوع.`,
  yes: ['Yes, deliver it again', 'نعم، أعد التسليم'],
});
