import { html, nothing, svg, type TemplateResult } from 'lit';
import { type CheckoutState, isOpen } from './checkout-state.ts';
import { type ButtonLabels, messageOf } from './labels.ts';
import { methodMarks } from './method-marks.ts';

/** The attributes of the button that decide what the line shows. */
export interface LineOptions {
  readonly message: string;
  readonly methods: string;
  readonly target: string;
}

/**
 * The line below the button: the progress of an attempt, its error, the link of a stalled attempt,
 * or else the marks of the payment methods. A line without any of these takes no room, unless the
 * page reserves it (`message="below"`). `message="none"` leaves the texts to the page, but not the
 * link: a shopper whose browser stayed has no other way on.
 */
export function lineBelow(
  state: CheckoutState,
  labels: ButtonLabels,
  { message, methods, target }: LineOptions,
): TemplateResult {
  const { phase, redirectUrl } = state;
  const stalled = phase === 'stalled';
  const text = stalled || message !== 'none' ? messageOf(state, labels) : '';
  const marks = marksOf(methods);
  // Progress and error have a template each: new text in one centred node counts as a layout shift.
  return html`<div class=${text || marks.length || message === 'below' ? 'reserved' : nothing}>
    <span id="message" part="message" role="status" class=${phase}
      >${
        stalled
          ? html`<a part="link" href=${redirectUrl} target=${`_${target}`}>${labels.link}</a>`
          : isOpen(state)
            ? html`${text}`
            : text
              ? html`<span>${text}</span>`
              : nothing
      }</span
    >
    ${marks.length && !text ? html`<span part="methods">${marks}</span>` : nothing}
  </div>`;
}

/** The marks of the payment methods in the shop's order, each once. Unknown names are left out. */
function marksOf(methods: string): TemplateResult[] {
  return [...new Set(methods.split(' '))].flatMap((method) => {
    const mark = methodMarks.get(method);
    if (!mark) return [];
    const [name, ...shapes] = mark;
    const paths = shapes.map(([color, path]) => svg`<path fill=${color} d=${path} />`);
    return html`<svg role="img" aria-label=${name} viewBox="0 0 34 22">${paths}</svg>`;
  });
}
