import { beforeEach, describe, expect, it } from 'vitest';
import { CliShop } from '../../test-support/cli-shop.ts';

let shop: CliShop;
beforeEach(async () => {
  shop = await CliShop.start();
  await shop.receive('1001', { transactionId: 't-1' });
  await shop.open('1002');
});

describe('explain', () => {
  it('prints the timeline of an order from its first link to its last effect, as a process', async () => {
    expect((await shop.runInside('explain', '1001')).out).toMatch(/paid +waits for on\.paid +0 /);
    shop.configure();
    expect((await shop.run('explain', '1001')).out).toMatch(/paid +has no on\.paid +0 /);
    await shop.payments.tick();
    const { code, out, err } = await shop.run('explain', '1001');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(
      /^Order 1001 {2}paid {2}115\.00 SAR\n[^]*Attempt 1, a payment link of 115\.00 SAR, was requested\.[^]*SUCCESS\/APPROVED 115\.00[^]*The payment of 115\.00 SAR is paid\.[^]*paid +done +1 /,
    );
    expect(out).not.toContain('\u001B');
  });

  it('prints the same as JSON', async () => {
    const { code, json } = await shop.runInside('explain', '1001', '--json');
    const explained = JSON.stringify(await shop.payments.explain('1001'));
    expect([code, json]).toEqual([0, JSON.parse(explained)]);
  });

  it('ends with 1 for an order without a payment, and refuses what is no order id', async () => {
    const { code, err } = await shop.runInside('explain', '1003');
    expect([code, err]).toEqual([1, expect.stringContaining('The order 1003 has no payment')]);
    expect((await shop.runInside('explain', '../etc')).err).toContain('The order id must have');
  });
});

describe('list', () => {
  const list = (...args: readonly string[]) => shop.runInside('list', ...args);

  it('shows the latest payment first, with its state and amount', async () => {
    const { code, out } = await list();
    const head = /^created \(UTC\) +order +state +amount +refunded +review$/;
    const rows = [head, /1002 +pending +115\.00 SAR/, /1001 +paid +115\.00 SAR/];
    const lines = rows.map((row) => expect.stringMatching(row) as unknown);
    expect([code, out.trimEnd().split('\n')]).toEqual([0, lines]);
  });

  it.each([
    ['a state', ['--state', 'paid,captured'], ['1001']],
    ['the id of a transaction', ['--search', 't-1'], ['1001']],
    ['the beginning of an order’s id', ['--search', '100'], ['1002', '1001']],
    ['a span that is over', ['--until', '2020-01-01'], []],
  ])('finds payments by %s, as JSON', async (_what, args, orders) => {
    const { json } = await list('--json', ...args);
    expect(json['payments']).toMatchObject(orders.map((orderId) => ({ orderId })));
  });

  it('goes on with the next page, and says so', async () => {
    const { out } = await list('--limit', '1');
    const [, cursor = ''] = /There are more: --cursor (\S+)/.exec(out) ?? [];
    const next = await list('--limit', '1', '--cursor', cursor);
    expect(next.out).toContain('1001');
    expect(next.out).not.toContain('There are more');
  });

  it.each([
    ['a word', 2, ['1001'], 'pay-button explain ORDER'],
    ['no number of rows', 2, ['--limit', '0'], '--limit takes a whole number of 1 to 200'],
    ['an unknown state', 1, ['--state', 'lost'], 'state must be one or some of'],
  ])('refuses %s', async (_what, expected, args, words) => {
    const { code, err } = await list(...args);
    expect([code, err]).toEqual([expected, expect.stringContaining(words)]);
  });
});
