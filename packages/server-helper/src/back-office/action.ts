import { type Answer, readWhy, seeOther } from '../parts.ts';
import { PaymentsError, type PaymentsErrorCode } from '../errors.ts';
import { byLanguage, html, type Html, type Language, nothing } from './html.ts';
import {
  type NoticeName,
  pageAnswer,
  problemAnswer,
  type ProblemName,
  problemOf,
  type Section,
  statuses,
} from './layout.ts';
import type { OfficeAction } from './options.ts';
import {
  type Fields,
  idOfQuestion,
  isRequestId,
  issueToken,
  linkTo,
  readForm,
  type Shown,
  TOKEN_FIELD,
  type Visit,
} from './visit.ts';

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
  /** The name in `data-test` of the button that leads to the question. @defaultValue its name */
  readonly testId?: string;
  /** Whether the page of the question asks what the person found out, which is kept. @defaultValue no */
  readonly asksWhy?: boolean;
  /** The words of that button, and a hint above it. */
  texts(language: Language, subject: Subject): { readonly button: string; readonly hint?: string };
  /** Whether it is possible now; otherwise it is neither shown nor done. */
  isPossible(subject: Subject, visit: Visit): boolean;
  /**
   * The fields of its form on the page.
   *
   * @param typed - After a mistake: what the fields show, and mark as wrong.
   */
  fields?(subject: Subject, visit: Visit, typed?: Fields): Html;
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

/** The question of a confirmation page. */
export interface Question {
  /** Names what happens, and the amount where there is one: `Refund SAR 20.00?` */
  readonly title: string;
  /** What it means for the money, and whether it can be undone. */
  readonly text: string | Html;
  readonly button: string;
  /** Whether it cannot be undone. */
  readonly isFinal?: boolean;
  readonly fields?: Fields;
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

/** An action about one subject, and the addresses around it. */
export interface Deed<Subject> {
  readonly action: Action<Subject>;
  readonly subject: Subject;
  /** The page with the action's form, below the mount; the action's own address is below that one. */
  readonly page: string;
  readonly section: Section;
  /** Names the subject in the query, where the path does not. */
  readonly naming?: Fields;
  /** Tells its button from the others of the page that have the same words. */
  readonly about?: string;
}

const addressOf = <Subject>({ page, action }: Deed<Subject>): string => `${page}/${action.name}`;

/** The form of an action, which leads to its question; nothing where a person may not, or not now. */
export async function actionForm<Subject>(visit: Visit, deed: Deed<Subject>): Promise<Html> {
  const { action, subject } = deed;
  if (!action.isPossible(subject, visit)) return nothing;
  return action.right === null || (await visit.may(action.right)) ? formOf(visit, deed) : nothing;
}

export async function actionForms<Subject>(
  visit: Visit,
  deeds: readonly Deed<Subject>[],
): Promise<readonly Html[]> {
  const forms = await Promise.all(deeds.map((deed) => actionForm(visit, deed)));
  return forms.filter((form) => form !== nothing);
}

function formOf<Subject>(visit: Visit, deed: Deed<Subject>, typed?: Fields): Html {
  const { action, subject, naming = {}, about } = deed;
  const { button, hint } = action.texts(visit.language, subject);
  return html`<form class="action" method="get" action="${linkTo(visit, addressOf(deed))}">
    ${hidden(naming)}${action.fields?.(subject, visit, typed) ?? null}
    ${hint !== undefined && html`<p class="hint">${hint}</p>`}
    <button class="quiet" data-test="${action.testId ?? action.name}">
      ${button}${about !== undefined && html` <span class="spoken"><bdi>${about}</bdi></span>`}
    </button>
  </form>`;
}

/** Answers the action's address: a GET asks first, a POST does it. */
export async function actionAnswer<Subject>(visit: Visit, deed: Deed<Subject>): Promise<Answer> {
  const { action, subject, page } = deed;
  const { right, asksWhy = false } = action;
  const isSent = visit.request.method === 'POST';
  const problem = (name: ProblemName): Promise<Answer> =>
    problemAnswer(visit, name, { back: page });
  if (right !== null && !(await visit.may(right))) return problem('forbidden');
  const form = isSent ? await readForm(visit) : visit.query;
  if (typeof form === 'string') return problem(form);
  const requestId = form[REQUEST_FIELD] ?? '';
  if (isSent && !isRequestId(requestId)) return problem('bad_form');
  // What was done before may be impossible now; it must not look as if nothing had been done.
  const former = isSent ? (action.repeated?.(subject, form, requestId) ?? null) : null;
  if (former !== null) return done(visit, deed, former);
  if (!action.isPossible(subject, visit)) return problem('not_possible');
  const question = action.question(subject, form, visit);
  if (!('title' in question)) return mistakePage(visit, deed, form, question.mistake);
  const askedNow = { question, form, requestId: idOfQuestion(question.state) };
  if (!isSent) return questionPage(visit, deed, askedNow);
  if (question.state !== undefined && requestId !== askedNow.requestId) {
    const text = questionTexts[visit.language].changed;
    return questionPage(visit, deed, askedNow, { status: 409, text });
  }
  const asked = { ...askedNow, requestId };
  const mistake = question.mistake ?? (asksWhy ? mistakeInWhy(visit.language, form) : null);
  if (mistake === null) return perform(visit, deed, asked);
  return questionPage(visit, deed, asked, { status: 422, text: mistake });
}

/** A question that was asked, or answered. */
interface Asked {
  readonly question: Question;
  readonly form: Fields;
  readonly requestId: string;
}

async function perform<Subject>(visit: Visit, deed: Deed<Subject>, asked: Asked): Promise<Answer> {
  const { action, subject, page: back, section } = deed;
  try {
    const outcome = await action.run(subject, asked.form, visit, asked.requestId);
    return typeof outcome === 'string'
      ? done(visit, deed, outcome)
      : pageAnswer(visit, { section, ...outcome });
  } catch (error) {
    if (error instanceof PaymentsError && error.code === 'not_found_in_store') {
      return done(visit, deed, 'matter_over');
    }
    const name = problemOf(error);
    if (name === null || !(error instanceof Error)) throw error;
    const text = refusalText(visit.language, error);
    // What was typed is not lost by a refusal.
    return action.asksWhy === true && name === 'refused'
      ? questionPage(visit, deed, asked, { status: statuses[name], text })
      : problemAnswer(visit, name, { back, detail: text });
  }
}

const done = <Subject>(visit: Visit, { page }: Deed<Subject>, notice: NoticeName): Answer =>
  seeOther(linkTo(visit, page, { notice }));

/** The form again, with what was typed and what is wrong with it. */
function mistakePage<Subject>(
  visit: Visit,
  deed: Deed<Subject>,
  typed: Fields,
  text: string,
): Promise<Answer> {
  const { language } = visit;
  const { mistake, cancel } = questionTexts[language];
  return pageAnswer(visit, {
    status: 422,
    title: mistake,
    section: deed.section,
    main: html`<section class="message">
      <h1>${mistake}</h1>
      ${mistakeText(text)} ${formOf(visit, deed, typed)}
      <p><a href="${linkTo(visit, deed.page)}">${cancel}</a></p>
    </section>`,
  });
}

const REQUEST_FIELD = 'request';

/** Asks before anything is done, or says why it was not done where it was sent before. */
function questionPage<Subject>(
  visit: Visit,
  deed: Deed<Subject>,
  { question, form, requestId }: Asked,
  refusal: { readonly status: number; readonly text: string } | null = null,
): Promise<Answer> {
  const { language, office, actor } = visit;
  const { action, page, section, naming = {} } = deed;
  const { title, text, button, fields, inputs = null, isFinal = false } = question;
  const texts = questionTexts[language];
  const ids = { [REQUEST_FIELD]: requestId, [TOKEN_FIELD]: issueToken(office, actor) };
  return pageAnswer(visit, {
    status: refusal?.status ?? 200,
    title,
    section,
    main: html`<section class="message question">
      <h1>${title}</h1>
      ${refusal !== null && mistakeText(refusal.text)}
      ${typeof text === 'string' ? html`<p>${text}</p>` : text}
      <form method="post" action="${linkTo(visit, addressOf(deed), naming)}">
        ${hidden({ ...fields, ...ids })}
        ${inputs}${action.asksWhy === true && whyField(language, form)}
        <p class="buttons">
          <button class="${isFinal ? 'final' : ''}" data-test="confirm-${action.name}">
            ${button}
          </button>
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

/** Marks a field as the one that the mistake is about. */
export const invalid = (typed: Fields | undefined): Html | false =>
  typed !== undefined && html` aria-invalid="true" aria-describedby="mistake"`;

/** Fields that a form carries along. */
export const hidden = (fields: Fields): readonly Html[] =>
  Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );

const whyField = (language: Language, fields: Fields): Html =>
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
function mistakeInWhy(language: Language, fields: Fields): string | null {
  try {
    readWhy(fields['why']);
    return null;
  } catch (error) {
    if (error instanceof PaymentsError) return whyTexts[language].mistake;
    throw error;
  }
}

const questionTexts = byLanguage({
  cancel: ['Cancel', 'إلغاء'],
  once: ['It is done once, however often you press.', 'يُنفَّذ مرة واحدة مهما تكرر الضغط.'],
  mistake: ['Please check this', 'يُرجى مراجعة ما يلي'],
  changed: `The order has changed since this was asked. Nothing was done: read the question again.
    تغيّر الطلب بعد طرح هذا السؤال، ولم يُنفَّذ شيء. اقرأ السؤال من جديد.`,
});

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
