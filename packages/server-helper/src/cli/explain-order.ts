import { checkOrderId } from '../ids.ts';
import { explanationOf } from '../flows/explain.ts';
import type { Command } from './command.ts';
import { readShopSettings, requireSettings, storeSettings } from './shop-settings.ts';
import { writeTimelineOf } from './timeline-text.ts';
import { UsageError } from './usage-error.ts';
import { withStore } from './with-store.ts';

/** `pay-button explain ORDER` */
export const explainOrder: Command = {
  options: { merchant: 'text' },
  async run(invocation) {
    const { words, values, terminal } = invocation;
    const [order, ...others] = words;
    if (order === undefined || others.length > 0) {
      throw new UsageError('Name one order, as in: pay-button explain 1001', 'explain');
    }
    const orderId = checkOrderId(order);
    const settings = readShopSettings(invocation, 'explain');
    requireSettings(settings, storeSettings);
    const isJson = values['json'] === true;
    return withStore({ settings, terminal, isJson }, async (store) => {
      const record = await store.load(orderId);
      if (record === null) {
        if (isJson) terminal.json(null);
        else terminal.error(`The order ${orderId} has no payment: nobody asked for a link yet.`);
        return 1;
      }
      const explanation = explanationOf(record, await store.history(orderId));
      if (isJson) terminal.json(explanation);
      else writeTimelineOf(terminal, explanation);
      return 0;
    });
  },
};
