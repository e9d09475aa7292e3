/** A button of a design system: its looks and states, and nothing of a payment. */
import '@material/web/button/filled-button.js';
