import { PaymentsError, type PaymentsErrorCode } from '../errors.ts';
import type { Answer } from '../edges/http.ts';
import { GatewayError } from '../gateway/gateway-error.ts';
import { html } from './html.ts';
import { pageAnswer } from './layout.ts';
import { linkTo, type Visit } from './office.ts';
import { frameTexts } from './texts/frame.ts';
import { type ProblemName, problemTexts } from './texts/problems.ts';

const statuses: Readonly<Record<ProblemName, number>> = {
  unauthorized: 401,
  forbidden: 403,
  foreign_form: 403,
  stale_form: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_possible: 409,
  refused: 409,
  gateway_failed: 502,
  outcome_unknown: 502,
  bad_form: 400,
  bad_query: 400,
  failed: 500,
  store_unavailable: 503,
};

interface ProblemDetails {
  /** Where the way back leads, below the mount. */
  readonly back?: string;
  /** An error's own words. */
  readonly detail?: string;
  readonly headers?: Answer['headers'];
}

/** The status of a page with a problem. */
export const statusOf = (name: ProblemName): number => statuses[name];

/** A page that says why something is not shown or was not done. */
export function problemAnswer(
  visit: Visit,
  name: ProblemName,
  { back = '', detail = '', headers = {} }: ProblemDetails = {},
): Promise<Answer> {
  const { language } = visit;
  const texts = problemTexts[language];
  const { title, text } = texts[name];
  return pageAnswer(visit, {
    status: statuses[name],
    title: `${frameTexts[language].error}: ${title}`,
    headers,
    main: html`<section class="message" data-test="problem" data-problem="${name}">
      <h1>${title}</h1>
      <p>${text}</p>
      ${detail !== '' && html`<p class="muted" dir="auto">${detail}</p>`}
      <p><a class="button quiet" href="${linkTo(visit, back)}">${texts.back}</a></p>
    </section>`,
  });
}

/** What an error of a payments call means for a person; `null` for an error that is no such one. */
export function problemOf(error: unknown): ProblemName | null {
  if (error instanceof GatewayError) {
    return error.outcome === 'unknown' ? 'outcome_unknown' : 'gateway_failed';
  }
  return error instanceof PaymentsError ? (ofPayments[error.code] ?? 'refused') : null;
}

const ofPayments: Readonly<Partial<Record<PaymentsErrorCode, ProblemName>>> = {
  invalid_order: 'not_found',
  invalid_query: 'bad_query',
  outcome_not_recorded: 'outcome_unknown',
  store_unavailable: 'store_unavailable',
};
