import { html } from '@lit-labs/ssr';
import type { Explanation, MoneyOperation } from '@pay-button/server-helper';
import type { Html, View } from '../pages/page.ts';
import { instant } from './admin-frame.ts';

type Entry = Explanation['story'][number];

/** One order's story, oldest first, in the kit's own sentences. */
export function timeline(view: View, explain: Explanation | null): Html {
  const { admin } = view.texts;
  return html`<section class="panel" aria-labelledby="story">
    <h2 id="story">${admin.timeline}</h2>
    ${
      explain === null || explain.story.length === 0
        ? html`<p class="muted" data-test="admin-timeline">${admin.noStory}</p>`
        : html`<ol class="timeline" data-test="admin-timeline">
            ${explain.story.map((entry) => chapter(view, entry))}
          </ol>`
    }
  </section>`;
}

function chapter({ texts: { admin } }: View, { at, kind, text, rows }: Entry): Html {
  return html`<li data-kind=${kind}>
    <p class="timeline-head">
      <strong>${admin.kinds[kind]}</strong> <span class="muted">${instant(at)}</span>
    </p>
    <p lang="en" dir="ltr" class="timeline-text">${text}</p>
    ${(rows ?? []).map(
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

/** The money operations that were asked for, and what became of each. */
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
            <bdi dir="ltr">${amount} ${currency}</bdi>
            <span class="pill" data-state=${state}>${admin.operationStates[state]}</span>
            <span class="muted"
              >${instant(createdAt)}
              ${reason === null ? '' : html`<bdi lang="en" dir="auto">${reason}</bdi>`}</span
            >
          </li>`,
      )}
    </ul>
  </section>`;
}
