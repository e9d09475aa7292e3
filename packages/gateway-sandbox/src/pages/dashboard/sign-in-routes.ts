import type { Request, Response, Router } from 'express';
import { formField, readForm } from '../form.ts';
import { languageOf } from '../language.ts';
import { leaveFor } from '../leave.ts';
import { sendPage } from '../send-page.ts';
import { callApi, complaintOf, textOf } from './call-api.ts';
import { signInAddress } from './desk-routes.ts';
import type { DeskContext } from './desk-routes.ts';
import { dashboardLabels } from './labels.ts';
import { sectionAddress } from './shell.ts';
import { forgetSignIn, isOwnForm, keepSignIn, signInOf } from './sign-in.ts';
import { signInPage } from './sign-in-page.ts';

/** Signing in with the portal's login (§5.4, N16), and out. */
export function addSignInRoutes(router: Router, { parts }: DeskContext): void {
  router.get('/dashboard', (request, response) => {
    leaveFor(response, sectionAddress('transactions', languageOf(request)));
  });
  router.get('/dashboard/sign-in', (request, response) => {
    const language = languageOf(request);
    const complaint = request.query['ended'] === '1' ? dashboardLabels[language].signedOut : null;
    sendPage(response, signInPage(language, { complaint, username: '' }));
  });
  router.post('/dashboard/sign-in', readForm, async (request, response) => {
    await signIn(parts, request, response);
  });
  router.post('/dashboard/sign-out', readForm, (request, response) => {
    const signedIn = signInOf(parts, request);
    if (signedIn !== null && isOwnForm(signedIn, formField(request, 'formToken'))) {
      forgetSignIn(parts, response);
    }
    leaveFor(response, signInAddress(request));
  });
}

async function signIn(
  parts: DeskContext['parts'],
  request: Request,
  response: Response,
): Promise<void> {
  const language = languageOf(request);
  const environment = formField(request, 'environment') === 'production' ? 'production' : 'staging';
  const username = formField(request, 'username');
  const answer = await callApi(parts, environment, {
    method: 'POST',
    path: '/auth/login',
    body: { username, password: formField(request, 'password') },
  });
  const token = textOf(answer.body, 'accessToken');
  if (answer.status !== 200 || token === '') {
    sendPage(response, signInPage(language, { complaint: complaintOf(answer), username }));
    return;
  }
  keepSignIn(parts, response, { environment, token });
  leaveFor(response, sectionAddress('transactions', language));
}
