import { createHash, timingSafeEqual } from 'node:crypto';
import { html } from '@lit-labs/ssr';
import type { NextFunction, Request, Response } from 'express';
import { formField } from '../http/body.ts';
import { type Page, sendPage, type View, viewFor } from '../pages/page.ts';
import { type AdminSessionParts, beginSession, endSession, isSignedIn } from './admin-sessions.ts';

/** Shows the sign-in page to everyone but the admin. */
export function signedInOnly(parts: AdminSessionParts) {
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    response.set('Cache-Control', 'no-store');
    if (await isSignedIn(parts, request)) return next();
    const view = viewFor(request, response);
    // Status 200: browsers report an error status on their console.
    sendPage(response, 200, view, signInPage(view, { next: request.originalUrl, isWrong: false }));
  };
}

/** Checks the token, and leads to the requested page. */
export function signIn(parts: AdminSessionParts) {
  return async (request: Request, response: Response): Promise<void> => {
    const next = formField(request, 'next');
    if (isSame(formField(request, 'token').trim(), parts.adminToken)) {
      await beginSession(parts, response);
      response.redirect(303, /^\/admin(?:[/?][\w/?=&.%-]*)?$/.test(next) ? next : '/admin');
      return;
    }
    const view = viewFor(request, response);
    sendPage(response, 200, { ...view, path: '/admin' }, signInPage(view, { next, isWrong: true }));
  };
}

/** Ends the session. */
export function signOut(parts: AdminSessionParts) {
  return async (request: Request, response: Response): Promise<void> => {
    await endSession(parts, request, response);
    response.redirect(303, '/admin');
  };
}

function signInPage(
  { texts: { admin } }: View,
  { next, isWrong }: { readonly next: string; readonly isWrong: boolean },
): Page {
  return {
    title: admin.title,
    body: html`<section class="message">
      <h1>${admin.title}</h1>
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

/** Whether a program sent the admin's token, as `Authorization: Bearer <token>`. */
export function bearsAdminToken(request: Request, adminToken: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  return isSame(given, adminToken);
}

/** Compares secrets in a time that says nothing about them. */
function isSame(given: string | undefined, wanted: string): boolean {
  return given !== undefined && timingSafeEqual(digest(given), digest(wanted));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
