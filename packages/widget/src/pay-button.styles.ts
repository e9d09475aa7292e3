import { css } from 'lit';

/** The styles of `<pay-button>`. The box is the same in every state; `reserve.css` repeats it. */
export const payButtonStyles = css`
  :host {
    --_ink: var(--pay-button-background, light-dark(#10231c, #eef6f1));
    --_face: var(--_ink);
    --_text: var(--pay-button-color, light-dark(#fff, #10231c));
    display: inline-block;
    inline-size: var(--pay-button-width, 18rem);
    max-inline-size: 100%;
    vertical-align: top;
    text-align: center;
    text-wrap: balance;
    font: var(--pay-button-font, 600 1rem/1.25 system-ui, sans-serif);
  }
  :host([full-width]) {
    inline-size: 100%;
  }
  :host([size='small']) {
    --_height: 2.5rem;
  }
  :host([size='large']) {
    --_height: 3.5rem;
  }
  :host([variant='outline']),
  :host([variant='plain']) {
    --_face: none;
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
    min-block-size: var(--pay-button-height, var(--_height, 3rem));
    padding: 0 1em;
    border: 1px solid var(--pay-button-border-color, var(--_border, transparent));
    border-radius: var(--pay-button-radius, 0.75rem);
    background: var(--_face);
    color: var(--_text);
    font: inherit;
    cursor: pointer;
  }
  button:hover {
    filter: brightness(1.2);
  }
  button:disabled {
    opacity: 0.5;
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
  @media (prefers-reduced-motion: no-preference) {
    [aria-busy='true'] i {
      animation: turn 0.8s linear infinite;
    }
  }
  @keyframes turn {
    to {
      rotate: 1turn;
    }
  }
  div div {
    block-size: 2.5rem;
    inline-size: 0;
    min-inline-size: 100%;
    margin-block-start: 0.25rem;
    font-size: 0.8125rem;
    font-weight: 500;
    line-height: 1.25rem;
  }
  [part='methods'] svg {
    box-sizing: border-box;
    block-size: 1.5rem;
    margin: 0.25rem 0.125rem 0;
    border: 1px solid #8888;
    border-radius: 0.25rem;
    background: #fff;
    fill: #10231c;
    font: 700 7.5px/1 sans-serif;
    direction: ltr;
    forced-color-adjust: none;
  }
  .failed {
    color: var(--pay-button-error-color, light-dark(#b3261e, #ffb4ab));
  }
  a {
    color: inherit;
  }
`;
