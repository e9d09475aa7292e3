import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { HostedLabels } from './labels.ts';
import { methodLabels } from './method-labels.ts';
import type { Language } from '../language.ts';

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
  readonly labels: HostedLabels;
  readonly chosen: Method;
  /** Whether the session has the phone that Apple Pay needs. */
  readonly applePay: boolean;
  readonly savedCards: readonly OfferedCard[];
  /** The shop's host and the amount, for the simulated sheet. */
  readonly shop: string;
  readonly amount: string;
  readonly cardFields: Html;
}

/**
 * The ways to pay, one unfolded: which one follows from the radio button by style alone, so that it
 * works without scripts. All of them are parts of one form with one button.
 */
export function paymentMethods(parts: MethodParts): Html {
  const { labels, language, savedCards, cardFields } = parts;
  const texts = methodLabels[language];
  return html`<fieldset class="methods">
    <legend>${labels.paymentMethod}</legend>
    <div class="method-list">
      ${method(parts, { value: 'card', test: 'pay-card', name: labels.card, marks: schemeMarks, body: cardFields })}
      ${method(parts, { value: 'apple-pay', test: 'pay-apple', name: html`<bdi dir="ltr">Apple Pay</bdi>`, marks: appleMark, body: appleSheet(parts) })}
      ${
        savedCards.length > 0 &&
        method(parts, {
          value: 'saved-card',
          test: 'pay-saved',
          name: texts.savedCard,
          marks: html`<span class="count" aria-hidden="true">${savedCards.length}</span>`,
          body: savedList(parts),
        })
      }
    </div>
  </fieldset>`;
}

interface OneMethod {
  readonly value: Method;
  readonly test: string;
  readonly name: Html | string;
  readonly marks: Html;
  readonly body: Html;
}

function method(parts: MethodParts, { value, test, name, marks, body }: OneMethod): Html {
  return html`<div class="method">
    <label class="method-choice"
      ><input
        type="radio"
        name="method"
        value="${value}"
        data-test="${test}"
        ${parts.chosen === value && html` checked`}
      /><span>${name}</span>${marks}</label
    >
    <div class="method-body">${body}</div>
  </div>`;
}

/** What the phone would show; no real wallet is asked. */
function appleSheet({ language, applePay, shop, amount }: MethodParts): Html {
  const texts = methodLabels[language];
  if (!applePay) return html`<p class="hint">${texts.applePhoneMissing}</p>`;
  const line = (name: string, value: Html) =>
    html`<div>
      <dt>${name}</dt>
      <dd>${value}</dd>
    </div>`;
  return html`<div class="apple-sheet">
    <p class="apple-title">${texts.appleSheet}</p>
    <dl>
      ${line(texts.card, html`<bdi dir="ltr">mada •••• 0007</bdi>`)}
      ${line(texts.contact, html`${texts.phoneOnFile}`)}
      ${line(texts.payTo, html`<bdi dir="ltr">${shop}</bdi>`)}
      ${line(texts.total, html`<bdi>${amount}</bdi>`)}
    </dl>
    <p class="hint">${texts.appleHint}</p>
  </div>`;
}

function savedList({ language, savedCards }: MethodParts): Html {
  const texts = methodLabels[language];
  return html`<ul class="saved-cards">
      ${savedCards.map(
        ({ id, scheme, lastFour, isExpired }, index) =>
          html`<li>
            <label
              ><input
                type="radio"
                name="savedCard"
                value="${id}"
                data-test="saved-${lastFour}"
                ${index === 0 && html` checked`}
              /><bdi dir="ltr"
                >${scheme.toLowerCase()} <span aria-hidden="true">••••</span> ${lastFour}</bdi
              >${isExpired && html`<span class="saved-expired">${texts.expired}</span>`}</label
            >
          </li>`,
      )}
    </ul>
    <p class="hint">${texts.savedHint}</p>`;
}

const appleMark = html`<span class="marks" aria-hidden="true"
  ><span class="mark mark-apple">Pay</span></span
>`;

const schemeMarks = html`<span class="marks" aria-hidden="true"
  ><span class="mark mark-mada" data-scheme="mada">mada</span
  ><span class="mark mark-visa" data-scheme="visa">VISA</span
  ><span class="mark mark-mastercard" data-scheme="mastercard"
    ><svg viewBox="0 0 32 20" width="26" height="16">
      <circle cx="12" cy="10" r="8" class="disc-left" />
      <circle cx="20" cy="10" r="8" class="disc-right" /></svg></span
></span>`;
