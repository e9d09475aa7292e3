import { randomUUID } from 'node:crypto';
import { html } from '@lit-labs/ssr';
import type {
  Explanation,
  MoneyOperation,
  PaymentState,
  SaleOperation,
} from '@pay-button/server-helper';
import { type Request, type Response, Router } from 'express';
import type { AdminOrder } from '../admin/admin-orders.ts';
import { moneyVerbs, readSale } from '../admin/money-verbs.ts';
import { decimal, halalasOf } from '../catalog/halalas.ts';
import { bodyFields, formField } from '../http/body.ts';
import type { OrderStanding } from '../orders/order.ts';
import { type Html, sendErrorPage, type View } from '../pages/page.ts';
import type { AdminPagesParts } from './admin-frame.ts';

/** The test cards that an admin can take by phone. */
const phoneCards = {
  visa: '4111111111111111',
  mada: '4201320111111010',
  declined: '4201320000311101',
  challenge: '4508750015741019',
} as const;

const refundable: ReadonlySet<PaymentState> = new Set([
  'paid',
  'captured',
  'partially_refunded',
  'paid_late',
]);
const sellable: ReadonlySet<PaymentState> = new Set(['unpaid', 'pending', 'failed', 'expired']);

/**
 * The money operations that an order's state allows. Each form bears a key of its own, so that
 * pressing twice asks for the same operation.
 */
export function moneyForms(view: View, found: AdminOrder, hasToken: boolean): Html {
  const { admin } = view.texts;
  const { standing, explain } = found;
  const { state, cancelled } = standing;
  const forms = [
    ...(refundable.has(state) ? [refundForm(view, standing, leftToRefund(standing, explain))] : []),
    ...(state === 'authorized' ? [captureForm(view, standing), voidForm(view, standing)] : []),
    ...(hasToken ? [recurringForm(view, standing)] : []),
    ...(sellable.has(state) && !cancelled ? [saleForm(view, standing)] : []),
  ];
  return html`<section class="panel money" aria-labelledby="money">
    <h2 id="money">${admin.actions}</h2>
    ${forms.length === 0 ? html`<p class="muted">${admin.noActions}</p>` : forms}
  </section>`;
}

/** The amount that can still be refunded, of the captured amount, as a decimal string. */
function leftToRefund({ order, refunded }: OrderStanding, explain: Explanation | null): string {
  const capture = explain?.operations.findLast(
    ({ kind, state }) => kind === 'capture' && state === 'succeeded',
  );
  const taken = capture === undefined ? order.halalas : halalasOf(capture.amount);
  return decimal(Math.max(0, taken - halalasOf(refunded)));
}

function refundForm(view: View, standing: OrderStanding, left: string): Html {
  const { admin } = view.texts;
  return html`<form method="post" action=${addressOf(standing, 'refund')}>
    <h3>${admin.refundTitle}</h3>
    ${amountField(view, 'refund', left)}
    <button class="small" data-test="refund">${admin.refund}</button>
  </form>`;
}

function captureForm(view: View, standing: OrderStanding): Html {
  const { admin } = view.texts;
  return html`<form method="post" action=${addressOf(standing, 'capture')}>
    <h3>${admin.captureTitle}</h3>
    <p class="muted">${admin.captureText}</p>
    ${key()} ${amountField(view, 'capture', decimal(standing.order.halalas))}
    <button class="small" data-test="capture">${admin.capture}</button>
  </form>`;
}

function voidForm({ texts: { admin } }: View, standing: OrderStanding): Html {
  return html`<form method="post" action=${addressOf(standing, 'void')}>
    <h3>${admin.voidTitle}</h3>
    <p class="muted">${admin.voidText}</p>
    ${key()}
    <button class="small quiet" data-test="void">${admin.void}</button>
  </form>`;
}

function recurringForm(view: View, standing: OrderStanding): Html {
  const { admin } = view.texts;
  const period = new Date().toISOString().slice(0, 7);
  return html`<form method="post" action=${addressOf(standing, 'recurring')}>
    <h3>${admin.recurringTitle}</h3>
    <p class="muted">${admin.recurringText}</p>
    ${amountField(view, 'recurring', decimal(standing.order.halalas))}
    <div class="field">
      <label for="period">${admin.period}</label>
      <input id="period" name="periodKey" value=${period} required dir="ltr" data-test="period" />
    </div>
    <button class="small quiet" data-test="recurring">${admin.charge}</button>
  </form>`;
}

function saleForm({ texts: { admin } }: View, standing: OrderStanding): Html {
  return html`<form method="post" action=${addressOf(standing, 'sale')}>
    <h3>${admin.saleTitle}</h3>
    <p class="muted">${admin.saleText}</p>
    ${key()}
    <div class="field">
      <label for="card">${admin.card}</label>
      <select id="card" name="card" data-test="sale-card">
        ${Object.keys(phoneCards).map(
          (name) =>
            html`<option value=${name}>
              ${admin.cardNames[name as keyof typeof phoneCards]}
            </option>`,
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

function amountField({ texts: { admin } }: View, name: string, amount: string): Html {
  return html`<div class="field">
    <label for="${name}-amount">${admin.amount}</label>
    <input
      id="${name}-amount"
      name="amount"
      value=${amount}
      inputmode="decimal"
      required
      dir="ltr"
      autocomplete="off"
      data-test="${name}-amount"
    />
  </div>`;
}

function key(): Html {
  return html`<input type="hidden" name="requestId" value="admin-${randomUUID()}" />`;
}

function addressOf({ order }: OrderStanding, verb: string): string {
  return `/admin/orders/${order.orderId}/${verb}`;
}

type OrderRequest = Request<{ orderId: string }>;

/** The forms that move money. Each does so once and leads back to the order. */
export function moneyActions(parts: AdminPagesParts): Router {
  const { database, payments } = parts;
  const router = Router();
  for (const [name, verb] of Object.entries(moneyVerbs(payments))) {
    // A refund is confirmed on a page of its own first.
    const path = name === 'refund' ? 'refund/confirmed' : name;
    router.post(`/orders/:orderId/${path}`, async (request: OrderRequest, response) => {
      const { orderId } = request.params;
      if ((await database.findOrder(orderId)) === null) {
        return sendErrorPage(request, response, 'notFound');
      }
      const operation = await verb(orderId, bodyFields(request.body));
      response.redirect(303, `/admin/orders/${orderId}?done=${noticeOf(operation)}`);
    });
  }
  router.post('/orders/:orderId/sale', (request: OrderRequest, response) =>
    sell(parts, request, response),
  );
  return router;
}

async function sell(
  { database, payments, gatewayOrigins }: AdminPagesParts,
  request: OrderRequest,
  response: Response,
): Promise<void> {
  const { orderId } = request.params;
  const card = formField(request, 'card');
  const number = Object.entries(phoneCards).find(([name]) => name === card)?.[1];
  const sale = readSale(
    bodyFields({
      auth: formField(request, 'auth'),
      card: { number },
      recurringInit: formField(request, 'recurring') !== '',
      requestId: formField(request, 'requestId'),
    }),
  );
  const isThere = (await database.findOrder(orderId)) !== null;
  if (!isThere) return sendErrorPage(request, response, 'notFound');
  if (sale === undefined) return sendErrorPage(request, response, 'badRequest');
  const made = await payments.sale(orderId, sale);
  if (made.html === null) {
    response.redirect(303, `/admin/orders/${orderId}?done=${noticeOfSale(made)}`);
    return;
  }
  // The gateway's own page may only run its script and post itself to the issuer.
  response.set(
    'Content-Security-Policy',
    `default-src 'none'; script-src 'unsafe-inline'; form-action ${gatewayOrigins.join(' ')}; base-uri 'none'; frame-ancestors 'none'`,
  );
  response.type('html').send(made.html);
}

function noticeOf({ kind, state, reason }: MoneyOperation): string {
  if (state === 'unknown') return 'unknown';
  if (state === 'failed') return reason === 'declined' ? 'declined' : 'refused';
  return kind;
}

function noticeOfSale(made: SaleOperation): string {
  return made.result === 'rejected' ? 'refused' : noticeOf(made);
}
