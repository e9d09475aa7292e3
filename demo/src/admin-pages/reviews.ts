import { html } from '@lit-labs/ssr';
import type { Payments, ReviewEntry } from '@pay-button/server-helper';
import { Router } from 'express';
import { formField } from '../http/body.ts';
import type { Html, View } from '../pages/page.ts';
import { instant } from './admin-frame.ts';

/** The review list, with a form for each decision. */
export function reviewList(view: View, reviews: readonly ReviewEntry[]): Html {
  const { admin } = view.texts;
  return html`<section
    class="panel review ${reviews.length === 0 ? 'quiet' : ''}"
    aria-labelledby="review"
    data-test="review-list"
  >
    <h2 id="review">${admin.review}</h2>
    ${
      reviews.length === 0
        ? html`<p class="muted">${admin.reviewEmpty}</p>`
        : html`<ul>
            ${reviews.map((entry, index) => matter(view, entry, index))}
          </ul>`
    }
  </section>`;
}

function matter(view: View, entry: ReviewEntry, index: number): Html {
  const { reasons } = view.texts.admin;
  const reason = entry.kind === 'payment' ? entry.reason : entry.kind;
  return html`<li data-test="review-item" data-reason=${reason}>
    <p>
      <strong>${reasons[reason]}</strong>
      <span class="muted">
        <a href="/admin/orders/${entry.orderId}" dir="ltr">${entry.orderId}</a> ·
        ${instant(entry.createdAt)}
      </span>
    </p>
    ${formOf(view, entry, index)}
  </li>`;
}

function formOf(view: View, entry: ReviewEntry, index: number): Html {
  const { admin } = view.texts;
  if (entry.kind === 'dead_letter') {
    return html`<form method="post" action="/admin/review/redeliver" class="inline">
      <input type="hidden" name="id" value=${entry.id} />
      <button class="small">${admin.redeliver}</button>
    </form>`;
  }
  if (entry.kind === 'proposal') return html``;
  if (entry.reason === 'unknown_outcome') {
    return html`<form method="post" action="/admin/review/settle" class="inline">
      <input type="hidden" name="id" value=${entry.about} />
      ${whyField(view, index)}
      <div class="field">
        <label for="transaction-${index}">${admin.transactionId}</label>
        <input id="transaction-${index}" name="transactionId" dir="ltr" autocomplete="off" />
      </div>
      <button class="small" name="outcome" value="succeeded" data-test="settle-done">
        ${admin.happened}
      </button>
      <button class="small quiet" name="outcome" value="failed" data-test="settle-failed">
        ${admin.didNotHappen}
      </button>
    </form>`;
  }
  return html`<form method="post" action="/admin/review/resolve" class="inline">
    <input type="hidden" name="id" value=${entry.id} />
    ${whyField(view, index)}
    <label class="check"><input type="checkbox" name="reopen" value="1" /> ${admin.reopen}</label>
    <button class="small" data-test="resolve">${admin.resolve}</button>
  </form>`;
}

function whyField({ texts: { admin } }: View, index: number): Html {
  return html`<div class="field">
    <label for="why-${index}">${admin.why}</label>
    <input id="why-${index}" name="why" required maxlength="200" data-test="review-why" />
  </div>`;
}

const DONE = '/admin?done=resolved';

/** Carries out a person's decisions about the review list. */
export function reviewActions(payments: Pick<Payments, 'review' | 'resolveOperation'>): Router {
  const router = Router();
  router.post('/review/resolve', async (request, response) => {
    const reopen = formField(request, 'reopen') !== '';
    const why = formField(request, 'why');
    await payments.review.resolve(formField(request, 'id'), why, { reopen });
    response.redirect(303, DONE);
  });
  router.post('/review/settle', async (request, response) => {
    const outcome = formField(request, 'outcome') === 'succeeded' ? 'succeeded' : 'failed';
    const transactionId = formField(request, 'transactionId').trim() || undefined;
    const why = formField(request, 'why');
    await payments.resolveOperation(formField(request, 'id'), outcome, why, { transactionId });
    response.redirect(303, DONE);
  });
  router.post('/review/redeliver', async (request, response) => {
    await payments.review.redeliver(formField(request, 'id'));
    response.redirect(303, DONE);
  });
  return router;
}
