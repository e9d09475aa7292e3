import { definitions, ltr, schemeName } from '../furniture.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Language } from '../language.ts';
import { methodMarks } from './method-marks.ts';
import { hostedTexts } from './texts.ts';

/** How a shopper can pay; the value of the form's field `method`. */
export type Method = 'card' | 'apple-pay' | 'saved-card';

/** A card that the page offers again. */
export interface OfferedCard {
  readonly id: string;
  readonly scheme: string;
  readonly lastFour: string;
  readonly isExpired: boolean;
}

export interface MethodParts {
  readonly language: Language;
  readonly chosen: Method;
  /** Whether the session has the phone that Apple Pay needs. */
  readonly applePay: boolean;
  readonly savedCards: readonly OfferedCard[];
  /** The merchant's name and the amount, for the simulated sheet. */
  readonly merchant: string;
  readonly amount: Html;
  readonly cardFields: Html;
}

/**
 * The ways to pay in one form with one button. The style sheet alone unfolds the chosen way, so that
 * the page works without scripts.
 */
export function paymentMethods(parts: MethodParts): Html {
  const { language, chosen, savedCards, cardFields } = parts;
  const texts = hostedTexts[language];
  const method = (value: Method, test: string, name: Html, body: Html) =>
    html`<div class="method">
      <label class="method-choice"
        ><input
          type="radio"
          name="method"
          value="${value}"
          data-test="${test}"
          ${chosen === value && html` checked`}
        />${name}</label
      >
      <div class="stack method-body">${body}</div>
    </div>`;
  const count = html`<span class="count" aria-hidden="true">${savedCards.length}</span>`;
  return html`<fieldset>
    <legend>${texts.paymentMethod}</legend>
    <div class="method-list">
      ${method('card', 'pay-card', html`<span>${texts.card}</span>${marks('mada', 'visa', 'mastercard')}`, cardFields)}
      ${method('apple-pay', 'pay-apple', html`${ltr('Apple Pay')}${marks('apple-pay')}`, appleSheet(parts))}
      ${
        savedCards.length > 0 &&
        method(
          'saved-card',
          'pay-saved',
          html`<span>${texts.savedCard}</span>${count}`,
          savedList(parts),
        )
      }
    </div>
  </fieldset>`;
}

/** The sheet that a phone would show. No real wallet is opened. */
function appleSheet({ language, applePay, merchant, amount }: MethodParts): Html {
  const texts = hostedTexts[language];
  if (!applePay) return html`<p class="hint">${texts.appleWithoutPhone}</p>`;
  return html`<div class="apple-sheet">
    <p class="apple-title">${texts.appleSheet}</p>
    ${definitions('pairs', [
      [texts.card, ltr('mada •••• 0007')],
      [texts.contact, texts.phoneOnFile],
      [texts.payTo, html`<bdi>${merchant}</bdi>`],
      [texts.total, amount],
    ])}
    <p class="hint">${texts.appleHint}</p>
  </div>`;
}

function savedList({ language, savedCards }: MethodParts): Html {
  const texts = hostedTexts[language];
  const card = ({ id, scheme, lastFour, isExpired }: OfferedCard, index: number) =>
    html`<li>
      <label
        ><input
          type="radio"
          name="savedCard"
          value="${id}"
          data-test="saved-${lastFour}"
          ${index === 0 && html` checked`}
        /><bdi dir="ltr">${schemeName(scheme)} <span aria-hidden="true">••••</span> ${lastFour}</bdi
        >${isExpired && html`<span class="saved-expired">${texts.expired}</span>`}</label
      >
    </li>`;
  return html`<ul class="stack saved-cards">
      ${savedCards.map(card)}
    </ul>
    <p class="hint">${texts.savedHint}</p>`;
}

/** Brands as drawings, for the eye. */
function marks(...methods: readonly string[]): Html {
  const mark = (method: string) => {
    const shapes = methodMarks.get(method)?.shapes ?? [];
    return html`<svg class="mark mark-${method}" viewBox="0 0 34 22">
      ${shapes.map(([color, path]) => html`<path fill="${color}" d="${path}" />`)}
    </svg>`;
  };
  return html`<span class="marks" aria-hidden="true">${methods.map(mark)}</span>`;
}
