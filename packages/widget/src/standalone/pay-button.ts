/** The source of `dist/pay-button.js`: one script tag, nothing else to load. */
import { registerLabels } from '../labels.ts';
import { PayButton } from '../pay-button.ts';

PayButton.define();

export { PayButton, registerLabels };
