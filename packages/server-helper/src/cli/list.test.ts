import { afterEach, beforeEach, expect, it } from 'vitest';
import { CliShop } from '../../test-support/cli-shop.ts';
import { statusRow } from '../../test-support/scripted-gateway.ts';

let shop: CliShop;
beforeEach(async () => {
  shop = await CliShop.start();
  shop.gateway.rows.set(await shop.open('1001'), [statusRow({ transactionId: 't-1' })]);
  await shop.payments.confirm('1001');
  await shop.open('1002');
});
afterEach(() => shop.close());

const list = (...args: readonly string[]) => shop.runInside('list', ...args);

it('list shows the latest payment first, with its state and amount', async () => {
  const { code, out } = await list();
  expect(code).toBe(0);
  const lines = out.trimEnd().split('\n');
  expect(lines).toEqual([
    expect.stringMatching(/^created \(UTC\) +order +state +amount +refunded +review$/),
    expect.stringMatching(/1002 +pending +115\.00 SAR/),
    expect.stringMatching(/1001 +paid +115\.00 SAR/),
  ]);
});

it.each([
  ['a state', ['--state', 'paid,captured'], ['1001']],
  ['the id of a transaction', ['--search', 't-1'], ['1001']],
  ['the beginning of an order’s id', ['--search', '100'], ['1002', '1001']],
  ['a span that is over', ['--until', '2020-01-01'], []],
])('list finds payments by %s, as JSON', async (_what, args, orders) => {
  const { json } = await list('--json', ...args);
  const { payments } = json as { payments: readonly { orderId: string }[] };
  expect(payments.map(({ orderId }) => orderId)).toEqual(orders);
});

it('list goes on with the next page, and says so', async () => {
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
])('list refuses %s', async (_what, expected, args, words) => {
  const { code, err } = await list(...args);
  expect([code, err]).toEqual([expected, expect.stringContaining(words)]);
});
