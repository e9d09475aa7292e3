import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, expectTypeOf, it } from 'vitest';
import { startShop } from '../../test-support/shop-of-test.ts';
import type { Shop } from '../../test-support/shop.ts';
import { temporaryFolder } from '../../test-support/temporary-folder.ts';
import type { PaymentEvent, ReviewReason } from '../index.ts';
import type { EventHandlers } from '../options/payments-options.ts';
import { sqliteStore } from '../stores/sqlite/sqlite-store.ts';

// What the id of an event is made of stands beside what happens, in the tests of payments/.

const ORDER = '1001';
const declined = { transactionStatus: 'FAILED', paymentStatus: 'DECLINED' };
const part = { refundStatus: 'PARTIAL', totalRefundAmount: '10.00' };

let file: string;
let live: Shop;
let session: string;
/** The ids that the live shop's handlers got. */
let handled: string[];

const noting = (note: string[]): EventHandlers => {
  const take = ({ id }: PaymentEvent): void => void note.push(id);
  return { paid: take, refunded: take };
};

beforeEach(async () => {
  file = join(temporaryFolder(), 'live.db');
  handled = [];
  live = await startShop({ payments: { store: sqliteStore({ file }), on: noting(handled) } });
  ({ session } = await live.open(ORDER));
});

/** Takes a backup of the live shop, and returns how to open it beside that. */
function backup(): (note?: string[]) => Promise<Shop> {
  const copy = `${file}.copy`;
  const database = new DatabaseSync(file);
  database.exec(`VACUUM INTO '${copy}'`);
  database.close();
  return async (note = []) => {
    const store = sqliteStore({ file: copy });
    const restored = await startShop({ beside: live, payments: { store, on: noting(note) } });
    restored.later(120_000);
    return restored;
  };
}

const show = async (shop: Shop, ...rows: readonly object[]) =>
  (await shop.finds(session, ...rows))?.state;

/** The ids of the events so far, without the order's. */
async function idsOf(shop: Shop): Promise<readonly string[]> {
  const explained = await shop.payments.explain(ORDER);
  return (explained?.effects ?? []).map(({ eventId }) => eventId.slice(ORDER.length + 1));
}

const unclear = { transactionId: 't-1', paymentStatus: 'DONE' };
const unreadable = { transactionId: 'T-1', amount: {} };

it('one transaction in two spellings of an answer has one review, and another id once that had ended', async () => {
  await show(live, unclear, unreadable);
  expect(await idsOf(live)).toEqual(['review/unreadable_answer:t-1']);
  await show(live, { transactionId: 't-1', paymentStatus: 'PENDING' });
  await show(live, unreadable);
  const again = expect.stringMatching(/^review\.\d{13}\/unreadable_answer:t-1$/) as string;
  expect(await idsOf(live)).toEqual(['review/unreadable_answer:t-1', again]);
});

it('after an older database was restored a handler gets what was lost by the id that it has handled', async () => {
  const restore = backup();
  await show(live, declined);
  await show(live, {});
  await show(live, part);
  await live.payments.tick();
  const found: string[] = [];
  const restored = await restore(found);
  await show(restored, {});
  await show(restored, part);
  await restored.payments.tick();
  expect(found).toEqual(handled);
  expect(found).toHaveLength(2);
});

it('after an older database was restored another link under the number of a lost one has ids of its own', async () => {
  const restore = backup();
  const shops = [live, await restore()];
  for (const shop of shops) {
    shop.reprice('120.00');
    shop.later();
    ({ session } = await shop.open(ORDER));
    expect(await show(shop, { ...declined, amount: '120.00' })).toBe('failed');
    shop.gateway.rows.clear();
  }
  live.later(49 * 3_600_000);
  for (const { payments } of shops) await payments.confirm(ORDER);
  const ids = (await Promise.all(shops.map(idsOf))).flat();
  expect(ids).toHaveLength(4);
  expect(new Set(ids).size).toBe(ids.length);
});

it('the type of an event tells what it is about', () => {
  type Handled<Type extends keyof EventHandlers> = Parameters<NonNullable<EventHandlers[Type]>>[0];
  expectTypeOf<Handled<'paid'>['transactionId']>().toEqualTypeOf<string>();
  expectTypeOf<Handled<'review'>['reason']>().toEqualTypeOf<ReviewReason>();
  type Told<Type> = Extract<PaymentEvent, { readonly type: Type }>;
  expectTypeOf<Told<'paid'>['transactionId']>().toEqualTypeOf<string>();
  expectTypeOf<Told<'review'>['reason']>().toEqualTypeOf<ReviewReason>();
});
