import { moneyOperations } from './money-moves.ts';
import { paymentLinkOperations } from './payment-links.ts';
import { portalOperations } from './portal.ts';
import { saleOperations } from './sale.ts';
import { statusOperations } from './status.ts';
import { webhookOperations } from './webhooks.ts';

/** The operations of the gateway by the client's method names. Each stands in full beside its method. */
export const operations = {
  ...paymentLinkOperations,
  ...statusOperations,
  ...moneyOperations,
  ...saleOperations,
  ...webhookOperations,
  ...portalOperations,
};
