import { approvedCode, findTestCard, publishedNumbers } from '../../domain/cards.ts';
import type { TestCard } from '../../domain/cards.ts';
import { choiceField, ltr, radio, schemeName } from '../furniture.ts';
import { html } from '../html.ts';
import type { Html, Language } from '../html.ts';
import { checkoutAddress, withQuery } from '../page.ts';
import { declineText, hostedTexts } from './texts.ts';

/** A card that the drawer offers to fill in. */
interface DrawerCard {
  readonly number: string;
  readonly card: TestCard;
  readonly group: 'approved' | 'declined' | 'challenge';
}

const grammarExamples = ['9682990151000005', '9682990200000006', '9682990600000002'];

/** The published cards first, then examples of the sandbox's own grammar. */
export const drawerCards: readonly DrawerCard[] = [...publishedNumbers, ...grammarExamples].flatMap(
  (number) => {
    const card = findTestCard(number);
    return card === null ? [] : [{ number, card, group: groupOf(card) }];
  },
);

function groupOf({ mode, responseCode }: TestCard): DrawerCard['group'] {
  if (mode !== 'none') return 'challenge';
  return responseCode === approvedCode ? 'approved' : 'declined';
}

/** A number in groups of four, as printed on a card. */
export function groupedNumber(number: string): string {
  return number.replace(/(\d{4})(?=\d)/g, '$1 ');
}

interface DrawerParts {
  readonly language: Language;
  readonly sessionId: string;
  readonly isOpen: boolean;
  /** The expiry that a filled-in card gets, `MM/YY`. */
  readonly expiry: string;
  readonly choice: string;
}

/** The tester's tools, folded away: pick an outcome, fill in a test card, expire the session. */
export function testDrawer(parts: DrawerParts): Html {
  const { language, sessionId, isOpen } = parts;
  const texts = hostedTexts[language];
  const expire = withQuery('/checkout/expire', { sessionId, lang: language });
  const body = html`<fieldset>
      <legend>${texts.outcome}</legend>
      <div class="segments">
        ${outcome(parts, '', 'card')} ${outcome(parts, 'approve', 'approve')}
        ${outcome(parts, 'decline', 'decline')}
      </div>
    </fieldset>
    <h2>${texts.testCards}</h2>
    ${cardList(parts, 'approved')} ${cardList(parts, 'declined')} ${cardList(parts, 'challenge')}
    <p class="soft">${texts.otherCards} ${ltr('9682 99 MM RR 00000 C')}</p>
    <form method="post" action="${expire}" class="row">
      <button class="button" data-test="expire-now">${texts.expireNow}</button
      ><span class="soft">${texts.expireNote}</span>
    </form>`;
  return drawer(language, isOpen, body);
}

/** A drawer of test tools, on the hosted page and on the 3-D Secure page. */
export function drawer(language: Language, isOpen: boolean, body: Html): Html {
  const texts = hostedTexts[language];
  return html`<details class="drawer" data-test="test-drawer" ${isOpen && html` open`}>
    <summary class="chevron">
      <b>${texts.drawer}</b> <span class="soft">${texts.drawerNote}</span>
    </summary>
    <div class="stack drawer-body">${body}</div>
  </details>`;
}

function outcome(
  { choice: chosen, language }: DrawerParts,
  value: string,
  name: 'card' | 'approve' | 'decline',
): Html {
  const input = html`${radio('outcome', value, `outcome-${name}`)} form="card-form"`;
  const text = hostedTexts[language].outcomes[name];
  return choiceField('segment', input, chosen === value, text);
}

function cardList(parts: DrawerParts, group: DrawerCard['group']): Html {
  const rows = drawerCards.map((card, index) =>
    card.group === group ? cardRow(parts, card, index) : html``,
  );
  return html`<div>
    <h3 id="cards-${group}">${hostedTexts[parts.language].cardGroups[group]}</h3>
    <ul class="test-cards" aria-labelledby="cards-${group}">
      ${rows}
    </ul>
  </div>`;
}

/** A card with its effect. Without scripts, the link leads to the page with the card filled in. */
function cardRow(
  { language, sessionId, expiry }: DrawerParts,
  { number, card }: DrawerCard,
  index: number,
): Html {
  const { fill } = hostedTexts[language];
  return html`<li>
    <span
      ><bdi class="test-number" dir="ltr">${groupedNumber(number)}</bdi
      ><span class="soft"
        >${ltr(schemeName(card.scheme))} · ${effectText(card, language)}</span
      ></span
    ><a
      class="button button-small fill"
      href="${checkoutAddress(sessionId, language, { card: String(index) })}"
      data-number="${number}"
      data-expiry="${expiry}"
      data-cvv="123"
      data-test="fill-${number}"
      aria-label="${fill} ${groupedNumber(number)}"
      >${fill}</a
    >
  </li>`;
}

/** The result of a payment with the card. */
function effectText({ mode, responseCode }: TestCard, language: Language): string {
  const effects = hostedTexts[language].cardEffects;
  const answer =
    responseCode === approvedCode
      ? effects.approved
      : `${declineText(responseCode, language)} (${responseCode})`;
  if (mode === 'challenge') return effects.challenge(answer);
  return mode === 'none' || mode === 'attempted' || mode === 'not-enrolled'
    ? answer
    : effects[mode];
}
