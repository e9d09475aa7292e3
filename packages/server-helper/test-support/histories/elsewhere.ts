import type { SimulatedSession } from '../simulated-gateway.ts';
import type { SimulatedTransaction } from '../simulated-transactions.ts';
import type { ElsewhereDeed } from './action.ts';
import type { Shop } from './shop.ts';

interface Taken {
  readonly shop: Shop;
  readonly session: SimulatedSession;
  readonly transaction: SimulatedTransaction;
}

/** Our refunds are of 1.10 and its multiples: refunds of this amount explain none of them. */
const PART_MINOR_UNITS = 3;

const deeds: Readonly<Record<ElsewhereDeed['what'], (taken: Taken) => void>> = {
  'refund-part': ({ shop, transaction }) =>
    shop.gateway.transactions.refundOnDashboard(transaction, PART_MINOR_UNITS),
  'refund-rest': ({ shop, transaction }) =>
    shop.gateway.transactions.refundOnDashboard(transaction, Infinity),
  reversal: ({ transaction }) => void (transaction.state = 'reversed'),
  'second-charge': ({ shop, session }) => {
    // A card is typed on a hosted page; a sale has none.
    if (shop.handedOut.has(session.id)) shop.gateway.payLate(session.id);
  },
};

/** Lets something happen at the gateway; nothing happens to an order that has no money there. */
export function happenElsewhere(shop: Shop, { orderId, what, pick }: ElsewhereDeed): void {
  const taken = [...shop.gateway.sessions.values()]
    .filter((session) => session.orderId === orderId)
    .flatMap((session) => session.transactions.map((transaction) => ({ session, transaction })))
    .filter(({ transaction }) => transaction.state === 'captured');
  const one = taken[pick % Math.max(1, taken.length)];
  if (one !== undefined) deeds[what]({ shop, ...one });
}
