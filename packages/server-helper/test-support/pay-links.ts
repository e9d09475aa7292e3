import type { Reply, Shop } from './shop.ts';

const browser = {
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1',
};

/** The path of an order's pay link. */
export const payPathOf = (shop: Shop, orderId = '1001'): string =>
  new URL(shop.payments.payLink(orderId)).pathname;

/** Opens a pay link as a person's browser does, but for the given headers. */
export const openPayLink = (
  shop: Shop,
  headers: Readonly<Record<string, string>> = {},
  path = payPathOf(shop),
  method = 'GET',
): Promise<Reply> => shop.send(path, { method, headers: { ...browser, ...headers } });
