import { html } from '@lit-labs/ssr';
import type { NextFunction, Request, Response } from 'express';
import { adminSession, isAdminSession, isAdminToken } from '../admin/admin-token.ts';
import { readCookie, setCookie } from '../http/cookies.ts';
import { formField } from '../pages/form-field.ts';
import { type Page, sendPage, type View, viewFor } from '../pages/page.ts';

const COOKIE = 'shop_admin';
const COOKIE_DAYS = 1;

/** Whether a browser has signed in as the admin. */
export function isSignedIn(request: Request, adminToken: string): boolean {
  return isAdminSession(readCookie(request, COOKIE), adminToken);
}

/** Lets the admin through; everybody else gets the page to sign in on. */
export function signedInOnly(adminToken: string) {
  return (request: Request, response: Response, next: NextFunction): void => {
    response.set('Cache-Control', 'no-store');
    if (isSignedIn(request, adminToken)) return next();
    const view = viewFor(request, response);
    // An ordinary page: a status of refusal would stand in the browser's console as a fault.
    sendPage(response, 200, view, signInPage(view, { next: request.originalUrl, isWrong: false }));
  };
}

/** Takes the token, and leads to the page that was asked for. */
export function signIn(adminToken: string) {
  return (request: Request, response: Response): void => {
    const next = formField(request, 'next');
    if (isAdminToken(formField(request, 'token').trim(), adminToken)) {
      setCookie(response, COOKIE, adminSession(adminToken), COOKIE_DAYS);
      response.redirect(303, /^\/admin(?:[/?][\w/?=&.%-]*)?$/.test(next) ? next : '/admin');
      return;
    }
    const view = viewFor(request, response);
    sendPage(response, 200, { ...view, path: '/admin' }, signInPage(view, { next, isWrong: true }));
  };
}

/** Forgets who was signed in. */
export function signOut(_request: Request, response: Response): void {
  response.clearCookie(COOKIE, { path: '/' });
  response.redirect(303, '/admin');
}

function signInPage(
  { texts: { admin } }: View,
  { next, isWrong }: { readonly next: string; readonly isWrong: boolean },
): Page {
  return {
    title: admin.signInTitle,
    body: html`<section class="message">
      <h1>${admin.signInTitle}</h1>
      <form method="post" action="/admin/sign-in" class="panel sign-in">
        <input type="hidden" name="next" value=${next} />
        ${isWrong ? html`<p class="complaints" role="alert">${admin.wrongToken}</p>` : ''}
        <div class="field">
          <label for="token">${admin.token}</label>
          <input
            id="token"
            name="token"
            type="password"
            autocomplete="current-password"
            required
            dir="ltr"
            data-test="admin-token"
            aria-invalid=${isWrong ? 'true' : 'false'}
            aria-describedby="token-note"
          />
          <span class="muted" id="token-note">${admin.signInText}</span>
        </div>
        <button data-test="admin-sign-in">${admin.signIn}</button>
      </form>
    </section>`,
  };
}
