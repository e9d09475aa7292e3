/** A button of a design system: its looks and states, and nothing of a payment. */
import '@awesome.me/webawesome/dist/components/button/button.js';
