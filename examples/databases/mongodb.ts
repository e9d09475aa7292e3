import { sqliteStore, type EventHandlers } from '@pay-button/server-helper';
import { MongoClient } from 'mongodb';

/** The payments stay in a file beside the shop's own database. */
export const store = sqliteStore({ file: '.data/payments.db' });
const client = new MongoClient(process.env['MONGODB_URL'] ?? 'mongodb://127.0.0.1');
const orders = client
  .db('shop')
  .collection<{ _id: string; state: string; handledEvents: string[] }>('orders');

export const on: EventHandlers = {
  paid: async ({ id, orderId }) => {
    // The same event may come twice: the second time its id is in the document already.
    const result = await orders.updateOne(
      { _id: orderId, handledEvents: { $ne: id } },
      { $set: { state: 'to ship' }, $push: { handledEvents: id } },
    );
    const isHandled = result.matchedCount === 1 || (await orders.findOne({ _id: orderId }));
    if (!isHandled) throw new Error(`There is no order ${orderId}.`); // The kit calls again, later.
  },
};
