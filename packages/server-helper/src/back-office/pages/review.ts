import { type Answer, seeOther } from '../../edges/http.ts';
import type { ReviewEntry } from '../../flows/money/review-verbs.ts';
import { decimalOf, type Money } from '../../money.ts';
import { amountTag, instant } from '../format.ts';
import { html, type Html, nothing } from '../html.ts';
import { pageAnswer } from '../layout.ts';
import { findMatter, listMatters, type Matter } from '../matters.ts';
import { linkTo, orderAddress, type Visit } from '../office.ts';
import { code, fact } from '../parts.ts';
import { actionAnswer, actionForm, type Deed } from '../run-action.ts';
import type { Action } from '../actions/action.ts';
import { reviewActions } from '../actions.ts';
import { reviewTexts } from '../texts/review.ts';

/** How many matters the page shows. */
const SHOWN = 50;

/** What waits for a person, the oldest first. */
export async function reviewPage(visit: Visit): Promise<Answer> {
  const texts = reviewTexts[visit.language];
  const matters = await listMatters(visit, SHOWN);
  const items: Html[] = [];
  for (const matter of matters) items.push(await item(visit, matter));
  return pageAnswer(visit, {
    title: texts.title,
    section: 'review',
    main: html`<h1>${texts.title}</h1>
      ${
        items.length === 0
          ? html`<p class="empty" data-test="review-empty">
              <strong>${texts.empty}</strong> ${texts.emptyHint}
            </p>`
          : html`<p class="lead">${texts.lead}</p>
              <ol class="matters" data-test="review-list">
                ${items}
              </ol>`
      }
      ${items.length >= SHOWN ? html`<p class="muted">${texts.more}</p>` : nothing}`,
  });
}

async function item(visit: Visit, matter: Matter): Promise<Html> {
  const { language } = visit;
  const { entry } = matter;
  const texts = reviewTexts[language];
  const reason = entry.kind === 'payment' ? entry.reason : entry.kind;
  const words = wordsOf(texts, entry);
  const { orderId } = entry;
  return html`<li
    class="panel matter"
    data-test="review-item"
    data-reason="${reason}"
    data-order="${orderId}"
  >
    <h2>${words.title}</h2>
    <p class="muted">
      ${texts.order} <a href="${linkTo(visit, orderAddress(orderId))}"><bdi>${orderId}</bdi></a> ·
      ${texts.since} ${instant(visit, entry.createdAt)}
    </p>
    <dl class="explained">
      ${fact(texts.happened, words.happened)} ${fact(texts.money, words.money)}
      ${fact(texts.todo, words.todo)}
    </dl>
    <dl class="facts small">${facts(visit, matter)}</dl>
    ${await forms(visit, matter)}
  </li>`;
}

function facts({ language }: Visit, { entry, record, row }: Matter): readonly Html[] {
  const texts = reviewTexts[language];
  const tag = ({ minorUnits, currency }: Money): Html =>
    amountTag(language, decimalOf(minorUnits), currency);
  const money = [
    record !== null && fact(texts.askedFor, tag(record.payment.amount)),
    row !== null && row.amount.minorUnits > 0 && fact(texts.came, tag(row.amount)),
  ].filter((one) => one !== false);
  return [...money, ...about(language, entry)];
}

function about(language: Visit['language'], entry: ReviewEntry): readonly Html[] {
  const texts = reviewTexts[language];
  switch (entry.kind) {
    case 'payment':
      return [fact(texts.about, code(entry.about))];
    case 'proposal':
      return [
        fact(texts.refund, amountTag(language, entry.amount, entry.currency)),
        fact(texts.requestedBy, html`<bdi>${entry.requestedBy}</bdi>`),
      ];
    case 'dead_letter':
      return [fact(texts.event, code(entry.event.type)), fact(texts.tries, String(entry.tries))];
  }
}

function wordsOf(texts: (typeof reviewTexts)['en'], entry: ReviewEntry) {
  switch (entry.kind) {
    case 'payment':
      return texts.reasons[entry.reason];
    case 'proposal':
      return texts.proposal;
    case 'dead_letter':
      return texts.deadLetter;
  }
}

/** The address of a matter's actions names it by a field, since its id holds slashes. */
export const matterDeed = (action: Action<Matter>, subject: Matter): Deed<Matter> => ({
  action,
  subject,
  page: 'review',
  section: 'review',
  naming: { id: subject.entry.id },
});

/** Answers one action about a matter. */
export async function reviewActionPage(visit: Visit, action: Action<Matter>): Promise<Answer> {
  const matter = await findMatter(visit, visit.query['id'] ?? '');
  // Where a form is pressed twice, the second press finds what the first one ended.
  if (matter === null) return seeOther(linkTo(visit, 'review', { notice: 'matter_over' }));
  return actionAnswer(visit, matterDeed(action, matter));
}

async function forms(visit: Visit, matter: Matter): Promise<Html> {
  const shown: Html[] = [];
  for (const action of reviewActions) {
    const form = await actionForm(visit, matterDeed(action, matter));
    if (form !== nothing) shown.push(form);
  }
  return shown.length === 0 ? nothing : html`<div class="actions">${shown}</div>`;
}
