import type { CardFaults, CardField } from '../../domain/cards.ts';
import { field } from '../furniture.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Language } from '../language.ts';
import { paymentMethods } from './payment-methods.ts';
import type { MethodParts } from './payment-methods.ts';
import { hostedTexts } from './texts.ts';

/** The fields that the card form shows again after a refusal; a CVV is never shown again. */
export interface CardValues {
  readonly number: string;
  readonly expiry: string;
  readonly cvv: string;
  readonly holder: string;
}

export const noValues: CardValues = { number: '', expiry: '', cvv: '', holder: '' };

interface CardFormParts {
  readonly language: Language;
  readonly action: string;
  /** Identifies this rendering: submitted twice, the form is one attempt. */
  readonly formKey: string;
  readonly values: CardValues;
  readonly faults: CardFaults;
  readonly backUrl: string;
  readonly methods: Omit<MethodParts, 'language' | 'cardFields'>;
}

/**
 * The form of all ways to pay. Browsers are asked not to offer saved cards, because a real card must
 * not get here.
 */
export function cardForm(parts: CardFormParts): Html {
  const { language, action, formKey, backUrl, methods } = parts;
  const texts = hostedTexts[language];
  return html`<form
    id="card-form"
    class="stack card-form"
    method="post"
    action="${action}"
    novalidate
    autocomplete="off"
    data-paying="${texts.paying}"
  >
    <input type="hidden" name="formKey" value="${formKey}" />
    ${paymentMethods({ ...methods, language, cardFields: cardFields(parts) })}
    <button class="button button-main button-large pay" type="submit" data-test="submit-payment">
      <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
        <rect x="4" y="9" width="12" height="8" rx="2" />
        <path d="M6.8 9V6.6a3.2 3.2 0 0 1 6.4 0V9" /></svg
      ><span class="pay-text">${texts.pay} ${methods.amount}</span>
    </button>
    <p class="visually-hidden" role="status" id="paying"></p>
    <a class="back" href="${backUrl}" data-test="back-to-shop">${texts.backToShop}</a>
  </form>`;
}

/** A field's limit leaves room for separators between pasted digits, because a browser cuts first. */
function cardFields(parts: CardFormParts): Html {
  const { values } = parts;
  const texts = hostedTexts[parts.language];
  const holder = html`name="holder" dir="auto" maxlength="100" autocomplete="off"
  value="${values.holder}" data-test="card-holder"`;
  return html`${cardField(parts, 'number', html`maxlength="30" placeholder="0000 0000 0000 0000"`)}
    <div class="field-pair">
      ${cardField(parts, 'expiry', html`maxlength="9" placeholder="MM/YY"`, texts.expiryHint)}
      ${cardField(parts, 'cvv', html`maxlength="16" placeholder="•••"`, texts.cvvHint)}
    </div>
    ${field({
      id: 'card-holder',
      label: html`${texts.holder} <span class="hint">(${texts.optional})</span>`,
      input: holder,
    })}`;
}

function cardField(
  { language, values, faults }: CardFormParts,
  name: CardField,
  limits: Html,
  hint?: string,
): Html {
  const texts = hostedTexts[language];
  const fault = faults[name];
  return field({
    id: `card-${name}`,
    label: texts[name],
    input: html`name="${name}" dir="ltr" inputmode="numeric" required autocomplete="off"
    spellcheck="false" value="${values[name]}" data-test="card-${name}" ${limits}`,
    error: fault === undefined ? null : (texts.cardFaults[`${name} ${fault}`] ?? null),
    ...(hint === undefined ? {} : { hint }),
  });
}
