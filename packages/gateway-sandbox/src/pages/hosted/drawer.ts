import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Language } from '../language.ts';
import { cardGroups, drawerCards, effectText, groupedNumber } from './drawer-cards.ts';
import type { CardGroup, DrawerCard } from './drawer-cards.ts';
import type { HostedLabels } from './labels.ts';

interface DrawerParts {
  readonly labels: HostedLabels;
  readonly language: Language;
  readonly open: boolean;
  /** The expiry that a filled-in card gets, `MM/YY`. */
  readonly expiry: string;
  /** The page's address with this card of the list filled in, for browsers without scripts. */
  readonly fillUrl: (index: number) => string;
  readonly expireAction: string;
  readonly choice: string;
}

/** The tester's tools, folded away: pick an outcome, fill in a test card, expire the session. */
export function testDrawer(parts: DrawerParts): Html {
  const { labels, open, expireAction } = parts;
  return html`<details class="drawer" data-test="test-drawer" ${open && html` open`}>
    <summary>
      <span class="drawer-title">${labels.drawer}</span
      ><span class="drawer-note">${labels.drawerNote}</span>
    </summary>
    <div class="drawer-body">
      <fieldset class="outcomes">
        <legend>${labels.outcome}</legend>
        <div class="segments">
          ${outcome(parts, '', labels.outcomeCard, 'outcome-card')}
          ${outcome(parts, 'approve', labels.outcomeApprove, 'outcome-approve')}
          ${outcome(parts, 'decline', labels.outcomeDecline, 'outcome-decline')}
        </div>
      </fieldset>
      <h2>${labels.testCards}</h2>
      ${cardGroups.map((group) => cardList(parts, group))}
      <p class="drawer-hint">
        ${labels.otherCards}${parts.language === 'ar' && html` <bdi dir="ltr">9682 99 MM RR 00000 C</bdi>`}
      </p>
      <form method="post" action="${expireAction}" class="expire">
        <button type="submit" class="quiet" data-test="expire-now">${labels.expireNow}</button
        ><span class="drawer-note">${labels.expireNote}</span>
      </form>
    </div>
  </details>`;
}

function outcome({ choice }: DrawerParts, value: string, text: string, id: string): Html {
  return html`<label class="segment"
    ><input
      type="radio"
      name="outcome"
      form="card-form"
      value="${value}"
      data-test="${id}"
      ${choice === value && html` checked`}
    /><span>${text}</span></label
  >`;
}

function cardList(parts: DrawerParts, group: CardGroup): Html {
  const rows = drawerCards.map((card, index) =>
    card.group === group ? cardRow(parts, card, index) : html``,
  );
  return html`<div class="card-group">
    <h3 id="cards-${group}">${parts.labels.cardGroups[group]}</h3>
    <ul class="test-cards" aria-labelledby="cards-${group}">
      ${rows}
    </ul>
  </div>`;
}

function cardRow(
  { labels, language, expiry, fillUrl }: DrawerParts,
  { number, card }: DrawerCard,
  index: number,
): Html {
  return html`<li>
    <span class="test-card"
      ><bdi class="test-number" dir="ltr">${groupedNumber(number)}</bdi
      ><span class="test-effect"
        ><bdi dir="ltr">${card.scheme.toLowerCase()}</bdi> · ${effectText(card, language)}</span
      ></span
    ><a
      class="fill"
      href="${fillUrl(index)}"
      data-number="${number}"
      data-expiry="${expiry}"
      data-cvv="123"
      data-test="fill-${number}"
      aria-label="${labels.fill} ${groupedNumber(number)}"
      >${labels.fill}</a
    >
  </li>`;
}
