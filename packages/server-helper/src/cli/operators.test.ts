import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliShop } from '../../test-support/cli-shop.ts';
import { statusRow } from '../../test-support/scripted-gateway.ts';

let shop: CliShop;
beforeEach(async () => {
  shop = await CliShop.start();
});
afterEach(() => shop.close());

/** Opens an order, and lets the gateway say this of it. */
async function orderWith(orderId: string, changes: object = {}): Promise<void> {
  shop.gateway.rows.set(await shop.open(orderId), [statusRow({ ...changes })]);
}

describe('explain', () => {
  it('prints the timeline of an order from its first link to its last effect, as a process', async () => {
    await orderWith('1001');
    await shop.payments.confirm('1001');
    await shop.payments.tick();
    const { code, out, err } = await shop.run('explain', '1001');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^Order 1001 {2}paid {2}115\.00 SAR\n/);
    const asked = out.indexOf('Attempt 1, a payment link of 115.00 SAR, was requested.');
    const told = out.indexOf('SUCCESS/APPROVED 115.00');
    const paid = out.indexOf('The payment of 115.00 SAR is paid.');
    expect(asked).toBeGreaterThan(0);
    expect(told).toBeGreaterThan(asked);
    expect(paid).toBeGreaterThan(told);
    expect(out).toMatch(/paid +done +1 /);
    expect(out).not.toContain('\u001B');
  });

  it('prints the same as JSON', async () => {
    await shop.open('1001');
    const { code, json } = await shop.runInside('explain', '1001', '--json');
    expect(code).toBe(0);
    expect(json).toEqual(JSON.parse(JSON.stringify(await shop.payments.explain('1001'))));
  });

  it('ends with 1 for an order without a payment, and refuses what is no order id', async () => {
    await shop.open('1001');
    const none = await shop.runInside('explain', '1002');
    expect(none.code).toBe(1);
    expect(none.err).toContain('The order 1002 has no payment');
    expect((await shop.runInside('explain', '../etc')).err).toContain('The order id must have');
  });
});

describe('review', () => {
  it('lists what waits as a table, and takes it off with a reason', async () => {
    await orderWith('1001', { amount: '1.00' });
    await shop.payments.confirm('1001');
    const list = await shop.run('review', 'list');
    expect(list.code).toBe(1);
    expect(list.out).toMatch(
      /since \(UTC\) +order +reason +id\n.+1001 +amount_mismatch +1001\/amount_mismatch\//,
    );
    const [entry] = (await shop.payments.review.list()) as readonly { id: string }[];
    const id = entry?.id ?? '';
    const done = await shop.runInside(
      'review',
      'resolve',
      id,
      '--why',
      'refunded by hand',
      '--by',
      'Noura',
    );
    expect([done.code, done.out]).toEqual([0, `✓ Taken off the list: ${id}\n`]);
    const empty = await shop.runInside('review', 'list');
    expect([empty.code, empty.out]).toEqual([0, '✓ Nothing is waiting for a person.\n']);
    const explanation = await shop.payments.explain('1001');
    expect(explanation?.reviews).toMatchObject([
      { resolution: 'refunded by hand', resolvedBy: 'Noura' },
    ]);
  });

  it('says so when there is no such matter', async () => {
    await shop.open('1001');
    const { code, err } = await shop.runInside(
      'review',
      'resolve',
      '1001/paid_late/x',
      '--why',
      'y',
    );
    expect(code).toBe(1);
    expect(err).toContain('There is no open review item of this id');
    expect((await shop.runInside('review', 'redeliver', 'x')).code).toBe(1);
  });

  it('hands a dead letter to the shop again, and explain says who asked for it', async () => {
    await orderWith('1001');
    await shop.payments.confirm('1001');
    const database = new DatabaseSync(join(shop.folder, 'payments.db'));
    const dead = "UPDATE pay_events SET outcome = 'dead', next_try_at = NULL RETURNING event_id";
    const id = String(database.prepare(dead).get()?.['event_id']);
    database.close();
    const { code } = await shop.runInside('review', 'redeliver', id, '--by', 'Noura');
    const { out } = await shop.runInside('explain', '1001');
    expect(code).toBe(0);
    expect(out.replaceAll(/\s+/g, ' ')).toContain(
      `The event ${id} is delivered again, asked for by Noura.`,
    );
  });
});
