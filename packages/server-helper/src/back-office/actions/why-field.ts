import { PaymentsError } from '../../errors.ts';
import { readWhy } from '../../flows/money/money-input.ts';
import { html, type Html } from '../html.ts';
import type { Fields } from '../office.ts';
import type { Language } from '../texts/by-language.ts';
import { whyTexts } from '../texts/review-actions.ts';

/** A field for the words that are kept with a decision. */
export const whyField = (language: Language, fields: Fields): Html =>
  html`<div class="field wide">
    <label for="why">${whyTexts[language].label}</label>
    <textarea
      id="why"
      name="why"
      rows="3"
      maxlength="500"
      required
      dir="auto"
      aria-describedby="why-hint"
      data-test="why"
    >
${fields['why'] ?? ''}</textarea>
    <p class="hint" id="why-hint">${whyTexts[language].hint}</p>
  </div>`;

/** What is wrong with the words that were typed; `null` for nothing. */
export function mistakeInWhy(language: Language, fields: Fields): string | null {
  try {
    readWhy(fields['why']);
    return null;
  } catch (error) {
    if (error instanceof PaymentsError) return whyTexts[language].mistake;
    throw error;
  }
}
