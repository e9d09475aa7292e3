import type { Request, RequestHandler, Response } from 'express';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { formField } from '../form.ts';
import { languageOf } from '../language.ts';
import { leaveFor } from '../leave.ts';
import { sendPage } from '../send-page.ts';
import type { Page } from '../send-page.ts';
import { callPortal, complaintOf, textOf } from './call-api.ts';
import type { ApiAnswer, ApiCall } from './call-api.ts';
import type { DoneKind, Section } from './labels.ts';
import type { Notices } from './notices.ts';
import { sectionAddress } from './shell.ts';
import type { Desk } from './shell.ts';
import { forgetSignIn, isOwnForm, signInOf } from './sign-in.ts';
import type { SignedIn } from './sign-in.ts';

/** What the dashboard's routes work with. */
export interface DeskContext {
  readonly parts: SandboxParts;
  readonly notices: Notices;
}

/** A form of the dashboard, as the API call that carries it out. */
export interface DeskForm {
  readonly section: Section;
  /** Where the browser goes from here; the section's own page unless told. */
  readonly back?: (request: Request) => string;
  readonly call: (request: Request, signedIn: SignedIn) => ApiCall;
  /** Who makes the call; the portal's token unless told. */
  readonly send?: (context: DeskContext, signedIn: SignedIn, call: ApiCall) => Promise<ApiAnswer>;
  readonly done: DoneKind;
  /** The answer's field that is told once. */
  readonly secret?: string;
}

/** A page of the dashboard: for whoever is signed in, from what the API answers. */
export function deskPage(
  context: DeskContext,
  render: (desk: Desk, request: Request) => Promise<Page | ApiAnswer>,
): RequestHandler {
  return async (request, response) => {
    const signedIn = signInOf(context.parts, request);
    if (signedIn === null) {
      leaveFor(response, signInAddress(request));
      return;
    }
    const { parts, notices } = context;
    const desk = { parts, signedIn, language: languageOf(request), notice: notices.take(signedIn) };
    const page = await render(desk, request);
    if ('status' in page) endSession(context, request, response);
    else sendPage(response, page);
  };
}

/** A section that is one list of the portal. */
export function listPage(
  context: DeskContext,
  path: string,
  render: (desk: Desk, answer: ApiAnswer) => Page,
): RequestHandler {
  return deskPage(context, async (desk) => {
    const answer = await callPortal(desk.parts, desk.signedIn, { method: 'GET', path });
    if (answer.status === 401) return answer;
    const complaint = complaintOf(answer);
    const refused = { ...desk, notice: { kind: 'refused', complaint } } as const;
    return render(answer.status === 200 ? desk : refused, answer);
  });
}

/** A form: carried out by the API, and what it answered is told on the next page. */
export function deskForm(context: DeskContext, form: DeskForm): RequestHandler {
  return async (request, response) => {
    const { parts, notices } = context;
    const signedIn = signInOf(parts, request);
    if (signedIn === null) {
      leaveFor(response, signInAddress(request));
      return;
    }
    const language = languageOf(request);
    const back = form.back?.(request) ?? sectionAddress(form.section, language);
    if (!isOwnForm(signedIn, formField(request, 'formToken'))) {
      notices.leave(signedIn, { kind: 'foreign-form' });
      leaveFor(response, back);
      return;
    }
    const send = form.send ?? sendToPortal;
    const answer = await send(context, signedIn, form.call(request, signedIn));
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

function sendToPortal({ parts }: DeskContext, signedIn: SignedIn, call: ApiCall) {
  return callPortal(parts, signedIn, call);
}

/** The token is no longer good: whoever held it signs in again (§5.4). */
function endSession({ parts }: DeskContext, request: Request, response: Response): void {
  forgetSignIn(parts, response);
  leaveFor(response, signInAddress(request, '&ended=1'));
}
