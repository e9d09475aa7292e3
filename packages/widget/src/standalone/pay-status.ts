/** The source of `dist/pay-status.js`: one script tag, nothing else to load. */
import { PayStatus } from '../pay-status.ts';
import { registerStatusLabels } from '../status-labels.ts';

PayStatus.define();

export { PayStatus, registerStatusLabels };
