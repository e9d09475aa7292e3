import { html, LitElement, type TemplateResult } from 'lit';
import { payButtonStyles } from '../../../../packages/widget/src/pay-button.styles.ts';

/** The least that a Lit element can be: a plain button, no style, no property. */
export class BareElement extends LitElement {
  protected override render(): TemplateResult {
    return html`<button>Pay</button>`;
  }
}

/** A Lit element that looks like the pay button and does nothing: its markup and its style. */
export class LookAlike extends LitElement {
  static override styles = payButtonStyles;

  protected override render(): TemplateResult {
    return html`<slot name="none"
      ><div lang="en" dir="ltr">
        <button part="button" aria-disabled="false" aria-busy="false" aria-describedby="message">
          <span class="mark"
            ><slot name="prefix"
              ><svg viewBox="0 0 14 16" aria-hidden="true">
                <path
                  fill-rule="evenodd"
                  d="M3 6V4a4 4 0 0 1 8 0v2h2v10H1V6zm2 0h4V4a2 2 0 0 0-4 0z"
                /></svg></slot
            ><i part="spinner"></i
          ></span>
          <span part="label"><slot></slot>Pay</span>
          <slot name="suffix"></slot>
        </button>
        <div>
          <span id="message" part="message" role="status" class="idle"></span>
          <span part="methods"></span>
        </div></div
    ></slot>`;
  }
}
