import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import { aCard } from '../../test-support/operation-inputs.ts';
import { inA, statusRow } from '../../test-support/scripted-gateway.ts';
import { temporaryFolder } from '../../test-support/temporary-folder.ts';
import { SharedGateway, sold } from '../../test-support/shared-gateway.ts';
import type { Shop } from '../../test-support/shop.ts';
import type { PaymentEvent, ReviewReason } from '../index.ts';
import type { EventHandlers } from '../options/payments-options.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { sqliteStore } from '../stores/sqlite/sqlite-store.ts';

const ORDER = '1001';
const declined = { transactionStatus: 'FAILED', paymentStatus: 'DECLINED' };
const partly = (total: string) => ({ refundStatus: 'PARTIAL', totalRefundAmount: total });

const confirm = (shop: Shop) => {
  shop.later();
  return shop.payments.confirm(ORDER);
};

interface Happening {
  readonly type: PaymentEvent['type'];
  /** What the event's id is made of, after the order and the type. */
  readonly madeOf: string;
  /** What came before it, behind an open link. */
  readonly before?: (shop: Shop, gateway: SharedGateway) => Promise<unknown>;
  /** How it is found: by an answer of the gateway, or by a call of the merchant. */
  readonly happens: (shop: Shop, gateway: SharedGateway) => Promise<unknown>;
}

const shows =
  (...rows: readonly unknown[]): Happening['happens'] =>
  (shop, gateway) => {
    gateway.rows = rows;
    return confirm(shop);
  };
const paid: Happening['before'] = (shop, gateway) => {
  gateway.rows = [statusRow({ recurringToken: 'token-1' })];
  return confirm(shop);
};
const authorize = (shop: Shop) =>
  shop.payments.sale(ORDER, { auth: 'authorize', card: aCard, requestId: 's-1' });

/** A sale whose shopper has to pass a challenge. */
const challenge = (shop: Shop, { answers }: SharedGateway) => {
  answers.set('/sale', inA({ result: 'REDIRECT', status: 'REDIRECT', html: '<p>', ...sold }));
  return authorize(shop);
};

const T1 = statusRow().transactionId;
const HELD = sold.transactionId.toLowerCase();
const SESSION = '5e551040-0000-4000-8000-000000000011';

const happenings: Readonly<Record<string, Happening>> = {
  'a declined sale': {
    type: 'failed',
    madeOf: 'request/s-1',
    happens: (shop, gateway) => {
      gateway.answers.set('/sale', inA({ result: 'DECLINED', status: 'DECLINED' }));
      return authorize(shop);
    },
  },
  'a sale that its status declines': {
    type: 'failed',
    madeOf: 'request/s-1',
    before: challenge,
    happens: shows(statusRow({ ...sold, ...declined })),
  },
  paidLate: {
    type: 'paidLate',
    madeOf: T1,
    before: (shop) => shop.payments.cancel(ORDER),
    happens: shows(statusRow()),
  },
  'a review of an answer': {
    type: 'review',
    madeOf: `unreadable_answer:${SESSION}`,
    happens: shows(statusRow({ transactionId: 1 })),
  },
  'a review of several rows': {
    type: 'review',
    madeOf: `unreadable_answer:${SESSION}:2`,
    happens: shows(statusRow({ transactionId: 1 }), statusRow({ transactionId: 1 })),
  },
  'a review of an operation': {
    type: 'review',
    madeOf: 'unknown_outcome:request/r-1',
    before: paid,
    happens: (shop, gateway) => {
      gateway.answers.set('/refund', null);
      return shop.payments.refund(ORDER, { amount: '1.00', requestId: 'r-1' });
    },
  },
  authorized: { type: 'authorized', madeOf: HELD, happens: (shop) => authorize(shop) },
  'authorized by its status': {
    type: 'authorized',
    madeOf: HELD,
    before: challenge,
    happens: shows(statusRow({ transactionId: HELD })),
  },
  captured: {
    type: 'captured',
    madeOf: HELD,
    before: authorize,
    happens: (shop) => shop.payments.capture(ORDER, { amount: '100.00', requestId: 'c-1' }),
  },
  voided: {
    type: 'voided',
    madeOf: HELD,
    before: authorize,
    happens: (shop) => shop.payments.void(ORDER, { requestId: 'v-1' }),
  },
  charged: {
    type: 'charged',
    madeOf: `period/${ORDER}/p-1`,
    before: paid,
    happens: (shop) => shop.payments.chargeRecurring(ORDER, { amount: '1.00', periodKey: 'p-1' }),
  },
  'charged by a person’s word': {
    type: 'charged',
    madeOf: `period/${ORDER}/p-1`,
    before: paid,
    happens: async (shop, gateway) => {
      gateway.answers.set('/recurring', null);
      const charge = { amount: '1.00', periodKey: 'p-1' };
      const { operationId } = await shop.payments.chargeRecurring(ORDER, charge);
      return shop.payments.resolveOperation(operationId, 'succeeded', 'on the dashboard');
    },
  },
};

const effects = async (shop: Shop) => (await shop.payments.explain(ORDER))?.effects ?? [];

async function idOf(shop: Shop, type: string): Promise<string | undefined> {
  return (await effects(shop)).findLast((one) => one.type === type)?.eventId;
}

let gateway: SharedGateway;
let folder: string;

beforeEach(() => {
  gateway = new SharedGateway();
  folder = temporaryFolder();
});
afterEach(() => gateway.end());

/** A backup of a database. @returns its name. */
function copyOf(file: string): string {
  const copy = join(folder, 'copy.db');
  const database = new DatabaseSync(file);
  database.exec(`VACUUM INTO '${copy}'`);
  database.close();
  return copy;
}

/** A matter that opens and ends, and leaves nothing but further versions of the payment. */
async function noise(shop: Shop): Promise<void> {
  const { rows } = gateway;
  gateway.rows = [...rows, statusRow({ transactionId: 't-odd', paymentStatus: 'SETTLED' })];
  await confirm(shop);
  gateway.rows = [...rows, statusRow({ transactionId: 't-odd', paymentStatus: 'DECLINED' })];
  await confirm(shop);
  gateway.rows = rows;
}

it.each(Object.entries(happenings))(
  '%s has one id, also after other changes, in another process, and after an older database was restored',
  async (_name, { type, madeOf, before, happens }) => {
    const expected = `${ORDER}/${type}/${madeOf}`;
    const file = join(folder, 'live.db');
    const shop = await gateway.shop(sqliteStore({ file }));
    await shop.open(ORDER);
    await before?.(shop, gateway);
    const copy = copyOf(file);
    await noise(shop);
    await happens(shop, gateway);
    const restored = await gateway.shop(sqliteStore({ file: copy }));
    restored.later(120_000);
    await happens(restored, gateway);
    expect([await idOf(shop, type), await idOf(restored, type)]).toEqual([expected, expected]);
  },
);

async function show(shop: Shop, ...rows: readonly unknown[]): Promise<string | undefined> {
  gateway.rows = rows;
  shop.later();
  return (await shop.payments.confirm(ORDER))?.state;
}

/** The ids of the events so far, without the order's. */
async function idsOf(shop: Shop): Promise<readonly string[]> {
  const explained = await shop.payments.explain(ORDER);
  return (explained?.effects ?? []).map(({ eventId }) => eventId.slice(ORDER.length + 1));
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

  it('money that was refunded in full, and the payment of the order that was then open again', async () => {
    const odd = { transactionId: 't-odd', amount: '1.00' };
    expect(await show(shop, statusRow(odd))).toBe('review');
    expect(
      await show(shop, statusRow({ ...odd, refundStatus: 'FULL', totalRefundAmount: '1.00' })),
    ).toBe('failed');
    gateway.rows = [];
    await shop.open(ORDER);
    expect(await show(shop, statusRow())).toBe('paid');
    const before = ['review/amount_mismatch:t-odd', 'refunded/t-odd:100'];
    expect(await idsOf(shop)).toEqual([...before, `paid/${T1}`]);
  });

  it('a refund of money beside the payment, and its acceptance with that refund', async () => {
    const odd = { amount: '100.00' };
    expect(await show(shop, statusRow(odd))).toBe('review');
    await show(shop, statusRow({ ...odd, ...partly('10.00') }));
    await accept(shop);
    expect(await idsOf(shop)).toEqual([
      `review/amount_mismatch:${T1}`,
      `refunded/${T1}:1000`,
      `paid/${T1}`,
      `refunded.accepted/${T1}:1000`,
    ]);
  });

  it('a capture that came late, and its acceptance', async () => {
    // Beside a link, either of the two may be asked about first.
    shop = await gateway.shop(memoryStore());
    await challenge(shop, gateway);
    shop.later();
    await shop.payments.cancel(ORDER);
    expect(await show(shop, statusRow(sold))).toBe('paid_late');
    expect(await show(shop, statusRow({ ...sold, amount: '100.00' }))).toBe('paid_late');
    await accept(shop);
    expect(await idsOf(shop)).toEqual([
      `paidLate/${HELD}`,
      `authorized/${HELD}`,
      `captured.accepted/${HELD}`,
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
    const copy = copyOf(join(folder, 'live.db'));
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
    await show(live, statusRow(partly('10.00')));
    await live.payments.tick();
    const before = handled.map(({ id }) => id);
    handled.length = 0;
    const restored = await restore(handled);
    await show(restored, statusRow());
    await show(restored, statusRow(partly('10.00')));
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

it('the type of an event tells what it is about', () => {
  type Handled<Type extends keyof EventHandlers> = Parameters<NonNullable<EventHandlers[Type]>>[0];
  expectTypeOf<Handled<'paid'>['transactionId']>().toEqualTypeOf<string>();
  expectTypeOf<Handled<'review'>['reason']>().toEqualTypeOf<ReviewReason>();
  type Told<Type> = Extract<PaymentEvent, { readonly type: Type }>;
  expectTypeOf<Told<'paid'>['transactionId']>().toEqualTypeOf<string>();
  expectTypeOf<Told<'review'>['reason']>().toEqualTypeOf<ReviewReason>();
});
