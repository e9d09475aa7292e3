import { randomUUID } from 'node:crypto';
import { html } from '@lit-labs/ssr';
import type { Html, View } from '../pages/page.ts';
import { shopOrderPath } from './describe-order.ts';

/** The test cards that the form offers, by name. */
export const phoneCards: ReadonlyMap<string, string> = new Map([
  ['visa', '4111111111111111'],
  ['mada', '4201320111111010'],
  ['declined', '4201320000311101'],
  ['challenge', '4508750015741019'],
]);

/**
 * A server-to-server sale with a test card. It is the shop's own, since no page of a merchant may ask
 * for a card. The form bears a key, so that pressing twice asks for the same sale.
 */
export function saleForm({ texts: { admin } }: View, orderId: string): Html {
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
