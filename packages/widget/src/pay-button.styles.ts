import { css } from 'lit';

/**
 * The styles of `<pay-button>`. Sizes follow the page's root font down to a floor in pixels;
 * `reserve.css` repeats the box. (A comment within the styles would be loaded by shoppers.)
 *
 * - `--_grey` is half of the lightness scale away from the text, which is more than 4.5:1. So a mix
 *   of face and grey has 4.5:1 too, if the merchant's colours have it: the label can be read under
 *   the pointer, pressed and disabled. Browsers without relative colours show no change.
 * - The face changes slowly under the pointer only: a new colour scheme of the page comes at once.
 * - Forced colours would close the gap in the ring that turns.
 * - Paper is white, and browsers print no backgrounds.
 */
export const payButtonStyles = css`
  :host {
    --_ink: var(--pay-button-background, light-dark(#10231c, #eef6f1));
    --_face: var(--_ink);
    --_text: var(--pay-button-color, light-dark(#fff, #10231c));
    --_type: max(1rem, 16px);
    --_height: max(3rem, 44px);
    --_error: light-dark(#b3261e, #ffb4ab);
    display: inline-block;
    inline-size: var(--pay-button-width, max(18rem, 288px));
    max-inline-size: 100%;
    vertical-align: top;
    text-align: center;
    text-wrap: balance;
    font: var(--pay-button-font, 600 var(--_type) / 1.25 system-ui, sans-serif);
  }
  :host([full-width]) {
    inline-size: 100%;
  }
  :host([size='small']) {
    --_type: max(0.875rem, 14px);
    --_height: max(2.5rem, 44px);
  }
  :host([size='large']) {
    --_type: max(1.125rem, 18px);
    --_height: max(3.5rem, 52px);
  }
  :host([variant='outline']),
  :host([variant='plain']) {
    --_face: transparent;
    --_text: var(--_ink);
  }
  :host([variant='outline']) {
    --_border: currentColor;
  }
  :host([hidden]) {
    display: none;
  }
  button {
    inline-size: 100%;
    min-block-size: var(--pay-button-height, var(--_height));
    padding: 0 1em;
    border: 1px solid var(--pay-button-border-color, var(--_border, transparent));
    border-radius: var(--pay-button-radius, 0.75rem);
    background: var(--_face);
    color: var(--_text);
    font: inherit;
    cursor: pointer;
  }
  @supports (color: lab(from light-dark(red, red) l a b)) {
    button {
      --_grey: lab(from var(--_text) calc(l + clamp(-52, (50 - l) * 99, 52)) 0 0);
    }
    @media screen and (hover: hover) {
      [aria-busy='false']:enabled:hover {
        background: color-mix(in lab, var(--_face), var(--_grey) 20%);
      }
    }
    [aria-busy='false']:enabled:active {
      background: color-mix(in lab, var(--_face), var(--_grey) 36%);
    }
    button:disabled {
      background: color-mix(in lab, var(--_face), var(--_grey) 60%);
    }
  }
  @media screen and (prefers-reduced-motion: no-preference) {
    button:hover {
      transition: background-color 120ms;
    }
    [aria-busy='true'] i {
      animation: turn 0.8s linear infinite;
    }
  }
  button:disabled {
    cursor: not-allowed;
  }
  :focus-visible {
    outline: 3px solid var(--pay-button-focus-ring, light-dark(#0a7a55, #5fe0b0));
    outline-offset: 2px;
  }
  svg {
    block-size: 0.9em;
    fill: currentColor;
  }
  bdi {
    margin-inline-start: 0.25em;
    white-space: nowrap;
  }
  bdi svg {
    block-size: 0.8em;
  }
  .mark {
    display: inline-grid;
    margin-inline-end: 0.25em;
    vertical-align: -0.15em;
  }
  .mark * {
    grid-area: 1/1;
  }
  i {
    block-size: 0.8em;
    aspect-ratio: 1;
    border: 2px solid;
    border-block-start-color: transparent;
    border-radius: 50%;
    opacity: 0;
  }
  [aria-busy='true'] {
    cursor: progress;
  }
  [aria-busy='true'] i {
    opacity: 1;
  }
  [aria-busy='true'] svg:not(bdi *) {
    opacity: 0;
  }
  @keyframes turn {
    to {
      rotate: 1turn;
    }
  }
  div div {
    inline-size: 0;
    min-inline-size: 100%;
    font-size: max(0.8125rem, 13px);
    font-weight: 500;
    line-height: max(1.25rem, 20px);
  }
  .reserved {
    min-block-size: 2lh;
    margin-block-start: max(0.25rem, 4px);
  }
  [part='methods'] svg {
    box-sizing: border-box;
    block-size: max(1.5rem, 24px);
    margin: 0.25rem 0.125rem 0;
    border: 1px solid #8888;
    border-radius: 0.25rem;
    background: #fff;
    forced-color-adjust: none;
  }
  .failed {
    color: var(--pay-button-error-color, var(--_error));
  }
  a {
    color: inherit;
  }
  @media (prefers-contrast: more) {
    :host {
      --_border: currentColor;
      --_error: light-dark(#8c1d18, #ffdad6);
    }
    :focus-visible {
      outline-width: 4px;
    }
  }
  @media (forced-colors: active) {
    i {
      border-color: ButtonText;
      border-block-start-color: transparent;
      forced-color-adjust: none;
    }
  }
  @media print {
    :host {
      --_ink: #000;
      --_face: transparent;
      --_text: #000;
      --_border: #000;
      color-scheme: light;
    }
  }
`;
