import { type Answer, seeOther } from '../edges/http.ts';
import { PaymentsError } from '../errors.ts';
import type { Action, Entered, Question } from './actions/action.ts';
import { readForm } from './forms.ts';
import { html, type Html, nothing } from './html.ts';
import { pageAnswer, type Section } from './layout.ts';
import { type Fields, linkTo, type Visit } from './office.ts';
import { problemAnswer, problemOf, statusOf } from './problems.ts';
import { hidden, mistakeText, questionPage, REQUEST_FIELD } from './question-page.ts';
import { idOfQuestion, isRequestId } from './request-id.ts';
import { frameTexts } from './texts/frame.ts';
import type { NoticeName } from './texts/notices.ts';
import { questionTexts } from './texts/order-actions.ts';
import { refusalText } from './texts/refusals.ts';

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
export async function isOffered<Subject>(
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
