import { css } from 'lit';

/** The styles of `<pay-status>`. */
export const payStatusStyles = css`
  :host {
    display: block;
    font: var(--pay-status-font, max(1rem, 16px) / 1.5 system-ui, sans-serif);
  }
  :host([hidden]) {
    display: none;
  }
  section {
    --_tone: var(--pay-status-color, light-dark(#46505a, #b9c3cd));
    display: grid;
    justify-items: center;
    gap: 0.5rem;
    padding: 1.5rem 1rem;
    border: 1px solid color-mix(in srgb, var(--_tone) 30%, transparent);
    border-radius: var(--pay-status-radius, 1rem);
    background: color-mix(in srgb, var(--_tone) 7%, transparent);
    text-align: center;
    text-wrap: balance;
  }
  .paid {
    --_tone: var(--pay-status-paid-color, light-dark(#0a6b4a, #5fe0b0));
  }
  .failed,
  .expired {
    --_tone: var(--pay-status-failed-color, light-dark(#b3261e, #ffb4ab));
  }
  .review {
    --_tone: var(--pay-status-review-color, light-dark(#805400, #f5c563));
  }
  svg {
    inline-size: 3rem;
    fill: none;
    stroke: var(--_tone);
    stroke-width: 2;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  strong {
    display: block;
    font-size: 1.25em;
    line-height: 1.3;
  }
  p {
    max-inline-size: 34ch;
    margin: 0.25rem 0 0;
  }
  bdi {
    font-weight: 600;
  }
  bdi svg {
    inline-size: auto;
    block-size: 0.8em;
    fill: currentColor;
    stroke: none;
  }
  button {
    min-block-size: max(2.75rem, 44px);
    padding: 0 1.25em;
    border: 1px solid;
    border-radius: 0.75rem;
    background: none;
    color: inherit;
    font: inherit;
    font-weight: 600;
    cursor: pointer;
  }
  button:focus-visible {
    outline: 3px solid light-dark(#0a7a55, #5fe0b0);
    outline-offset: 2px;
  }
  @media (prefers-reduced-motion: no-preference) {
    .pending > svg {
      animation: turn 2s linear infinite;
    }
  }
  @media print {
    :host {
      color-scheme: light;
    }
  }
  @keyframes turn {
    to {
      rotate: 1turn;
    }
  }
`;
