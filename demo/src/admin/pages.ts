import { randomUUID } from 'node:crypto';
import { html } from '@lit-labs/ssr';
import { backOffice, type BackOfficeOptions } from '@pay-button/server-helper/back-office';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { bodyFields, formField, readForm } from '../http.ts';
import { orderSummary, stateLine } from '../pages/order.ts';
import {
  type Html,
  ownFormsOnly,
  type Page,
  sendErrorPage,
  sendPage,
  type View,
} from '../pages/page.ts';
import { findProduct } from '../shop/catalog.ts';
import { canBePaid, type Shop } from '../shop/orders.ts';
import { chooseLanguage } from '../texts/language.ts';
import { textsIn } from '../texts/shop.ts';
import { type AdminOrder, findAdminOrder, problemOf, readSale } from './api.ts';
import { isSignedIn, signInOnly } from './sign-in.ts';

/** The person whom the one token lets in. What they do is stored with this name. */
const ACTOR = 'Shop admin';

/** The kit's back office behind the shop's sign-in, and beside it what only the shop knows. */
export function adminPages(shop: Shop): Router {
  const { payments, database } = shop;
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
    const payLink = payments.payLink(orderId);
    sendPage(request, response, (view) => shopOrderPage(view, found, payLink));
  });
  router.post('/shop-orders/:orderId/sale', readForm, async (request, response) => {
    await sellByPhone(shop, request.params.orderId, request, response);
  });
  router.use(
    backOffice(payments, {
      actor: async (request) => ((await isSignedIn(shop, request)) ? ACTOR : null),
      describeOrder: describeOrder(shop),
      links: [
        { text: { en: textsIn.en.admin.toShop, ar: textsIn.ar.admin.toShop }, url: '/' },
        {
          text: { en: textsIn.en.admin.signOut, ar: textsIn.ar.admin.signOut },
          url: '/admin/sign-out',
        },
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
      ({ sku, quantity }) => `${findProduct(sku)?.name[language] ?? sku} × ${quantity}`,
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
    <div class="field">
      <label for="card">${admin.card}</label>
      <select id="card" name="card" data-test="sale-card">
        ${Object.entries<string>(admin.cardNames).map(
          ([name, label]) => html`<option value=${name}>${label}</option>`,
        )}
      </select>
    </div>
    <div class="field">
      <label for="auth">${admin.how}</label>
      <select id="auth" name="auth" data-test="sale-auth">
        <option value="capture">${admin.saleNow}</option>
        <option value="authorize">${admin.saleHold}</option>
      </select>
    </div>
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
