import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aCard } from '../../test-support/operation-inputs.ts';
import { statusRow } from '../../test-support/scripted-gateway.ts';
import { SharedGateway, sold } from '../../test-support/shared-gateway.ts';
import type { Shop } from '../../test-support/shop.ts';
import type { PaymentEvent } from '../index.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { sqliteStore } from '../stores/sqlite/sqlite-store.ts';

const ORDER = '1001';
const T1 = statusRow().transactionId;
const declined = { transactionStatus: 'FAILED', paymentStatus: 'DECLINED' };
const refunded = (refundStatus: string, totalRefundAmount: string) => ({
  refundStatus,
  totalRefundAmount,
});

let gateway: SharedGateway;
let folder: string;

beforeEach(() => {
  gateway = new SharedGateway();
  folder = mkdtempSync(join(tmpdir(), 'two-ids-'));
});
afterEach(async () => {
  await gateway.end();
  rmSync(folder, { recursive: true, force: true });
});

async function show(shop: Shop, ...rows: readonly unknown[]): Promise<string | undefined> {
  gateway.rows = rows;
  shop.later();
  return (await shop.payments.confirm(ORDER))?.state;
}

/** The ids of the events so far, without the order's. */
async function idsOf(shop: Shop): Promise<readonly string[]> {
  const { effects = [] } = (await shop.payments.explain(ORDER)) ?? {};
  return effects.map(({ eventId }) => eventId.slice(ORDER.length + 1));
}

async function accept(shop: Shop): Promise<void> {
  const [item] = await shop.payments.review.list();
  shop.later();
  await shop.payments.review.accept(item?.id ?? '', 'the customer agreed');
}

describe('two happenings of one order have two ids:', () => {
  let shop: Shop;

  beforeEach(async () => {
    shop = await gateway.shop(memoryStore());
    await shop.open(ORDER);
  });

  it('two refunds of the same amount', async () => {
    await show(shop, statusRow());
    await show(shop, statusRow(refunded('PARTIAL', '10.00')));
    await show(shop, statusRow(refunded('PARTIAL', '20.00')));
    expect(await idsOf(shop)).toEqual([`paid/${T1}`, `refunded/${T1}:1000`, `refunded/${T1}:2000`]);
  });

  it('money that was refunded in full, and the payment of the order that was then open again', async () => {
    const odd = { transactionId: 't-odd', amount: '1.00' };
    expect(await show(shop, statusRow(odd))).toBe('review');
    expect(await show(shop, statusRow({ ...odd, ...refunded('FULL', '1.00') }))).toBe('failed');
    gateway.rows = [];
    await shop.open(ORDER);
    expect(await show(shop, statusRow())).toBe('paid');
    const before = ['review/amount_mismatch:t-odd', 'refunded/t-odd:100'];
    expect(await idsOf(shop)).toEqual([...before, `paid/${T1}`]);
  });

  it('a refund of money beside the payment, and its acceptance with that refund', async () => {
    const odd = { amount: '100.00' };
    expect(await show(shop, statusRow(odd))).toBe('review');
    await show(shop, statusRow({ ...odd, ...refunded('PARTIAL', '10.00') }));
    await accept(shop);
    expect(await idsOf(shop)).toEqual([
      `review/amount_mismatch:${T1}`,
      `refunded/${T1}:1000`,
      `paid/${T1}`,
      `refunded.accepted/${T1}:1000`,
    ]);
  });

  it('a capture that came late, and its acceptance', async () => {
    const held = sold.transactionId.toLowerCase();
    gateway.answers.set('/sale', {
      code: 200,
      errorCode: null,
      data: { result: 'REDIRECT', status: 'REDIRECT', html: '<p>', ...sold },
    });
    await shop.payments.sale(ORDER, { auth: 'authorize', card: aCard, requestId: 's-1' });
    shop.later();
    await shop.payments.cancel(ORDER);
    expect(await show(shop, statusRow(sold))).toBe('paid_late');
    expect(await show(shop, statusRow({ ...sold, amount: '100.00' }))).toBe('paid_late');
    await accept(shop);
    expect(await idsOf(shop)).toEqual([
      `paidLate/${held}`,
      `captured/${held}`,
      `authorized/${held}`,
      `captured.accepted/${held}`,
    ]);
  });

  it('a review of two transactions, and one of a transaction whose review evidence had ended', async () => {
    const unclear = (transactionId: string) => statusRow({ transactionId, paymentStatus: 'DONE' });
    await show(shop, unclear('t-1'), unclear('t-2'));
    await show(shop, statusRow({ ...declined, transactionId: 't-1' }), unclear('t-2'));
    await show(shop, unclear('t-1'), unclear('t-2'));
    const ids = await idsOf(shop);
    const again = expect.stringMatching(/^review\.\d{13}\/unreadable_answer:t-1$/);
    const once = ['review/unreadable_answer:t-1', 'review/unreadable_answer:t-2'];
    expect(ids).toEqual([...once, again]);
  });

  it('a review that evidence had ended, and one of the same transaction in capitals that cannot be read', async () => {
    await show(shop, statusRow({ transactionId: 't-1', paymentStatus: 'DONE' }));
    await show(shop, statusRow({ transactionId: 't-1', paymentStatus: 'PENDING' }));
    await show(shop, statusRow({ transactionId: 'T-1', amount: {} }));
    const again = expect.stringMatching(/^review\.\d{13}\/unreadable_answer:t-1$/);
    expect(await idsOf(shop)).toEqual(['review/unreadable_answer:t-1', again]);
  });

  it('and one transaction in two spellings of an answer has one', async () => {
    const unreadable = statusRow({ transactionId: 'T-1', amount: {} });
    await show(shop, statusRow({ transactionId: 't-1', paymentStatus: 'DONE' }), unreadable);
    expect(await idsOf(shop)).toEqual(['review/unreadable_answer:t-1']);
  });
});

describe('after an older database was restored', () => {
  let live: Shop;
  let handled: PaymentEvent[];

  /** Takes a backup of the shop, and returns how to open it. */
  async function backup(): Promise<(note: PaymentEvent[]) => Promise<Shop>> {
    const copy = join(folder, 'copy.db');
    const database = new DatabaseSync(join(folder, 'live.db'));
    database.exec(`VACUUM INTO '${copy}'`);
    database.close();
    return async (note) => {
      const restored = await gateway.shop(sqliteStore({ file: copy }), note);
      restored.later(120_000);
      return restored;
    };
  }

  beforeEach(async () => {
    handled = [];
    live = await gateway.shop(sqliteStore({ file: join(folder, 'live.db') }), handled);
    await live.open(ORDER);
  });

  it('a handler gets what was lost by the id that it has handled', async () => {
    const restore = await backup();
    await show(live, statusRow(declined));
    await show(live, statusRow());
    await show(live, statusRow(refunded('PARTIAL', '10.00')));
    await live.payments.tick();
    const before = handled.map(({ id }) => id);
    handled.length = 0;
    const restored = await restore(handled);
    await show(restored, statusRow());
    await show(restored, statusRow(refunded('PARTIAL', '10.00')));
    await restored.payments.tick();
    expect(handled.map(({ id }) => id)).toEqual(before);
    expect(before).toHaveLength(2);
  });

  it('another link under a number that a lost link had has ids of its own', async () => {
    const restore = await backup();
    for (const shop of [live, await restore([])]) {
      gateway.rows = [];
      shop.reprice('120.00');
      shop.later();
      await shop.open(ORDER);
      expect(await show(shop, statusRow({ ...declined, amount: '120.00' }))).toBe('failed');
      gateway.rows = [];
      shop.later(49 * 3_600_000);
      await shop.payments.confirm(ORDER);
      handled.push(...(await idsOf(shop)).map((id) => ({ id }) as PaymentEvent));
    }
    const ids = handled.map(({ id }) => id);
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
