import { html } from '@lit-labs/ssr';
import {
  describeEntry,
  type Explanation,
  type MoneyOperation,
  type TimelineEntry,
} from '@pay-button/server-helper';
import { CURRENCY, halalasOf } from '../catalog/halalas.ts';
import { priceTag } from '../pages/order-parts.ts';
import type { Html, View } from '../pages/page.ts';
import { instant } from './admin-frame.ts';

/** One order's timeline, oldest entry first, in the reader's language. */
export function timeline(view: View, explain: Explanation | null): Html {
  const { admin } = view.texts;
  return html`<section class="panel" aria-labelledby="timeline">
    <h2 id="timeline">${admin.timeline}</h2>
    ${
      explain === null || explain.timeline.length === 0
        ? html`<p class="muted" data-test="admin-timeline">${admin.noTimeline}</p>`
        : html`<ol class="timeline" data-test="admin-timeline">
            ${explain.timeline.map((entry) => entryOf(view, entry))}
          </ol>`
    }
  </section>`;
}

function entryOf({ texts: { admin }, language }: View, entry: TimelineEntry): Html {
  const rows = entry.kind === 'evidence' ? entry.rows : [];
  return html`<li data-kind=${entry.kind}>
    <p class="timeline-head">
      <strong>${admin.kinds[entry.kind]}</strong> <span class="muted">${instant(entry.at)}</span>
    </p>
    <p class="timeline-text">${describeEntry(entry, language)}</p>
    ${rows.map(
      (row) =>
        html`<p dir="ltr" class="timeline-row">
          <code>${row.transactionStatus} / ${row.paymentStatus}</code> ${row.amount}
          <span class="muted"
            >${row.refundStatus ?? ''} ${row.totalRefundAmount ?? ''} · ${row.transactionId}</span
          >
        </p>`,
    )}
  </li>`;
}

/** The money operations of an order, and their results. */
export function operations(view: View, list: readonly MoneyOperation[]): Html | '' {
  const { admin } = view.texts;
  if (list.length === 0) return '';
  return html`<section class="panel" aria-labelledby="operations">
    <h2 id="operations">${admin.operations}</h2>
    <ul class="operations" data-test="admin-operations">
      ${list.map(
        ({ kind, state, amount, currency, reason, createdAt }) =>
          html`<li data-kind=${kind} data-state=${state}>
            <strong>${admin.operationKinds[kind]}</strong>
            ${amountTag(view, amount, currency)}
            <span class="pill" data-state=${state}>${admin.operationStates[state]}</span>
            <span class="muted"
              >${instant(createdAt)}
              ${reason === null ? '' : whyTag(admin.outcomeReasons, reason)}</span
            >
          </li>`,
      )}
    </ul>
  </section>`;
}

/** A rare code of the kit and a person's own words are shown unchanged. */
function whyTag(words: Readonly<Record<string, string>>, reason: string): Html {
  const known = Object.hasOwn(words, reason) ? words[reason] : undefined;
  return known === undefined ? html`<bdi dir="auto">${reason}</bdi>` : html`${known}`;
}

/** The gateway may report a currency other than the shop's. */
function amountTag(view: View, amount: string, currency: string): Html {
  if (currency === CURRENCY) return priceTag(view, halalasOf(amount));
  return html`<bdi dir="ltr">${amount} ${currency}</bdi>`;
}
