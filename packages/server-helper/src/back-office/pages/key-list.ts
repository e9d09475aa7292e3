import type { KeyTrial } from '../../payments-parts.ts';
import { html, type Html } from '../html.ts';
import type { Visit } from '../office.ts';
import { badge, code } from '../parts.ts';
import { gatewayTexts } from '../texts/gateway.ts';

/** The keys that were tried, each by its end. */
export function keyList(language: Visit['language'], trials: readonly KeyTrial[]): Html {
  const texts = gatewayTexts[language];
  return html`<ul class="keys">
    ${trials.map(({ masked, error }) => {
      const [state, words] =
        error === null
          ? (['succeeded', texts.keyTaken] as const)
          : error.httpStatus === 401
            ? (['failed', texts.keyRefused] as const)
            : (['unknown', texts.keyUnknown] as const);
      return html`<li class="line" data-test="own-key" data-state="${state}">
        ${code(shortened(masked))} ${badge(state, words)}
      </li>`;
    })}
  </ul>`;
}

/** A masked key, whose many stars say nothing. */
export const shortened = (masked: string): string => masked.replace(/^\*{5,}/, '****');
