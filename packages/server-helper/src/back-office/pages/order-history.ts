import type { Explanation } from '../../flows/list-payments.ts';
import type { StatusRow } from '../../payments/answer.ts';
import { describeEntry } from '../../payments/timeline-text.ts';
import type { TimelineEntry } from '../../payments/timeline.ts';
import { redeliver } from '../actions/redeliver.ts';
import { instant } from '../format.ts';
import { html, type Html, nothing } from '../html.ts';
import { findMatter } from '../matters.ts';
import { linkTo, type Visit } from '../office.ts';
import { badge, code, fact, panel } from '../parts.ts';
import { actionForm } from '../run-action.ts';
import { orderTexts } from '../texts/order.ts';
import { outcomeText } from '../texts/outcomes.ts';
import { reviewTexts } from '../texts/review.ts';
import { stateTexts } from '../texts/states.ts';
import { matterDeed } from './review.ts';

/** Everything that happened to an order, the oldest first, in the reader's language. */
export function timeline(visit: Visit, { timeline: all }: Explanation): Html {
  const { language } = visit;
  const items = all.map(
    (entry) =>
      html`<li data-kind="${entry.kind}">
        <p class="line">
          <strong>${stateTexts[language].entry[entry.kind]}</strong>
          <span class="end muted">${instant(visit, entry.at)}</span>
        </p>
        <p>
          ${describeEntry(entry, language)}
          ${entry.kind === 'review' && html`<span class="muted">${code(entry.reason)}</span>`}
        </p>
        ${evidence(visit, entry)}
      </li>`,
  );
  return panel(
    'timeline',
    orderTexts[language].timeline,
    html`<ol class="timeline" data-test="admin-timeline">
      ${items}
    </ol>`,
  );
}

/** The words of the gateway behind an entry, as it wrote them. */
function evidence({ language }: Visit, entry: TimelineEntry): Html {
  if (entry.kind !== 'evidence' || entry.rows.length === 0) return nothing;
  return html`<details>
    <summary>${orderTexts[language].evidence}</summary>
    ${entry.rows.map((row) => html`<dl class="raw" dir="ltr">${rawFacts(row)}</dl>`)}
  </details>`;
}

const rawFacts = (row: StatusRow): readonly Html[] =>
  Object.entries(row)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => fact(name, code(String(value))));

/** The reviews of an order, open ones first. */
export function reviews(visit: Visit, { reviews: all }: Explanation): Html {
  const { language } = visit;
  const texts = orderTexts[language];
  if (all.length === 0) return nothing;
  const isOpen = ({ resolvedAt }: (typeof all)[number]): boolean => resolvedAt === null;
  const items = all
    .toSorted((one, other) => Number(isOpen(other)) - Number(isOpen(one)))
    .map((one) => {
      const { reason, about, createdAt, resolution, resolvedBy } = one;
      return html`<li data-reason="${reason}">
        <p class="line">
          <strong>${reviewTexts[language].reasons[reason].title}</strong>
          ${isOpen(one) ? badge('review', texts.openReview) : badge('done', texts.resolved)}
        </p>
        <p class="muted">${code(about)} · ${instant(visit, createdAt)}</p>
        ${resolution !== null && html`<p><bdi>${outcomeText(language, resolution)}</bdi>${resolvedBy !== null && html` <span class="muted">— <bdi>${resolvedBy}</bdi></span>`}</p>`}
      </li>`;
    });
  const link = all.some(isOpen)
    ? html`<p><a href="${linkTo(visit, 'review')}">${texts.toReview}</a></p>`
    : nothing;
  return panel(
    'reviews',
    texts.reviews,
    html`<ul class="cards">
        ${items}
      </ul>
      ${link}`,
  );
}

/** The events that the shop's handlers get, and how their deliveries ended. */
export async function events(visit: Visit, { effects }: Explanation): Promise<Html> {
  const texts = orderTexts[visit.language];
  if (effects.length === 0) return nothing;
  const items = await Promise.all(effects.map((one) => event(visit, one)));
  return panel(
    'events',
    texts.events,
    html`<ul class="cards" data-test="events">
      ${items}
    </ul>`,
  );
}

/** An event is delivered again by the question that the review list leads to. */
async function event(visit: Visit, effect: Explanation['effects'][number]): Promise<Html> {
  const { language } = visit;
  const { eventId, type, outcome, tries, occurredAt } = effect;
  const matter = outcome === 'dead' ? await findMatter(visit, eventId) : null;
  const isLeft = outcome === 'waiting' && !visit.office.parts.handled.includes(type);
  const state = isLeft ? 'unhandled' : outcome;
  const tried = orderTexts[language].tries(tries);
  return html`<li>
    <p class="line">
      ${code(type)} ${badge(state, stateTexts[language].delivery[state])}
      <span class="end muted">${instant(visit, occurredAt)}</span>
    </p>
    <p class="muted">${code(eventId)}${tries > 1 && html` · ${tried}`}</p>
    ${
      matter !== null &&
      html`<div class="actions">${await actionForm(visit, matterDeed(redeliver, matter))}</div>`
    }
  </li>`;
}
