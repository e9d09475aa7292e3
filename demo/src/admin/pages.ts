import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { html } from '@lit-labs/ssr';
import { backOffice, type BackOfficeOptions } from '@pay-button/server-helper/back-office';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { bodyFields, DAY_MS, formField, readCookie, readForm, setCookie } from '../http.ts';
import { orderSummary, stateLine } from '../pages/order.ts';
import {
  type Html,
  ownFormsOnly,
  type Page,
  selectField,
  sendErrorPage,
  sendPage,
  type View,
} from '../pages/page.ts';
import { catalog } from '../shop/catalog.ts';
import { canBePaid, type Shop } from '../shop/orders.ts';
import { chooseLanguage } from '../texts/language.ts';
import { textsIn } from '../texts/shop.ts';
import { type AdminOrder, findAdminOrder, isSame, problemOf, readSale } from './api.ts';

/** The person whom the one token lets in. What they do is stored with this name. */
const ACTOR = 'Shop admin';

/** The kit's back office behind the shop's sign-in, and beside it what only the shop knows. */
export function adminPages(shop: Shop): Router {
  const { payments, database } = shop;
  const { en, ar } = textsIn;
  const router = Router();
  router.use(ownFormsOnly(shop.publicUrl), oneLanguage, signInOnly(shop));
  router.get('/orders/:orderId', async (request, response, next) => {
    const { orderId } = request.params;
    const isUntried =
      (await payments.retrieve(orderId)) === null && (await database.findOrder(orderId)) !== null;
    // The back office knows payments; before the shopper first goes to pay there is none.
    if (isUntried) response.redirect(303, shopOrderPath(orderId));
    else next();
  });
  router.get('/shop-orders/:orderId', async (request, response) => {
    const { orderId } = request.params;
    const found = await findAdminOrder(shop, orderId);
    if (found === null) return sendErrorPage(request, response, 'notFound');
    sendPage(request, response, (view) => shopOrderPage(view, found, payments.payLink(orderId)));
  });
  router.post('/shop-orders/:orderId/sale', readForm, (request, response) =>
    sellByPhone(shop, request.params.orderId, request, response),
  );
  router.use(
    backOffice(payments, {
      actor: async (request) => ((await isSignedIn(shop, request)) ? ACTOR : null),
      describeOrder: describeOrder(shop),
      links: [
        { text: { en: en.admin.toShop, ar: ar.admin.toShop }, url: '/' },
        { text: { en: en.admin.signOut, ar: ar.admin.signOut }, url: '/admin/sign-out' },
      ],
      timeZone: 'Asia/Riyadh',
    }),
  );
  return router;
}

/** The back office speaks the language that the shop does, and its switch changes the shop's too. */
const oneLanguage: RequestHandler = (request, response, next) => {
  request.headers['accept-language'] = chooseLanguage(request, response);
  next();
};

/** The shop's own page of an order, for its admin. */
const shopOrderPath = (orderId: string): string => `/admin/shop-orders/${orderId}`;

/** Tells the back office what the shop knows of an order. */
function describeOrder({ database }: Shop): NonNullable<BackOfficeOptions['describeOrder']> {
  return async (orderId, language) => {
    const order = await database.findOrder(orderId);
    if (order === null) return null;
    const { admin } = textsIn[language];
    const { name, phone, email } = order.customer;
    const goods = order.lines.map(
      ({ sku, quantity }) => `${catalog.get(sku)?.name[language] ?? sku} × ${quantity}`,
    );
    const shipped = await database.countFulfilments(orderId);
    return {
      title: goods.join(language === 'ar' ? '، ' : ', '),
      customer: name,
      lines: [...goods, phone, email, shipped === 0 ? admin.notShipped : admin.shipped(shipped)],
      url: shopOrderPath(orderId),
    };
  };
}

/** An order before or beside its payment: the goods, the customer, and what leads to a payment. */
function shopOrderPage(view: View, { standing, explain }: AdminOrder, payLink: string): Page {
  const { texts } = view;
  const { orderId, customer } = standing.order;
  const payment = explain === null ? '/admin' : `/admin/orders/${orderId}`;
  const isPayable = canBePaid(standing);
  return {
    title: texts.order(orderId),
    body: html`<p>
        <a href=${payment}>${explain === null ? texts.admin.back : texts.admin.toPayment}</a>
      </p>
      <h1><bdi>${texts.order(orderId)}</bdi></h1>
      <div class="columns">
        ${orderSummary(view, standing)}
        <section class="panel" aria-labelledby="customer">
          <h2 id="customer">${texts.admin.customer}</h2>
          ${stateLine(view, standing)}
          <p>
            <bdi>${customer.name}</bdi><br /><bdi dir="ltr">${customer.phone}</bdi><br />
            <bdi dir="ltr">${customer.email}</bdi>
          </p>
          ${isPayable ? payLinkLine(view, payLink) : ''}
        </section>
        ${isPayable ? saleForm(view, orderId) : ''}
      </div>`,
  };
}

function payLinkLine({ texts: { admin } }: View, payLink: string): Html {
  return html`<p>
    ${admin.payLink}<br /><a class="pay-link" data-test="pay-link" dir="ltr" href=${payLink}
      >${payLink}</a
    >
  </p>`;
}

/** The test cards that the form offers, by name. */
const phoneCards: ReadonlyMap<string, string> = new Map([
  ['visa', '4111111111111111'],
  ['mada', '4201320111111010'],
  ['declined', '4201320000311101'],
  ['challenge', '4508750015741019'],
]);

/**
 * A server-to-server sale with a test card. It is the shop's own, since no page of a merchant may ask
 * for a card. The form bears a key, so that pressing twice asks for the same sale.
 */
function saleForm({ texts: { admin } }: View, orderId: string): Html {
  return html`<form method="post" action="${shopOrderPath(orderId)}/sale" class="panel sale">
    <h2>${admin.saleTitle}</h2>
    <p class="muted">${admin.saleText}</p>
    <input type="hidden" name="requestId" value="admin-${randomUUID()}" />
    ${selectField('sale-card', 'card', admin.card, Object.entries<string>(admin.cardNames))}
    ${selectField('sale-auth', 'auth', admin.how, [
      ['capture', admin.saleNow],
      ['authorize', admin.saleHold],
    ])}
    <label class="check"
      ><input type="checkbox" name="recurring" value="1" data-test="sale-recurring" />
      ${admin.keepToken}</label
    >
    <button class="small quiet" data-test="sale">${admin.sell}</button>
  </form>`;
}

/** Takes a test card by phone, and leads to the payment or to the issuer's page. */
async function sellByPhone(
  { database, payments, gatewayOrigins }: Shop,
  orderId: string,
  request: Request,
  response: Response,
): Promise<void> {
  if ((await database.findOrder(orderId)) === null) {
    return sendErrorPage(request, response, 'notFound');
  }
  const sale = readSale(
    bodyFields({
      auth: formField(request, 'auth'),
      card: { number: phoneCards.get(formField(request, 'card')) },
      recurringInit: formField(request, 'recurring') !== '',
      requestId: formField(request, 'requestId'),
    }),
  );
  if (sale === undefined) return sendErrorPage(request, response, 'badRequest');
  try {
    const { html: page } = await payments.sale(orderId, sale);
    if (page === null) return response.redirect(303, `/admin/orders/${orderId}`);
    // The gateway's own page may only run its script and post itself to the issuer.
    response.set(
      'Content-Security-Policy',
      `default-src 'none'; script-src 'unsafe-inline'; form-action ${gatewayOrigins.join(' ')}; base-uri 'none'; frame-ancestors 'none'`,
    );
    response.type('html').send(page);
  } catch (error) {
    if (problemOf(error) === undefined) throw error;
    sendErrorPage(request, response, 'badRequest');
  }
}

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
