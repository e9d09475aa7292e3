import { createHash, randomInt } from 'node:crypto';
import { basketTotal } from '../basket/basket.ts';
import type { ShopDatabase } from '../database/shop-database.ts';
import type { OrderInput } from './order-input.ts';

/** Letters and digits that nobody mixes up when reading an order number aloud. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const ID_LENGTH = 12;

/** Where orders are written down, and when. */
export interface OrderBook {
  readonly database: Pick<ShopDatabase<never>, 'saveOrder'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Keeps a new order at today's prices.
 *
 * @param requestId - The same for every sending of one form; together with owner and content it
 * decides whether this is a new order or the one before, sent twice.
 * @returns the order's id.
 */
export async function placeOrder(
  { database, now }: OrderBook,
  owner: string,
  input: OrderInput,
  requestId: string,
): Promise<string> {
  const sent = JSON.stringify([owner, requestId, input.lines, input.customer]);
  return database.saveOrder({
    ...input,
    orderId: newOrderId(),
    owner,
    halalas: basketTotal(input.lines),
    placedAt: new Date(now()).toISOString(),
    requestKey: createHash('sha256').update(sent).digest('base64url'),
  });
}

function newOrderId(): string {
  return Array.from({ length: ID_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
