import { html, type TemplateResult } from 'lit';

/** A payment method's mark, drawn on a white card. Names of companies are the same everywhere. */
const marks = new Map<string, TemplateResult>(
  Object.entries({
    mada: html`<svg role="img" aria-label="mada" viewBox="0 0 36 24">
      <path fill="#84b740" d="M4 6h9v5H4z" />
      <path fill="#259bd6" d="M4 13h9v5H4z" />
      <text x="15" y="15" textLength="18">mada</text>
    </svg>`,
    visa: html`<svg role="img" aria-label="Visa" viewBox="0 0 36 24">
      <text x="5" y="16" textLength="26" fill="#1434cb" font-size="12" font-style="italic">
        VISA
      </text>
    </svg>`,
    mastercard: html`<svg role="img" aria-label="Mastercard" viewBox="0 0 36 24">
      <circle cx="14" cy="12" r="7" fill="#eb001b" />
      <circle cx="22" cy="12" r="7" fill="#f79e1b" />
      <path fill="#ff5f00" d="M18 6.2a7 7 0 0 1 0 11.6 7 7 0 0 1 0-11.6" />
    </svg>`,
    'apple-pay': html`<svg role="img" aria-label="Apple Pay" viewBox="0 0 36 24">
      <path
        d="M10 9.5c2-1 4-.5 5 1-2 1-1.5 4 .5 4.5-1 3-2.5 3.5-5 2.5-3 1-5-1-5-4.5s2.5-4.5 4.5-3.5M9.5 9c0-2 1-3.5 3-4 0 2-1 3.5-3 4"
      />
      <text x="17" y="17" textLength="16" font-size="9.5" font-weight="500">Pay</text>
    </svg>`,
  }),
);

/**
 * The marks of the payment methods that a shop accepts, in the shop's order, each once. Unknown
 * names are left out.
 *
 * @param methods - space-separated, of `mada`, `visa`, `mastercard`, `apple-pay`
 */
export function marksTemplate(methods: string): (TemplateResult | undefined)[] {
  return [...new Set(methods.split(' '))].map((name) => marks.get(name));
}
