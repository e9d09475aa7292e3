import { saveOf } from '../src/flows/change-payment.ts';
import express from 'express';
import type { RequestHandler } from 'express';
import { onTestFinished } from 'vitest';
import { backOffice, type BackOfficeOptions } from '../src/back-office/back-office.ts';
import { createPayments, type PaymentsOptions } from '../src/index.ts';
import type { Change, Movement } from '../src/payments/record.ts';
import { memoryStore } from '../src/testing.ts';
import { hostOf } from './shop-host.ts';
import { someOptions } from './some-options.ts';
import type { Store } from '../src/stores/store.ts';

export interface OfficeShopOptions {
  readonly office?: Partial<BackOfficeOptions>;
  readonly payments?: Partial<PaymentsOptions<unknown>>;
  readonly store?: Store<unknown>;
  /** Where Express mounts the back office. */
  readonly mountAt?: string;
  /** Runs before the back office, as a body parser or a sign-in does. */
  readonly before?: RequestHandler;
}

export type OfficeShop = Awaited<ReturnType<typeof startOfficeShop>>;

/** A shop whose back office is served by Express 5 on a real port; `x-actor` is its sign-in. */
export async function startOfficeShop(options: OfficeShopOptions = {}) {
  const { mountAt = '/admin/payments', store = memoryStore() } = options;
  const payments = createPayments({
    ...someOptions(),
    store,
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
    ...options.payments,
  });
  const office = backOffice(payments, {
    actor: (request) => request.headers['x-actor'] as string | undefined,
    ...options.office,
  });
  const app = express();
  if (options.before !== undefined) app.use(options.before);
  app.use(mountAt, office);
  const host = await hostOf(app.listen(0, '127.0.0.1'));
  return {
    payments,
    store,
    office,
    port: host.port,
    /** The address of the mount, with its slash. */
    url: `http://127.0.0.1:${host.port}${mountAt}/`,
    async close(): Promise<void> {
      host.close();
      await payments.close();
    },
  };
}

/** A shop that has these orders, and ends with the test. */
export async function openOffice(options: OfficeShopOptions = {}, ...orders: readonly Change[]) {
  const shop = await startOfficeShop(options);
  onTestFinished(() => shop.close());
  for (const order of orders) await put(shop, order);
  return shop;
}

/**
 * Saves a change as the flows do.
 *
 * @param movements - In place of what the change moves.
 */
export async function put(
  { store }: Pick<OfficeShop, 'store'>,
  change: Change,
  movements?: readonly Movement[],
): Promise<void> {
  await store.open('staging/default');
  const { orderId, updatedAt } = change.payment;
  const save = saveOf(await store.load(orderId), change, updatedAt);
  const result = await store.save(movements === undefined ? save : { ...save, movements });
  if (result.outcome !== 'saved') throw new Error(`not saved: ${result.outcome}`);
}
