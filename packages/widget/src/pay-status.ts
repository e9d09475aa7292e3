import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { amountTemplate } from './amount.ts';
import { clearServedRoot, defineOnce, localeOf } from './page.ts';
import { payStatusStyles } from './pay-status.styles.ts';
import { type PaymentState, type StatusView, viewOf } from './payment-status.ts';
import { statusLabels } from './status-labels.ts';
import { StatusPoller } from './status-poller.ts';

/**
 * Shows the state of a payment on the return page: only what the shop's server has verified. The
 * element asks at most 100 times and for half an hour, never in a hidden tab, then offers "Check again".
 *
 * @tagname pay-status
 * @fires {PaySettledEvent} pay-settled - the payment ended; once for a payment, reloads included
 * @slot pending - instead of the text while the payment is not decided
 * @slot paid - instead of the text of a payment received
 * @slot failed - instead of the text of a payment that did not go through
 * @slot expired - instead of the text of a payment page that expired
 * @slot review - instead of the text while a person at the shop reviews the payment
 * @slot retry - shown only when failed; for a `<pay-button>`
 * @csspart status - the box
 * @csspart amount - the amount
 * @csspart again - "Check again"
 * @cssprop [--pay-status-color] - border and sign while the payment is not decided
 * @cssprop [--pay-status-paid-color] - the same once paid
 * @cssprop [--pay-status-failed-color] - the same when failed or expired
 * @cssprop [--pay-status-review-color] - the same while the shop reviews the payment
 * @cssprop [--pay-status-radius=1rem] - the corners of the box
 * @cssprop [--pay-status-font] - a whole `font` value
 */
export class PayStatus extends LitElement {
  static override styles = payStatusStyles;
  /** The version of this package; `npm run release:version` writes it. */
  static readonly version: string = '0.1.0';
  static override properties = { src: {}, credentials: {}, locale: {} };

  /** The status address from the shop's server, token included. */
  declare src: string;
  /** Whether cookies go to another origin: `include`; to none: `omit`. @defaultValue `same-origin` */
  declare credentials: RequestCredentials;
  /** BCP 47 tag. @defaultValue the nearest `lang` around the element, else `en` */
  declare locale: string;

  readonly #poller = new StatusPoller(this);

  constructor() {
    super();
    this.src = '';
    this.credentials = 'same-origin';
    this.locale = '';
  }

  /** Registers the element, under another name or in another registry too. */
  static define(tag?: string, registry?: CustomElementRegistry): void {
    defineOnce(this, 'pay-status', tag, registry);
  }

  /** The verified state; `undefined` before the first answer. */
  get state(): PaymentState | undefined {
    return this.#poller.status?.state;
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    clearServedRoot(this);
    return super.createRenderRoot();
  }

  protected override render(): TemplateResult {
    const { status, ended } = this.#poller;
    const view = viewOf(status);
    const locale = localeOf(this);
    const labels = statusLabels.find(locale);
    const { amount = '', currency = '' } = status ?? {};
    return html`<section
      part="status"
      class=${view}
      lang=${labels.language}
      dir=${labels.direction}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${marks[view]} /></svg>
      <div role="status">
        <slot name=${view}>
          <strong>${labels[view]}</strong>
          <p>${ended ? labels.endedText : labels[`${view}Text`]}</p>
        </slot>
        ${amountTemplate(amount, currency, locale, labels.riyal)}
      </div>
      ${
        ended
          ? html`<button part="again" type="button" @click=${this.#again}>
              ${labels.checkAgain}
            </button>`
          : nothing
      }
      ${view === 'failed' ? html`<slot name="retry"></slot>` : nothing}
    </section>`;
  }

  readonly #again = (): void => this.#poller.start();
}

/** A drawing for each view, so that colour is not the only difference. */
const marks: Readonly<Record<StatusView, string>> = {
  pending: 'M12 3a9 9 0 1 1-9 9',
  paid: 'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0M8 12l3 3 5-6',
  failed: 'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0M9 9l6 6m0-6l-6 6',
  expired: 'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0M12 7v5l3 2',
  review: 'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0M12 7v6m0 3v.5',
  refunded: 'M4 8h11a5 5 0 0 1 0 10H8M8 4L4 8l4 4',
};

declare global {
  interface HTMLElementTagNameMap {
    'pay-status': PayStatus;
  }
}
