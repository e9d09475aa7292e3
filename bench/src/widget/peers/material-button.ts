/** A design system's button: styles and states, no payment. */
import '@material/web/button/filled-button.js';
