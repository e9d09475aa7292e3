/** What `dist/pay-status.js` is made of: one script tag, nothing else to load. */
import { PayStatus } from '../pay-status.ts';
import { registerStatusLabels } from '../status-labels.ts';

PayStatus.define();

export { PayStatus, registerStatusLabels };
