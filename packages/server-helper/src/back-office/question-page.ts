import type { Answer } from '../edges/http.ts';
import type { Question } from './actions/action.ts';
import { TOKEN_FIELD } from './forms.ts';
import { html, type Html } from './html.ts';
import { pageAnswer, type Section } from './layout.ts';
import { type Fields, linkTo, type Visit } from './office.ts';
import { frameTexts } from './texts/frame.ts';
import { questionTexts } from './texts/order-actions.ts';

/** The name of the field that holds the id of one confirmation. */
export const REQUEST_FIELD = 'request';

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
export function questionPage(visit: Visit, asking: Asking): Promise<Answer> {
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
export const mistakeText = (text: string): Html =>
  html`<p class="mistake" id="mistake" role="alert" data-test="mistake">${text}</p>`;

/** Fields that a form carries along. */
export const hidden = (fields: Fields): readonly Html[] =>
  Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
