import { type Answer, seeOther } from '../edges/http.ts';
import { PaymentsError, type PaymentsErrorCode } from '../errors.ts';
import { readWhy } from '../flows/money/money-input.ts';
import { parseAmount } from '../money.ts';
import {
  type Html,
  html,
  nothing,
  typedAmount,
  type Language,
  byLanguage,
  isolated,
} from './html.ts';
import {
  type NoticeName,
  pageAnswer,
  type Section,
  problemAnswer,
  problemOf,
  statusOf,
  frameTexts,
} from './layout.ts';
import type { OfficeAction } from './options.ts';
import {
  type Fields,
  type Visit,
  type Shown,
  readForm,
  linkTo,
  idOfQuestion,
  isRequestId,
  TOKEN_FIELD,
} from './visit.ts';

/** What was typed into an action's form, and what is wrong with it. */
export interface Entered {
  readonly fields: Fields;
  readonly mistake: string;
}

/** The question of a confirmation page. */
export interface Question {
  /** Names what happens, and the amount where there is one: `Refund SAR 20.00?` */
  readonly title: string;
  /** What it means for the money, and whether it can be undone. */
  readonly text: string | Html;
  /** The words on the button that does it. */
  readonly button: string;
  /** The name in `data-test` of that button. @defaultValue `confirm-<name of the action>` */
  readonly testId?: string;
  /** Whether it cannot be undone. */
  readonly isFinal?: boolean;
  /** The fields that are sent with the confirmation. */
  readonly fields: Fields;
  /** What is typed on the page of the question itself: words that an address is no place for. */
  readonly inputs?: Html;
  /** What is wrong with what was typed there; it counts once it is sent. */
  readonly mistake?: string | null;
  /**
   * Names the state that it was asked in. The same question in the same state is one request, in two tabs
   * and from two people too. In another state, it is asked again.
   */
  readonly state?: string;
}

/** How an action ended: what the page says afterwards, or a page of its own. */
export type Done = NoticeName | Shown;

/**
 * One thing that a person can do about a subject: an order, a matter under review, the gateway. Its form
 * leads to a page that asks first, and only the form of that page does it.
 *
 * @typeParam Subject - What it is about, as the page shows it.
 */
export interface Action<Subject> {
  /** The last part of its address. */
  readonly name: string;
  /** What `may` is asked; `null` for what everyone may do, since it moves no money. */
  readonly right: OfficeAction | null;
  /** Whether it is possible now; otherwise it is neither shown nor done. */
  isPossible(subject: Subject, visit: Visit): boolean;
  /**
   * The fields of its form on the page, with the button that leads to the question.
   *
   * @param entered - After a mistake: the fields show what was typed.
   */
  fields(subject: Subject, visit: Visit, entered?: Entered): Html;
  /** The question, or the mistake in what was typed. Changes nothing. */
  question(subject: Subject, fields: Fields, visit: Visit): Question | { readonly mistake: string };
  /**
   * What the page says where this very request was done before, which may have made it impossible now;
   * `null` where it was not.
   */
  repeated?(subject: Subject, fields: Fields, requestId: string): NoticeName | null;
  /**
   * Does it, at most once for a request id.
   *
   * @param fields - Those of the question, as the browser sent them: checked again.
   * @param requestId - Made when the question was asked.
   * @returns what the page says afterwards, or a page in its place.
   */
  run(subject: Subject, fields: Fields, visit: Visit, requestId: string): Promise<Done>;
}

/** An action about one subject, and the addresses around it. */
export interface Deed<Subject> {
  readonly action: Action<Subject>;
  readonly subject: Subject;
  /** The page with the action's form, below the mount; the action's own address is below that one. */
  readonly page: string;
  readonly section: Section;
  /** Names the subject in the query, where the path does not. */
  readonly naming?: Fields;
}

const addressOf = <Subject>({ page, action }: Deed<Subject>): string => `${page}/${action.name}`;

/** Whether a person may do it and it is possible now. */
async function isOffered<Subject>(
  visit: Visit,
  { action, subject }: Pick<Deed<Subject>, 'action' | 'subject'>,
): Promise<boolean> {
  if (!action.isPossible(subject, visit)) return false;
  return action.right === null || visit.may(action.right);
}

/** The form of an action, which leads to its question; nothing where the action is not offered. */
export async function actionForm<Subject>(visit: Visit, deed: Deed<Subject>): Promise<Html> {
  return (await isOffered(visit, deed)) ? formOf(visit, deed) : nothing;
}

function formOf<Subject>(visit: Visit, deed: Deed<Subject>, entered?: Entered): Html {
  const { action, subject, naming = {} } = deed;
  return html`<form class="action" method="get" action="${linkTo(visit, addressOf(deed))}">
    ${hidden(naming)}${action.fields(subject, visit, entered)}
  </form>`;
}

/** Answers the action's address: a GET asks first, a POST does it. */
export async function actionAnswer<Subject>(visit: Visit, deed: Deed<Subject>): Promise<Answer> {
  const { action, subject, page } = deed;
  const { right } = action;
  const isSent = visit.request.method === 'POST';
  if (right !== null && !(await visit.may(right))) {
    return problemAnswer(visit, 'forbidden', { back: page });
  }
  const form = isSent ? await readForm(visit) : visit.query;
  if (typeof form === 'string') return problemAnswer(visit, form, { back: page });
  const requestId = form[REQUEST_FIELD] ?? '';
  if (isSent && !isRequestId(requestId)) return problemAnswer(visit, 'bad_form', { back: page });
  // What was done before may be impossible now; it must not look as if nothing had been done.
  const former = isSent ? (action.repeated?.(subject, form, requestId) ?? null) : null;
  if (former !== null) return done(visit, deed, former);
  if (!action.isPossible(subject, visit)) {
    return problemAnswer(visit, 'not_possible', { back: page });
  }
  const question = action.question(subject, form, visit);
  if (!('title' in question)) return mistakePage(visit, deed, { fields: form, ...question });
  const askedNow = idOfQuestion(question.state);
  if (!isSent) return ask(visit, deed, question, askedNow);
  if (question.state !== undefined && requestId !== askedNow) {
    const text = questionTexts[visit.language].changed;
    return ask(visit, deed, question, askedNow, { status: 409, text });
  }
  const { mistake = null } = question;
  if (mistake === null) return perform(visit, deed, { question, form, requestId });
  return ask(visit, deed, question, requestId, { status: 422, text: mistake });
}

async function perform<Subject>(
  visit: Visit,
  deed: Deed<Subject>,
  sent: { readonly question: Question; readonly form: Fields; readonly requestId: string },
): Promise<Answer> {
  const { action, subject, page } = deed;
  const { question, form, requestId } = sent;
  try {
    const outcome = await action.run(subject, form, visit, requestId);
    return typeof outcome === 'string'
      ? done(visit, deed, outcome)
      : pageAnswer(visit, { section: deed.section, ...outcome });
  } catch (error) {
    if (error instanceof PaymentsError && error.code === 'not_found_in_store') {
      return done(visit, deed, 'matter_over');
    }
    const name = problemOf(error);
    if (name === null || !(error instanceof Error)) throw error;
    const text = refusalText(visit.language, error);
    if (question.inputs === undefined || name !== 'refused') {
      return problemAnswer(visit, name, { back: page, detail: text });
    }
    // What was typed is not lost by a refusal.
    return ask(visit, deed, question, requestId, { status: statusOf(name), text });
  }
}

const done = <Subject>(visit: Visit, { page }: Deed<Subject>, notice: NoticeName): Answer =>
  seeOther(linkTo(visit, page, { notice }));

function ask<Subject>(
  visit: Visit,
  deed: Deed<Subject>,
  question: Question,
  requestId: string,
  refusal?: { readonly status: number; readonly text: string },
): Promise<Answer> {
  const { action, page, section, naming = {} } = deed;
  const { testId = `confirm-${action.name}` } = question;
  const about = { question, address: addressOf(deed), page, naming, section, testId, requestId };
  return questionPage(visit, refusal === undefined ? about : { ...about, refusal });
}

/** The form again, with what was typed and what is wrong with it. */
function mistakePage<Subject>(
  visit: Visit,
  deed: Deed<Subject>,
  entered: Entered,
): Promise<Answer> {
  const { language } = visit;
  const { page, section } = deed;
  const title = questionTexts[language].mistake;
  return pageAnswer(visit, {
    status: 422,
    title: `${frameTexts[language].error}: ${title}`,
    section,
    main: html`<section class="message">
      <h1>${title}</h1>
      ${mistakeText(entered.mistake)} ${formOf(visit, deed, entered)}
      <p><a href="${linkTo(visit, page)}">${questionTexts[language].cancel}</a></p>
    </section>`,
  });
}

/** The name of the field that holds the id of one confirmation. */
const REQUEST_FIELD = 'request';

interface Asking {
  readonly question: Question;
  /** Where the form is sent, and where a person goes who does not want it, below the mount. */
  readonly address: string;
  readonly page: string;
  readonly naming: Fields;
  readonly section: Section;
  readonly testId: string;
  readonly requestId: string;
  /** Why it was not done, where it was sent before. */
  readonly refusal?: { readonly status: number; readonly text: string };
}

/** Asks before anything is done. */
function questionPage(visit: Visit, asking: Asking): Promise<Answer> {
  const { language, office, actor } = visit;
  const { question, address, page, naming, section, testId, requestId, refusal } = asking;
  const { title, text, button, fields, inputs, isFinal = false } = question;
  const texts = questionTexts[language];
  const token = office.forms.issue(actor, office.parts.clock.now());
  const given = { ...fields, [REQUEST_FIELD]: requestId, [TOKEN_FIELD]: token };
  return pageAnswer(visit, {
    ...(refusal === undefined ? {} : { status: refusal.status }),
    title: refusal === undefined ? title : `${frameTexts[language].error}: ${title}`,
    section,
    main: html`<section class="message question">
      <h1>${title}</h1>
      ${refusal !== undefined && mistakeText(refusal.text)}
      ${typeof text === 'string' ? html`<p>${text}</p>` : text}
      <form method="post" action="${linkTo(visit, address, naming)}">
        ${hidden(given)}${inputs ?? null}
        <p class="buttons">
          <button class="${isFinal ? 'final' : ''}" data-test="${testId}">${button}</button>
          <a class="button quiet" href="${linkTo(visit, page)}" data-test="cancel"
            >${texts.cancel}</a
          >
        </p>
      </form>
      <p class="hint">${texts.once}</p>
    </section>`,
  });
}

/** What is wrong, as the fields that are wrong refer to it. */
const mistakeText = (text: string): Html =>
  html`<p class="mistake" id="mistake" role="alert" data-test="mistake">${text}</p>`;

/** Fields that a form carries along. */
const hidden = (fields: Fields): readonly Html[] =>
  Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );

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

/** A field for the words that are kept with a decision. */
export const whyField = (language: Language, fields: Fields): Html =>
  html`<div class="field wide">
    <label for="why">${whyTexts[language].label}</label>
    <textarea
      id="why"
      name="why"
      rows="3"
      maxlength="500"
      required
      dir="auto"
      aria-describedby="why-hint"
      data-test="why"
    >
${fields['why'] ?? ''}</textarea>
    <p class="hint" id="why-hint">${whyTexts[language].hint}</p>
  </div>`;

/** What is wrong with the words that were typed; `null` for nothing. */
export function mistakeInWhy(language: Language, fields: Fields): string | null {
  try {
    readWhy(fields['why']);
    return null;
  } catch (error) {
    if (error instanceof PaymentsError) return whyTexts[language].mistake;
    throw error;
  }
}

/** The texts of every confirmation page. */
const questionTexts = byLanguage({
  cancel: ['Cancel', 'إلغاء'],
  once: ['It is done once, however often you press.', 'يُنفَّذ مرة واحدة مهما تكرر الضغط.'],
  mistake: ['Please check this', 'يُرجى مراجعة ما يلي'],
  changed: `The order has changed since this was asked. Nothing was done: read the question again.
    تغيّر الطلب بعد طرح هذا السؤال، ولم يُنفَّذ شيء. اقرأ السؤال من جديد.`,
});

/** The texts of a field for an amount, and of the mistakes in it. */
export const amountFieldTexts = byLanguage({
  labels: {
    'refund-amount': (currency: string) => `Refund, in ${currency}
      مبلغ الاسترداد بعملة ${isolated(currency)}`,
    'capture-amount': (currency: string) => `Capture, in ${currency}
      مبلغ التحصيل بعملة ${isolated(currency)}`,
    'charge-amount': (currency: string) => `New charge, in ${currency}
      مبلغ الخصم الجديد بعملة ${isolated(currency)}`,
  },
  transaction: ['Of which transaction', 'من أي عملية'],
  noTransaction: `Nothing is left to refund of this transaction.
    لم يبقَ من هذه العملية ما يُسترد.`,
  notAnAmount: `Write an amount above zero, such as 20.00, with two decimals at most.
    اكتب مبلغًا أكبر من صفر، مثل 20.00، بمنزلتين عشريتين على الأكثر.`,
  tooLarge: (most: string) => `That is too much: ${most} at most.
    المبلغ أكبر من المتاح، والحد الأقصى ${most}.`,
});

/** The texts of the words that are kept with a decision. */
const whyTexts = byLanguage({
  label: ['What did you find out?', 'ما الذي توصلت إليه؟'],
  hint: `Kept with the order, with your name. No card numbers or passwords.
    يُحفظ مع الطلب باسمك. لا تكتب أرقام بطاقات أو كلمات مرور.`,
  mistake: `Say what you found out, in at most 500 characters.
    اكتب ما توصلت إليه، في 500 حرف على الأكثر.`,
});

/** Why the engine refused something, by its code. */
const refusalTexts = byLanguage({
  already_paid: `The order is paid. Money beside its payment can only be refunded.
    الطلب مدفوع. أي مبلغ آخر وصل عنه لا يمكن إلا إعادته إلى العميل.`,
  amount_too_large: `It is more than is left, counting what is under way or unknown.
    المبلغ أكبر من المتبقي بعد احتساب ما هو قيد التنفيذ وما لا تُعرف نتيجته.`,
  attempt_in_progress: `Another request is changing this order right now. Try again in a moment.
    يجري تعديل هذا الطلب الآن. حاول مرة أخرى بعد قليل.`,
  hook_failed: `The shop’s own code did not answer, so that the price of the order is not known. The shop’s log says more.
    لم يستجب نظام المتجر، فلم يُعرف سعر الطلب. التفاصيل في سجل المتجر.`,
  in_review: `The order has changed since: a new review says how. Decide about that one.
    تغيّر الطلب منذ ذلك الحين، وتوضّح مراجعة جديدة ما تغيّر. احسم المراجعة الجديدة.`,
  invalid_operation: `What was entered cannot be used. Check it and try again.
    ما أُدخل غير صالح. راجعه وحاول مرة أخرى.`,
  not_confirmed: `The gateway does not say for certain what became of the money right now. Try again later.
    لا تؤكد البوابة الآن ما آل إليه المبلغ. حاول مرة أخرى لاحقًا.`,
  operation_in_progress: `Another operation on this money is under way, waits for approval, or its outcome is not known. Wait for its end, or end it in the review list.
    هناك عملية أخرى على هذا المبلغ قيد التنفيذ أو بانتظار الموافقة أو لا تُعرف نتيجتها. انتظر انتهاءها أو احسمها في قائمة المراجعة.`,
  operation_resolved: `Its outcome is known already, and it is another one.
    سبق تسجيل نتيجة العملية، وهي مختلفة عن ذلك.`,
  order_not_found: `The shop does not know this order any more.
    لم يعد هذا الطلب معروفًا في المتجر.`,
  recurring_token_unreadable: `The customer’s token is stored, but no key opens it. The shop’s key is missing from encryptionKeys.
    رمز العميل محفوظ، لكن لا يوجد مفتاح يفك تشفيره. مفتاح المتجر غير موجود في \u2068encryptionKeys\u2069.`,
  request_id_reused: `Something else was asked for in the same moment, by you or another person. Look at the order, then decide again.
    طُلب في اللحظة نفسها إجراء آخر، منك أو من شخص آخر. راجع الطلب ثم قرّر من جديد.`,
  same_person: `Another person must approve what this one asked for.
    لا بد أن يوافق شخص آخر غير من قدّم الطلب.`,
  wrong_state: `The payment is in a state in which this cannot be done.
    حالة الدفعة لا تسمح بهذا الإجراء.`,
});

/** A refusal in the reader's language; the error's own words for a code without any. */
function refusalText(language: Language, error: Error): string {
  const texts: Readonly<Partial<Record<PaymentsErrorCode, string>>> = refusalTexts[language];
  return (error instanceof PaymentsError && texts[error.code]) || error.message;
}
