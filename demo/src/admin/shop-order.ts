import { html } from '@lit-labs/ssr';
import type { Request, Response } from 'express';
import { bodyFields, formField } from '../http/body.ts';
import { canBePaid } from '../orders/order.ts';
import { orderSummary, stateLine } from '../pages/order-parts.ts';
import {
  type Html,
  type Page,
  sendErrorPage,
  sendPage,
  type View,
  viewFor,
} from '../pages/page.ts';
import type { AdminParts } from './admin-api.ts';
import { type AdminOrder, findAdminOrder } from './admin-orders.ts';
import { problemOf } from './admin-problem.ts';
import { readSale } from './money-verbs.ts';
import { phoneCards, saleForm } from './sale-form.ts';

/** What the shop's own pages of orders work with. */
export interface ShopOrderParts extends AdminParts {
  /** Where 3-D Secure pages may lead. */
  readonly gatewayOrigins: readonly string[];
}

type OrderRequest = Request<{ orderId: string }>;

/** Shows the shop's own record of an order. */
export function sendShopOrder(parts: ShopOrderParts) {
  return async (request: OrderRequest, response: Response): Promise<void> => {
    const found = await findAdminOrder(parts, request.params.orderId);
    if (found === null) return sendErrorPage(request, response, 'notFound');
    const view = viewFor(request, response);
    sendPage(response, 200, view, shopOrderPage(view, found));
  };
}

/** An order before or beside its payment: the goods, the customer, and what leads to a payment. */
function shopOrderPage(view: View, found: AdminOrder): Page {
  const { texts } = view;
  const { standing, explain } = found;
  const { orderId, customer } = standing.order;
  const payment = explain === null ? '/admin' : `/admin/orders/${orderId}`;
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
          ${canBePaid(standing) ? payLinkLine(view, found) : ''}
        </section>
        ${canBePaid(standing) ? saleForm(view, orderId) : ''}
      </div>`,
  };
}

function payLinkLine({ texts: { admin } }: View, { payLink }: AdminOrder): Html {
  return html`<p>
    ${admin.payLink}<br /><a class="pay-link" data-test="pay-link" dir="ltr" href=${payLink}
      >${payLink}</a
    >
  </p>`;
}

/** Takes a test card by phone, and leads to the payment or to the issuer's page. */
export function sellByPhone(parts: ShopOrderParts) {
  return async (request: OrderRequest, response: Response): Promise<void> => {
    const { orderId } = request.params;
    if ((await parts.database.findOrder(orderId)) === null) {
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
      sendSale(parts, orderId, response, await parts.payments.sale(orderId, sale));
    } catch (error) {
      if (problemOf(error) === undefined) throw error;
      sendErrorPage(request, response, 'badRequest');
    }
  };
}

function sendSale(
  { gatewayOrigins }: ShopOrderParts,
  orderId: string,
  response: Response,
  { html: page }: { readonly html: string | null },
): void {
  if (page === null) return response.redirect(303, `/admin/orders/${orderId}`);
  // The gateway's own page may only run its script and post itself to the issuer.
  response.set(
    'Content-Security-Policy',
    `default-src 'none'; script-src 'unsafe-inline'; form-action ${gatewayOrigins.join(' ')}; base-uri 'none'; frame-ancestors 'none'`,
  );
  response.type('html').send(page);
}
