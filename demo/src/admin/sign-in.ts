import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { html } from '@lit-labs/ssr';
import { type Request, type RequestHandler, Router } from 'express';
import { DAY_MS, formField, readCookie, readForm, setCookie } from '../http.ts';
import { type Page, sendPage, type View } from '../pages/page.ts';
import type { Shop } from '../shop/orders.ts';

const COOKIE = 'shop_admin';
const COOKIE_DAYS = 1;

/** Whether a browser has signed in as the admin. */
export function isSignedIn(shop: Shop, request: Request): Promise<boolean> {
  return shop.database.hasAdminSession(idOf(shop, readCookie(request, COOKIE)));
}

/** The stored id: no reader of the database has the cookie, and a new token ends all sessions. */
function idOf({ adminToken }: Shop, secret = ''): string {
  return createHmac('sha256', adminToken).update(secret).digest('base64url');
}

/** The way in and out. Everyone but the admin sees the sign-in page, at every address behind it. */
export function signInOnly(shop: Shop): Router {
  const router = Router();
  router.post('/sign-in', readForm, signIn(shop));
  // On the server, so that a copy of the cookie opens nothing any more.
  router.post('/sign-out', async (request, response) => {
    await shop.database.endAdminSession(idOf(shop, readCookie(request, COOKIE)));
    response.clearCookie(COOKIE, { path: '/' }).redirect(303, '/admin');
  });
  router.use(async (request, response, next) => {
    response.set('Cache-Control', 'no-store');
    if (await isSignedIn(shop, request)) return next();
    // Status 200: browsers report an error status on their console.
    sendPage(request, response, (view) => signInPage(view, request.originalUrl));
  });
  router.get('/sign-in', (_request, response) => response.redirect(303, '/admin'));
  router.get('/sign-out', (request, response) => sendPage(request, response, signOutPage));
  return router;
}

/** Checks the token, and leads to the requested page. */
function signIn(shop: Shop): RequestHandler {
  return async (request, response) => {
    const next = formField(request, 'next');
    if (!isSame(formField(request, 'token').trim(), shop.adminToken)) {
      return sendPage(request, response, (view) => signInPage(view, next, true));
    }
    const secret = randomBytes(32).toString('base64url');
    const endsAt = new Date(Date.now() + COOKIE_DAYS * DAY_MS);
    await shop.database.saveAdminSession(idOf(shop, secret), endsAt);
    setCookie(response, COOKIE, secret, COOKIE_DAYS);
    response.redirect(303, /^\/admin(?:[/?][\w/?=&.%-]*)?$/.test(next) ? next : '/admin');
  };
}

function signInPage({ texts: { admin } }: View, next: string, isWrong = false): Page {
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

function signOutPage({ texts: { admin } }: View): Page {
  return {
    title: admin.signOut,
    body: html`<section class="message">
      <h1>${admin.signOut}</h1>
      <p>${admin.signOutText}</p>
      <form method="post" action="/admin/sign-out">
        <button data-test="admin-sign-out">${admin.signOut}</button>
      </form>
      <p><a href="/admin">${admin.back}</a></p>
    </section>`,
  };
}

/** Whether a program sent the admin's token, as `Authorization: Bearer <token>`. */
export function bearsAdminToken(request: Request, adminToken: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  return isSame(given, adminToken);
}

/** Compares secrets in a time that says nothing about them. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
