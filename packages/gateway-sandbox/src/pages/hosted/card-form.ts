import type { CardFaults, CardField } from '../../domain/card-entry.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { HostedLabels } from './labels.ts';
import { paymentMethods } from './payment-methods.ts';
import type { MethodParts } from './payment-methods.ts';

/** What the card form shows again after a refusal; a CVV never comes back. */
export interface CardValues {
  readonly number: string;
  readonly expiry: string;
  readonly cvv: string;
  readonly holder: string;
}

export const noValues: CardValues = { number: '', expiry: '', cvv: '', holder: '' };

interface CardFormParts {
  readonly labels: HostedLabels;
  readonly action: string;
  /** Marks this rendering: submitted twice, it is one attempt. */
  readonly formKey: string;
  readonly payText: string;
  readonly values: CardValues;
  readonly faults: CardFaults;
  readonly backUrl: string;
  readonly methods: Omit<MethodParts, 'labels' | 'cardFields'>;
}

/**
 * The form of all ways to pay. Browsers are told not to offer saved cards: a real card has no business here,
 * however conveniently it would be filled in.
 */
export function cardForm(parts: CardFormParts): Html {
  const { labels, action, formKey, payText, backUrl } = parts;
  return html`<form
    id="card-form"
    class="card-form"
    method="post"
    action="${action}"
    novalidate
    autocomplete="off"
    data-paying="${labels.paying}"
  >
    <input type="hidden" name="formKey" value="${formKey}" />
    ${paymentMethods({ ...parts.methods, labels, cardFields: cardFields(parts) })}
    <button class="pay" type="submit" data-test="submit-payment">
      <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
        <rect x="4" y="9" width="12" height="8" rx="2" />
        <path d="M6.8 9V6.6a3.2 3.2 0 0 1 6.4 0V9" /></svg
      ><span class="pay-text">${payText}</span>
    </button>
    <p class="visually-hidden" role="status" id="paying"></p>
    <a class="back" href="${backUrl}" data-test="back-to-shop">${labels.backToShop}</a>
  </form>`;
}

/** A field's limit leaves room for the signs between pasted digits, which a browser cuts first. */
function cardFields(parts: CardFormParts): Html {
  const { labels, values } = parts;
  return html`${field(parts, {
      name: 'number',
      label: labels.number,
      value: values.number,
      attributes: html`inputmode="numeric" maxlength="30" placeholder="0000 0000 0000 0000"
      data-test="card-number"`,
    })}
    <div class="field-pair">
      ${field(parts, {
        name: 'expiry',
        label: labels.expiry,
        hint: labels.expiryHint,
        value: values.expiry,
        attributes: html`inputmode="numeric" maxlength="9" placeholder="MM/YY"
        data-test="card-expiry"`,
      })}
      ${field(parts, {
        name: 'cvv',
        label: labels.cvv,
        hint: labels.cvvHint,
        value: values.cvv,
        attributes: html`inputmode="numeric" maxlength="16" placeholder="•••" data-test="card-cvv"`,
      })}
    </div>
    <div class="field">
      <label for="card-holder"
        >${labels.holder} <span class="optional">(${labels.optional})</span></label
      >
      <input
        id="card-holder"
        name="holder"
        type="text"
        dir="auto"
        maxlength="100"
        autocomplete="off"
        value="${values.holder}"
        data-test="card-holder"
      />
    </div>`;
}

interface FieldParts {
  readonly name: CardField;
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly attributes: Html;
}

function field(
  { labels, faults }: CardFormParts,
  { name, label, hint, value, attributes }: FieldParts,
): Html {
  const fault = faults[name];
  const message = fault === undefined ? null : (labels.faults[name][fault] ?? null);
  const id = `card-${name}`;
  const described = [hint === undefined ? '' : `${id}-hint`, message === null ? '' : `${id}-error`];
  const describedBy = described.filter((text) => text !== '').join(' ');
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <input
      id="${id}"
      name="${name}"
      type="text"
      dir="ltr"
      required
      autocomplete="off"
      spellcheck="false"
      value="${value}"
      ${attributes}${message !== null && html` aria-invalid="true"`}${describedBy !== '' && html` aria-describedby="${describedBy}"`}
    />
    ${hint !== undefined && html`<span class="hint" id="${id}-hint">${hint}</span>`}
    ${message !== null && html`<span class="field-error" id="${id}-error">${message}</span>`}
  </div>`;
}
