import {
  createPayments,
  type Payments,
  type PaymentsOptions,
  postgresStore,
  sqliteStore,
  type Store,
} from '@pay-button/server-helper';
import pg from 'pg';
import type { StoreName } from './engine/names.ts';

/** What every shop knows of an order. */
export const orderOf = (orderId: string) => ({
  orderId,
  amount: '115.00',
  currency: 'SAR',
  customer: { name: 'Noura Al-Qahtani', email: 'noura@example.com', phone: '0501234567' },
});

/** The gateway's key. */
export const apiKey = 'staging-key-0123456789abcdef';

/** A pool of the usual size; a round of another shop must not cost this one its connections. */
export const poolOf = (connectionString: string): pg.Pool =>
  new pg.Pool({ connectionString, idleTimeoutMillis: 0 });

/** Our store at a database's address or in a file. */
export const storeAt = (storeName: StoreName, address: string, pool?: pg.Pool): Store<unknown> =>
  storeName === 'PostgreSQL'
    ? postgresStore({ pool: pool ?? poolOf(address) })
    : sqliteStore({ file: address });

/** The payments of a shop that is measured, the same but for what a measurement sets. */
export const ourPayments = (
  gatewayOrigin: string,
  store: Store<unknown>,
  more: Partial<PaymentsOptions<unknown>> = {},
): Payments =>
  createPayments({
    gateway: { environment: 'staging', baseUrl: `${gatewayOrigin}/v1`, apiKey },
    publicUrl: 'https://shop.example',
    tokenSecrets: ['a-secret-of-thirty-two-characters!'],
    store,
    loadOrder: orderOf,
    pages: { success: '/thanks/:orderId', pending: '/wait/:orderId', failure: '/retry/:orderId' },
    ...more,
  });
