/** A design system's button: styles and states, no payment. */
import '@awesome.me/webawesome/dist/components/button/button.js';
