import { html } from '@lit-labs/ssr';
import { backOffice } from '@pay-button/server-helper/back-office';
import { type NextFunction, type Request, type Response, Router, urlencoded } from 'express';
import { ownFormsOnly, type Page, sendPage, type View, viewFor } from '../pages/page.ts';
import { chooseLanguage, textsIn } from '../texts/language.ts';
import { type AdminSessionParts, isSignedIn } from './admin-sessions.ts';
import { describeOrder, shopOrderPath } from './describe-order.ts';
import { type ShopOrderParts, sellByPhone, sendShopOrder } from './shop-order.ts';
import { signedInOnly, signIn, signOut } from './sign-in.ts';

/** What the admin's pages work with. */
export interface AdminPagesParts extends ShopOrderParts {
  readonly database: ShopOrderParts['database'] & AdminSessionParts['database'];
  readonly publicUrl: string;
}

/** The person whom the one token lets in. What they do is stored with this name. */
const ACTOR = 'Shop admin';

/** The kit's back office behind the shop's sign-in, and beside it what only the shop knows. */
export function adminPages(parts: AdminPagesParts): Router {
  const { payments, database } = parts;
  const router = Router();
  const form = urlencoded({ extended: false, limit: '16kb' });
  router.use(ownFormsOnly(parts.publicUrl), oneLanguage);
  router.post('/sign-in', form, signIn(parts));
  router.post('/sign-out', signOut(parts));
  router.use(signedInOnly(parts));
  router.get('/sign-in', (_request, response) => response.redirect(303, '/admin'));
  router.get('/sign-out', (request, response) => {
    const view = viewFor(request, response);
    sendPage(response, 200, view, signOutPage(view));
  });
  router.get('/shop-orders/:orderId', sendShopOrder(parts));
  router.post('/shop-orders/:orderId/sale', form, sellByPhone(parts));
  router.get('/orders/:orderId', async (request, response, next) => {
    const { orderId } = request.params;
    const isUntried =
      (await payments.retrieve(orderId)) === null && (await database.findOrder(orderId)) !== null;
    // The back office knows payments; before the shopper first goes to pay there is none.
    if (isUntried) response.redirect(303, shopOrderPath(orderId));
    else next();
  });
  router.use(
    backOffice(payments, {
      actor: async (request) => ((await isSignedIn(parts, request)) ? ACTOR : null),
      describeOrder: describeOrder(database),
      links: [
        { text: textsOf('toShop'), url: '/' },
        { text: textsOf('signOut'), url: '/admin/sign-out' },
      ],
      timeZone: 'Asia/Riyadh',
    }),
  );
  return router;
}

/** The back office speaks the language that the shop does, and its switch changes the shop's too. */
function oneLanguage(request: Request, response: Response, next: NextFunction): void {
  request.headers['accept-language'] = chooseLanguage(request, response);
  next();
}

function textsOf(name: 'toShop' | 'signOut') {
  return { en: textsIn.en.admin[name], ar: textsIn.ar.admin[name] };
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
