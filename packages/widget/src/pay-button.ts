import { html, isServer, LitElement, nothing, type TemplateResult } from 'lit';
import { amountTemplate } from './amount.ts';
import { CheckoutController, type PayOutcome } from './checkout-controller.ts';
import { type CheckoutPhase, isBusy } from './checkout-state.ts';
import { buttonLabels } from './labels.ts';
import { lineBelow } from './line-below.ts';
import { clearServedRoot, defineOnce, localeOf, sortChildren } from './page.ts';
import { payButtonStyles } from './pay-button.styles.ts';

/**
 * Asks the shop's own server for a payment link and sends the shopper there. A `<form>` inside is
 * shown until the element can work, so the shop sells without scripts too.
 * @tagname pay-button
 * @fires {PayStartEvent} pay-start - an attempt begins; cancelable, `waitUntil(promise)`
 * @fires {PayRedirectEvent} pay-redirect - about to leave for `redirectUrl`; cancelable
 * @fires {PayErrorEvent} pay-error - ended without a redirect: `code`, `outcome`, `retryable`
 * @fires {PayReturnEvent} pay-return - came back by the back-forward cache
 * @fires {PayStateEvent} pay-state - the state changed
 * @slot - the button's text, instead of `label`; a `<form>` moves to the slot `form`
 * @slot form - a `<form>` for browsers without scripts, shown while the element cannot work
 * @slot prefix - a mark before the text, instead of the padlock
 * @slot suffix - a mark after the text
 * @csspart button - the button
 * @csspart label - its text
 * @csspart spinner - turns while busy
 * @csspart amount - the amount
 * @csspart message - the progress of the attempt, or the text of an error
 * @csspart methods - the marks of the payment methods, while there is no message
 * @csspart link - "Continue to payment", when the browser did not follow the redirect
 * @cssstate busy - an attempt is running
 * @cssstate error - the last attempt failed
 * @cssstate offline - the browser has no network
 * @cssprop [--pay-button-background] - the button's colour; outline and plain: the text's colour
 * @cssprop [--pay-button-color] - the text on it
 * @cssprop [--pay-button-border-color] - the line around the button
 * @cssprop [--pay-button-error-color] - the text of an error
 * @cssprop [--pay-button-focus-ring] - the ring around the focused button or link
 * @cssprop [--pay-button-radius=0.75rem] - the button's corners
 * @cssprop [--pay-button-height=max(3rem, 44px)] - the button's minimum height; `size` changes the default
 * @cssprop [--pay-button-width=max(18rem, 288px)] - the element's width, never more than its container's
 * @cssprop [--pay-button-font] - a whole `font` value
 */
export class PayButton extends LitElement {
  static override properties = {
    endpoint: {},
    orderId: { attribute: 'order-id' },
    amount: {},
    currency: {},
    locale: {},
    label: {},
    variant: { reflect: true, useDefault: true },
    size: { reflect: true, useDefault: true },
    fullWidth: { attribute: 'full-width', reflect: true, type: Boolean },
    disabled: { type: Boolean, noAccessor: true },
    allowedOrigins: { attribute: 'allowed-origins' },
    timeoutMs: { attribute: 'timeout-ms', type: Number },
    credentials: {},
    target: {},
    methods: {},
    message: {},
    data: { attribute: false },
  };
  /** For `<fieldset disabled>`. The element adds nothing to a form. */
  static readonly formAssociated = true;
  static override shadowRootOptions: ShadowRootInit = { mode: 'open', delegatesFocus: true };
  /** The version of this package; `npm run release:version` writes it. */
  static readonly version: string = '0.1.0';
  static override styles = payButtonStyles;

  /** The checkout address of the shop's own server. Required. */
  declare endpoint: string;
  /** The id of the shop's order. Required. */
  declare orderId: string;
  /** Shown only, as decimal text such as `115.00`; the price is the server's. */
  declare amount: string;
  /** ISO 4217 code of the shown amount. @defaultValue `SAR` */
  declare currency: string;
  /** BCP 47 tag. @defaultValue the nearest `lang` around the element, else `en` */
  declare locale: string;
  /** The button's text. @defaultValue "Pay" in the page's language */
  declare label: string;
  /** The button's weight on the page. @defaultValue `primary` */
  declare variant: 'primary' | 'outline' | 'plain';
  /** The button's height and the size of its text. @defaultValue `medium` */
  declare size: 'small' | 'medium' | 'large';
  /** As wide as the container. */
  declare fullWidth: boolean;
  /** Origins that a redirect may go to, space-separated; an empty list allows none. */
  declare allowedOrigins: string | null;
  /** How long the server may take to answer, in milliseconds. @defaultValue 30000 */
  declare timeoutMs: number;
  /** Whether cookies go to another origin: `include`; to none: `omit`. @defaultValue `same-origin` */
  declare credentials: RequestCredentials;
  /** The window that leaves for the hosted page. @defaultValue `self` */
  declare target: 'self' | 'top';
  /** The marks to show, space-separated: `mada`, `visa`, `mastercard`, `apple-pay`. */
  declare methods: string;
  /** Room for the texts below: for one that is there, always, or never. @defaultValue `auto` */
  declare message: 'auto' | 'below' | 'none';
  /** More fields for the server, sent beside `orderId`. Must be writable as JSON. */
  declare data: Record<string, unknown> | undefined;

  readonly #checkout = new CheckoutController(this);
  readonly #internals = this.attachInternals();
  readonly #update = (): void => this.requestUpdate();
  #shown: CheckoutPhase = 'idle';
  /** A server sees neither children nor page, and the first update of its HTML must match it. */
  #served = isServer || this.#internals.shadowRoot !== null;

  constructor() {
    super();
    this.endpoint = '';
    this.orderId = '';
    this.amount = '';
    this.currency = 'SAR';
    this.locale = '';
    this.label = '';
    this.variant = 'primary';
    this.size = 'medium';
    this.fullWidth = false;
    this.allowedOrigins = null;
    this.timeoutMs = 0;
    this.credentials = 'same-origin';
    this.target = 'self';
    this.methods = '';
    this.message = 'auto';
  }

  /** Registers the element, under another name or in another registry too. */
  static define(tag?: string, registry?: CustomElementRegistry): void {
    defineOnce(this, 'pay-button', tag, registry);
  }

  /** Set by the page only: a busy button keeps the focus. @default false */
  get disabled(): boolean {
    return this.hasAttribute('disabled');
  }
  set disabled(disabled: boolean | undefined) {
    this.toggleAttribute('disabled', Boolean(disabled)); // `undefined` would toggle
  }

  /** The attribute, or that of a fieldset around the element, has changed. */
  formDisabledCallback(): void {
    this.requestUpdate();
  }

  /** The phase of the running or last attempt. */
  get state(): CheckoutPhase {
    return this.#checkout.state.phase;
  }

  /**
   * Begins an attempt, as a press does, or waits for the running one.
   * @returns {Promise<PayOutcome>} how the attempt ended; the promise never rejects
   */
  pay(): Promise<PayOutcome> {
    return this.#checkout.pay();
  }

  /** Cancels the attempt, or removes an error: the button is ready again. */
  cancel(): void {
    this.#checkout.cancel();
  }

  /** Puts the focus on the button; `delegatesFocus` does not while a child of the element has it. */
  override focus(options?: FocusOptions): void {
    this.renderRoot.querySelector('button')?.focus(options);
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    clearServedRoot(this);
    return super.createRenderRoot();
  }

  protected override render(): TemplateResult {
    const { state } = this.#checkout;
    const served = this.#served;
    const locale = served ? this.locale || 'en' : localeOf(this);
    const labels = buttonLabels.find(locale);
    const busy = isBusy(state);
    const hasText = !served && sortChildren(this);
    const label = this.label || labels.pay;
    // A slot without a form shows its own content: the button.
    return html`<slot name=${this.#works ? 'none' : 'form'}
      ><div lang=${labels.language} dir=${labels.direction}>
        <button
          part="button"
          ?disabled=${served ? this.disabled : this.matches(':disabled')}
          aria-disabled=${busy}
          aria-busy=${busy}
          aria-describedby="message"
          @click=${this.pay}
        >
          <span class="mark"
            ><slot name="prefix"
              ><svg viewBox="0 0 14 16" aria-hidden="true">
                <path
                  fill-rule="evenodd"
                  d="M3 6V4a4 4 0 0 1 8 0v2h2v10H1V6zm2 0h4V4a2 2 0 0 0-4 0z"
                /></svg></slot
            ><i part="spinner"></i
          ></span>
          <span part="label"
            ><slot @slotchange=${this.#update}>${served ? label : nothing}</slot
            >${served || hasText ? nothing : label}</span
          >
          ${amountTemplate(...this.#checkout.price, locale, labels.riyal)}
          <slot name="suffix"></slot>
        </button>
        ${lineBelow(state, labels, this)}
      </div></slot
    >`;
  }

  protected override updated(): void {
    const phase = this.state;
    this.#setState('busy', isBusy(this.#checkout.state));
    this.#setState('error', phase === 'failed');
    this.#setState('offline', !navigator.onLine);
    if (phase === 'stalled' && this.#shown !== phase) this.renderRoot.querySelector('a')?.focus();
    this.#shown = phase;
    // The focus moves from the form's button to the button that replaces the form.
    if (this.#works && this.querySelector('[slot=form]:focus-within')) this.focus();
    if (this.#served) {
      this.#served = false;
      this.requestUpdate();
    }
  }

  #setState(name: string, on: boolean): void {
    try {
      this.#internals.states[on ? 'add' : 'delete'](name);
    } catch {
      // Browsers before 2024 accept dashed names only; they go without the state.
    }
  }

  get #works(): boolean {
    return !this.#served && Boolean(this.endpoint && this.orderId);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'pay-button': PayButton;
  }
}
