import type { Request, Response, Router } from 'express';
import { alertBox, field, selectField } from '../furniture.ts';
import { formField, leaveFor, readForm } from '../form.ts';
import { html } from '../html.ts';
import { languageOf } from '../language.ts';
import type { Language } from '../language.ts';
import { sendPage } from '../page.ts';
import type { Page } from '../page.ts';
import { callApi, complaintOf, textOf } from './call-api.ts';
import { mainButton, sectionAddress } from './dashboard-page.ts';
import { signInAddress } from './page-routes.ts';
import type { DashboardContext } from './page-routes.ts';
import { forgetSignIn, isOwnForm, keepSignIn, signInOf } from './sign-in.ts';
import { dashboardTexts } from './texts.ts';

/** Signing in with the portal's login (§5.4, N16), and out. */
export function addSignInRoutes(router: Router, { parts }: DashboardContext): void {
  router.get('/dashboard', (request, response) => {
    leaveFor(response, sectionAddress('transactions', languageOf(request)));
  });
  router.get('/dashboard/sign-in', (request, response) => {
    const language = languageOf(request);
    const complaint = request.query['ended'] === '1' ? dashboardTexts[language].signedOut : null;
    sendPage(response, signInPage(language, complaint, ''));
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
  parts: DashboardContext['parts'],
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
    sendPage(response, signInPage(language, complaintOf(answer), username));
    return;
  }
  keepSignIn(parts, response, { environment, token });
  leaveFor(response, sectionAddress('transactions', language));
}

/** The portal's login as a page. `complaint` is the API's answer to the last attempt. */
function signInPage(language: Language, complaint: string | null, username: string): Page {
  const texts = dashboardTexts[language];
  const main = html`<main class="stack sign-in">
    <h1>${texts.signIn}</h1>
    ${complaint !== null && alertBox('refused', complaint)}
    <form method="post" action="/dashboard/sign-in?lang=${language}" class="panel stack">
      ${field({
        id: 'username',
        label: texts.username,
        input: html`name="username" dir="ltr" required autocomplete="username" value="${username}"
        data-test="username"`,
      })}
      ${field({
        id: 'password',
        label: texts.password,
        input: html`name="password" type="password" dir="ltr" required
        autocomplete="current-password" data-test="password"`,
      })}
      ${selectField({
        id: 'environment',
        name: 'environment',
        label: texts.environment,
        options: Object.entries(texts.environments),
      })}
      ${mainButton('sign-in', texts.signInButton)}
    </form>
    <p class="soft">${texts.signInHint} <a href="/_sandbox?lang=${language}">/_sandbox</a></p>
  </main>`;
  return { language, title: texts.signIn, main, path: '/dashboard', isTool: true };
}
