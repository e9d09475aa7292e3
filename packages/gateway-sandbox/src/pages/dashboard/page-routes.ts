import type { Request, RequestHandler, Response } from 'express';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { formField, leaveFor } from '../form.ts';
import { languageOf } from '../language.ts';
import { sendPage } from '../page.ts';
import type { Page } from '../page.ts';
import { callPortal, complaintOf, textOf } from './call-api.ts';
import type { ApiAnswer, ApiCall } from './call-api.ts';
import { sectionAddress } from './dashboard-page.ts';
import type { Notice, View } from './dashboard-page.ts';
import { forgetSignIn, isOwnForm, signInOf } from './sign-in.ts';
import type { SignedIn } from './sign-in.ts';
import type { DoneKind, Section } from './texts.ts';

/** The largest number of sign-ins with a notice that was not shown yet. */
const mostWaiting = 1000;

/**
 * Keeps the result of a form for the next page, which shows it once. A secret in it is deleted from
 * here as soon as it was shown.
 */
export class Notices {
  readonly #waiting = new Map<string, Notice>();

  leave({ token }: SignedIn, notice: Notice): void {
    this.#waiting.delete(token);
    this.#waiting.set(token, notice);
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size > mostWaiting && oldest !== undefined) this.#waiting.delete(oldest);
  }

  take({ token }: SignedIn): Notice | null {
    const notice = this.#waiting.get(token) ?? null;
    this.#waiting.delete(token);
    return notice;
  }
}

/** The dependencies of the dashboard's routes. */
export interface DashboardContext {
  readonly parts: SandboxParts;
  readonly notices: Notices;
}

/** A form of the dashboard, as the API call that carries it out. */
export interface FormRoute {
  readonly section: Section;
  /** The address after the form; the section's own page by default. */
  readonly back?: (request: Request) => string;
  readonly call: (request: Request) => ApiCall;
  /** Makes the call; by default with the portal's token. */
  readonly send?: (
    context: DashboardContext,
    signedIn: SignedIn,
    call: ApiCall,
  ) => Promise<ApiAnswer>;
  readonly done: DoneKind;
  /** The answer's field that is shown once. */
  readonly secret?: string;
}

/** A page of the dashboard for a signed-in merchant, made from the API's answer. */
export function pageRoute(
  context: DashboardContext,
  render: (view: View, request: Request) => Promise<Page | ApiAnswer>,
): RequestHandler {
  return async (request, response) => {
    const signedIn = signInOf(context.parts, request);
    if (signedIn === null) {
      leaveFor(response, signInAddress(request));
      return;
    }
    const { parts, notices } = context;
    const view = { parts, signedIn, language: languageOf(request), notice: notices.take(signedIn) };
    const page = await render(view, request);
    if ('status' in page) endSession(context, request, response);
    else sendPage(response, page);
  };
}

/** A section that is one list of the portal. */
export function listRoute(
  context: DashboardContext,
  path: string,
  render: (view: View, answer: ApiAnswer) => Page,
): RequestHandler {
  return pageRoute(context, async (view) => {
    const answer = await callPortal(view.parts, view.signedIn, { method: 'GET', path });
    if (answer.status === 401) return answer;
    const complaint = complaintOf(answer);
    const refused = { ...view, notice: { kind: 'refused', complaint } } as const;
    return render(answer.status === 200 ? view : refused, answer);
  });
}

/** A form: the API carries it out, and the next page shows the API's answer. */
export function formRoute(context: DashboardContext, form: FormRoute): RequestHandler {
  return async (request, response) => {
    const { parts, notices } = context;
    const signedIn = signInOf(parts, request);
    if (signedIn === null) {
      leaveFor(response, signInAddress(request));
      return;
    }
    const back = form.back?.(request) ?? sectionAddress(form.section, languageOf(request));
    if (!isOwnForm(signedIn, formField(request, 'formToken'))) {
      notices.leave(signedIn, { kind: 'foreign-form' });
      leaveFor(response, back);
      return;
    }
    const call = form.call(request);
    const answer = await (form.send?.(context, signedIn, call) ??
      callPortal(parts, signedIn, call));
    if (answer.status === 401) {
      endSession(context, request, response);
      return;
    }
    const secret = form.secret === undefined ? '' : textOf(answer.body, form.secret);
    notices.leave(
      signedIn,
      answer.status < 300
        ? { kind: 'done', what: form.done, ...(secret === '' ? {} : { secret }) }
        : { kind: 'refused', complaint: complaintOf(answer) },
    );
    leaveFor(response, back);
  };
}

export function signInAddress(request: Request, more = ''): string {
  return `/dashboard/sign-in?lang=${languageOf(request)}${more}`;
}

/** The portal's token is no longer valid, so the merchant signs in again (§5.4). */
function endSession({ parts }: DashboardContext, request: Request, response: Response): void {
  forgetSignIn(parts, response);
  leaveFor(response, signInAddress(request, '&ended=1'));
}
