import { randomUUID } from 'node:crypto';
import { html } from '@lit-labs/ssr';
import type { PaymentState } from '@pay-button/server-helper';
import type { AdminOrder } from '../admin/admin-orders.ts';
import { halalasOf } from '../catalog/halalas.ts';
import { goods, priceTag, stateBadge } from '../pages/order-parts.ts';
import type { Html, Page, View } from '../pages/page.ts';
import { inRiyals } from '../texts/language.ts';
import { adminPage, instant, type Feedback } from './admin-frame.ts';
import { moneyForms } from './money.ts';
import { operations, timeline } from './timeline.ts';

/** One order: its facts, its money operations and its timeline. */
export function adminOrderPage(view: View, feedback: Feedback, found: AdminOrder): Page {
  const { standing, explain } = found;
  const { orderId } = standing.order;
  const hasToken = isRenewable(found);
  return adminPage(
    view,
    view.texts.order(orderId),
    feedback,
    html`<h1><bdi>${view.texts.order(orderId)}</bdi></h1>
      <div class="columns">
        <div class="stack">${facts(view, found)} ${moneyForms(view, found, hasToken)}</div>
        <div class="stack">
          ${operations(view, explain?.operations ?? [])} ${timeline(view, explain)}
        </div>
      </div>`,
  );
}

/** Only a sale can have a recurring token. The pages never show the token. */
function isRenewable({ standing, explain }: AdminOrder): boolean {
  const isSale = explain?.attempts.some(({ kind }) => kind !== 'link') ?? false;
  return isSale && ['paid', 'captured', 'partially_refunded'].includes(standing.state);
}

/** The states in which an order can be paid. */
const payable: ReadonlySet<PaymentState> = new Set(['unpaid', 'pending', 'failed', 'expired']);

function facts(view: View, { standing, fulfilments, payLink }: AdminOrder): Html {
  const { admin } = view.texts;
  const { order, refunded } = standing;
  const { customer } = order;
  return html`<section class="panel facts">
    ${stateBadge(view, standing)}
    <p class="big" data-test="order-amount">${priceTag(view, order.halalas)}</p>
    <dl>
      <dt>${admin.refunded}</dt>
      <dd data-test="refunded">${priceTag(view, halalasOf(refunded))}</dd>
      <dt>${admin.columns.placed}</dt>
      <dd>${instant(order.placedAt)}</dd>
      <dt>${admin.columns.customer}</dt>
      <dd>
        <bdi>${customer.name}</bdi><br /><bdi dir="ltr">${customer.phone}</bdi><br /><bdi dir="ltr"
          >${customer.email}</bdi
        >
      </dd>
      ${
        payable.has(standing.state)
          ? html`<dt>${admin.payLink}</dt>
              <dd><a data-test="pay-link" dir="ltr" href=${payLink}>${payLink}</a></dd>`
          : ''
      }
    </dl>
    ${goods(view, order.lines)}
    <p class="muted" data-test="fulfilments" data-count=${fulfilments}>
      ${fulfilments === 0 ? admin.notShipped : admin.shipped(fulfilments)}
    </p>
  </section>`;
}

/** Asks for confirmation before a refund. The amount is as the admin typed it. */
export function confirmRefundPage(view: View, { standing }: AdminOrder, amount: string): Page {
  const { admin } = view.texts;
  const { orderId } = standing.order;
  const path = `/admin/orders/${orderId}`;
  return adminPage(
    view,
    admin.refundTitle,
    {},
    html`<section class="message">
      <h1>${admin.confirmTitle(`\u2068${inRiyals(amount, view.language)}\u2069`)}</h1>
      <p>${admin.confirmText}</p>
      <p class="muted"><bdi>${view.texts.order(orderId)}</bdi></p>
      <form method="post" action="${path}/refund/confirmed" class="confirm">
        <input type="hidden" name="amount" value=${amount} />
        <input type="hidden" name="requestId" value="admin-${randomUUID()}" />
        <button data-test="confirm-refund">${admin.confirmRefund}</button>
        <a class="button quiet" href=${path}>${admin.cancel}</a>
      </form>
    </section>`,
  );
}
