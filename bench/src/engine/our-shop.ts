import { createPayments, postgresStore, sqliteStore, type Store } from '@pay-button/server-helper';
import express, { type Express } from 'express';
import { poolOf } from './floor-tables.ts';
import type { StoreName } from './names.ts';
import { apiKey, orderOf } from './orders.ts';

/**
 * A shop with our router, on a database's address or a file.
 *
 * @param watches - Whether its background work runs, and events are delivered.
 * @param loadOrder - The shop's own record of an order.
 */
export async function ourShop(
  gatewayOrigin: string,
  storeName: StoreName,
  address: string,
  watches: boolean,
  loadOrder: typeof orderOf = orderOf,
): Promise<Express> {
  const store = (
    storeName === 'PostgreSQL'
      ? postgresStore({ pool: poolOf(address) })
      : sqliteStore({ file: address })
  ) as Store<unknown>;
  const payments = createPayments({
    gateway: { environment: 'staging', baseUrl: `${gatewayOrigin}/v1`, apiKey },
    publicUrl: 'https://shop.example',
    tokenSecrets: ['a-secret-of-thirty-two-characters!'],
    store,
    loadOrder,
    // The shops beside it refuse nobody either, however busy the machine is.
    shedLoad: watches,
    on: watches ? { paid: () => undefined } : {},
    pages: { success: '/thanks/:orderId', pending: '/wait/:orderId', failure: '/retry/:orderId' },
  });
  await payments.retrieve('no-such-order'); // Opens the store.
  if (watches) payments.start();
  return express().use('/pay', payments.router());
}
