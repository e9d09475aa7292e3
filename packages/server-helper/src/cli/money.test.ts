import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { CliShop, runCli } from '../../test-support/cli-shop.ts';

let shop: CliShop;
beforeEach(async () => {
  shop = await CliShop.start();
  shop.configure();
});

const sent = () => shop.gateway.requestsTo('/payment/s2s/refund').length;
const committed = (): string => {
  const file = join(shop.folder, 'committed');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};
const refund = ['refund', '1001', '--amount', '20.00', '--request-id', 'ticket-88'];

describe('refund', () => {
  it('shows what will happen, sends it after a typed yes, and says what became of it', async () => {
    await shop.receive();
    shop.gateway.takeRefunds();
    const { code, out, err } = await shop.runTyping(['y'], ...refund);
    expect([code, sent()]).toEqual([0, 1]);
    expect(err).toContain('Refund 20.00 SAR of order 1001? [y/N]');
    for (const text of ['115.00 SAR', '95.00 SAR', 'ticket-88', 'staging', 'pending']) {
      expect(out).toContain(text);
    }
    const again = await shop.runTyping([''], ...refund);
    expect(again.out).toContain('nothing: 20.00 SAR by this id, pending');
    expect(again.out).not.toContain('left then');
  });

  it('speaks of a transaction in the currency of its money', async () => {
    await shop.receive();
    const { transactionId } = (await shop.payments.explain('1001'))?.transactions[0] ?? {};
    const inUsd = `json_set(record, '$.payment.amount.currency', 'USD')`;
    shop.query(`UPDATE pay_orders SET record = ${inUsd}, currency = 'USD'`);
    const { out, err } = await shop.runTyping(['n'], ...refund, `--transaction=${transactionId}`);
    expect(out + err).toMatch(/refund now.*20.00 SAR.*Refund 20.00 SAR of order 1001/s);
  });

  it('sends nothing on Enter, on a no, and where nobody can be asked', async () => {
    await shop.receive();
    for (const typed of ['', 'n']) {
      const { code, err } = await shop.runTyping([typed], ...refund);
      expect([code, err]).toEqual([1, expect.stringContaining('Nothing was done.')]);
    }
    const { code, err } = await shop.runInside(...refund);
    expect([code, err, sent()]).toEqual([2, expect.stringContaining('--yes'), 0]);
    const unclear = await shop.runTyping(['y'], ...refund.with(3, '20'));
    expect([unclear.code, unclear.out]).toEqual([2, '']);
  });

  it('is sent once by a request id, as a process too, however often it is repeated', async () => {
    await shop.receive();
    shop.gateway.takeRefunds();
    const first = await shop.run(...refund, '--by', 'Noura', '--yes', '--json');
    const again = await shop.runInside(...refund, '--by', 'Salem', '--yes', '--json');
    expect([first.code, again.code, sent()]).toEqual([0, 0, 1]);
    expect(first.json).toMatchObject({ state: 'pending', requestedBy: 'Noura' });
    expect(again.json).toEqual(first.json);
  });

  it('ends with 1 when its outcome is unknown, and runs the shop’s own code in the commit', async () => {
    await shop.receive();
    shop.gateway.answer({ '/refund': 'hang up' });
    const { code, out } = await shop.runInside(...refund, '--yes');
    expect([code, out]).toEqual([1, expect.stringMatching(/\? unknown {2}It may have happened/)]);
    expect(committed()).toBe('review ');
  });
});

it.each([
  ['a refund of no payment', [...refund.with(1, '1002'), '--yes'], 'There is no payment of such'],
  ['the end of no review', ['review', 'resolve', '1/paid_late/x', '--why', 'y'], 'no open review'],
  ['another delivery of no event', ['review', 'redeliver', 'x'], '#not_found_in_store'],
])('%s ends with 1, and says so', async (_what, args, words) => {
  await shop.open('1001');
  const { code, err } = await shop.runInside(...args);
  expect([code, err]).toEqual([1, expect.stringContaining(words)]);
});

it('operations lists what has no outcome, and takes a person’s word for it', async () => {
  await shop.receive();
  const nothing = '✓ No money operation waits, of payments that changed in 30 days.\n';
  expect(await shop.runInside('operations', 'list')).toMatchObject({ code: 0, out: nothing });
  shop.gateway.answer({ '/refund': 'hang up' });
  const { operationId } = await shop.payments.refund('1001', { amount: '20.00', requestId: 'r' });
  const list = await shop.runInside('operations', 'list');
  expect(list.code).toBe(1);
  expect(list.out).toMatch(/1001 +refund +unknown +20\.00 SAR +connection_lost/);
  const word = ['--why', 'not on the dashboard', '--by', 'Noura', '--yes'];
  const done = await shop.run('operations', 'resolve', operationId, 'failed', ...word);
  const recorded = '✓ Recorded: the refund of 20.00 SAR for order 1001 failed.\n';
  expect(done).toMatchObject({ code: 0, out: recorded });
  expect((await shop.payments.explain('1001'))?.operations).toMatchObject([
    { state: 'failed', reason: 'not on the dashboard', resolvedBy: 'Noura' },
  ]);
  const all = await shop.runInside('operations', 'list', '--all', '--json');
  expect([all.code, all.json]).toMatchObject([0, [{ operationId, state: 'failed' }]]);
});

it('a proposed refund is sent by another person’s approval, after a typed yes', async () => {
  await shop.receive();
  shop.gateway.takeRefunds();
  const proposed = await shop.runInside(...refund, '--by', 'Noura', '--propose', '--yes');
  expect([proposed.code, sent()]).toEqual([0, 0]);
  expect(proposed.out).toMatch(/proposed {2}Another person sends it, by pay-button operations/);
  const list = await shop.runInside('review', 'list');
  expect(list.out).toContain('a refund of 20.00 SAR is proposed by Noura');
  expect(list.out).toContain('pay-button operations approve ID --by NAME');
  const waiting = await shop.runInside('operations', 'list');
  expect(waiting.out).toMatch(/1001 +refund +proposed +20\.00 SAR/);

  const approval = ['operations', 'approve', 'request/ticket-88', '--by'];
  const own = await shop.runInside(...approval, 'noura', '--yes');
  expect([own.code, own.err]).toEqual([1, expect.stringContaining('Another person must approve')]);
  const unsure = await shop.runTyping([''], ...approval, 'Salem');
  expect([unsure.code, sent()]).toEqual([1, 0]);
  expect(unsure.err).toContain('Approve the refund of 20.00 SAR for order 1001, proposed by Noura');
  const { code, out } = await shop.runTyping(['y'], ...approval, 'Salem');
  expect([code, sent(), out]).toEqual([0, 1, expect.stringContaining('pending')]);
  expect((await shop.runInside('review', 'list')).code).toBe(0);
});

it('an operation in a state that a later release wrote is listed by that word', async () => {
  await shop.receive();
  await shop.runInside(...refund, '--by', 'Noura', '--propose', '--yes');
  shop.query(`UPDATE pay_orders SET record = replace(record, '"proposed"', '"queued"')`);
  const { out } = await shop.runInside('operations', 'list');
  expect(out).toMatch(/1001 +refund +queued +20\.00 SAR/);
});

describe('review', () => {
  it('lists what waits as a table, and takes it off with a reason', async () => {
    await shop.receive('1001', { amount: '1.00' });
    const list = await shop.run('review', 'list');
    const row =
      /since \(UTC\) +order +reason +id\n.+1001 +amount_mismatch +1001\/amount_mismatch\//;
    expect([list.code, list.out]).toEqual([1, expect.stringMatching(row)]);
    const [{ id } = { id: '' }] = await shop.payments.review.list();
    const word = ['--why', 'refunded by hand', '--by', 'Noura'];
    const done = await shop.runInside('review', 'resolve', id, ...word);
    expect([done.code, done.out]).toEqual([0, `✓ Taken off the list: ${id}\n`]);
    const empty = await shop.runInside('review', 'list');
    expect([empty.code, empty.out]).toEqual([0, '✓ Nothing is waiting for a person.\n']);
    expect((await shop.payments.explain('1001'))?.reviews).toMatchObject([
      { resolution: 'refunded by hand', resolvedBy: 'Noura' },
    ]);
  });

  it('hands a dead letter to the shop again, and explain says who asked for it', async () => {
    await shop.receive();
    const dead = "UPDATE pay_events SET outcome = 'dead', next_try_at = NULL RETURNING event_id";
    const id = String(shop.query(dead)['event_id']);
    const { code } = await shop.runInside('review', 'redeliver', id, '--by', 'Noura');
    const { out } = await shop.runInside('explain', '1001');
    const told = expect.stringContaining(`The event ${id} is delivered again, asked for by Noura.`);
    expect([code, out.replaceAll(/\s+/g, ' ')]).toEqual([0, told]);
    // What ships for money that went back would ship unpaid.
    const states = `'"state":"paid"', '"state":"refunded"'`;
    shop.query(`UPDATE pay_orders SET record = replace(record, ${states})`);
    shop.query(dead);
    const asked = await shop.runTyping(['no'], 'review', 'redeliver', id);
    expect([asked.code, asked.err]).toEqual([1, expect.stringContaining('went back in full')]);
  });

  it('accepts money as the order’s payment, in a commit with the shop’s own code', async () => {
    await shop.receive('1001', { amount: '1.00' });
    const [{ id } = { id: '' }] = await shop.payments.review.list();
    const word = ['--why', 'the rest is paid in cash', '--by', 'Noura'];
    const asked = await shop.runTyping(['no'], 'review', 'accept', id, ...word);
    expect([asked.code, (await shop.payments.retrieve('1001'))?.state]).toEqual([1, 'review']);
    const { code, out } = await shop.run('review', 'accept', id, ...word, '--yes');
    expect([code, out]).toEqual([0, `✓ Accepted: ${id}\n`]);
    expect((await shop.payments.retrieve('1001'))?.state).toBe('paid');
    expect(committed()).toBe('paid ');
    expect((await shop.payments.explain('1001'))?.reviews).toMatchObject([{ resolvedBy: 'Noura' }]);
  });
});

describe('pay.config.ts', () => {
  it('is asked for by name where a command needs the shop’s code and there is none', async () => {
    await shop.receive();
    writeFileSync(join(shop.folder, 'empty.mjs'), 'export default {};');
    const refundWith = async (file: string) => shop.runInside(...refund, '--yes', '--config', file);
    expect((await refundWith('empty.mjs')).err).toContain('default export of empty.mjs holds no');
    const missing = await refundWith('other.ts');
    const absent = expect.stringContaining('There is no file other.ts');
    expect(missing).toMatchObject({ code: 2, err: absent });
    const elsewhere = await CliShop.start();
    await elsewhere.open('1001');
    const { code, err } = await elsewhere.runInside(...refund, '--yes');
    expect([code, sent()]).toEqual([1, 0]);
    expect(err).toMatch(/There is no pay\.config\.ts in this folder\..*invalid_config/);
  });

  it('shows the shop’s own exception whole when it cannot be loaded', async () => {
    writeFileSync(join(shop.folder, 'pay.config.ts'), `throw new Error('no orders today');`);
    const { code, err } = await shop.run('explain', '1001');
    expect(code).toBe(1);
    expect(err).toMatch(
      /^pay-button: pay\.config\.ts could not be loaded\.\nError: no orders today\n +at .*pay\.config\.ts:1:7/,
    );
  });

  it('gives settings that the environment lacks, and reads .env itself', async () => {
    await shop.open('1001');
    const gateway = `gateway: { environment: process.env.STAGE, apiKey: 'k' }`;
    shop.configure(`merchant: 'default', ${gateway}, publicUrl: '${shop.url}'`);
    const { GATEWAY_BASE_URL, DATABASE_URL } = shop.env;
    const lines = { GATEWAY_BASE_URL, DATABASE_URL, STAGE: 'staging' };
    const text = Object.entries(lines).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(join(shop.folder, '.env'), text.join(''));
    const { code, json } = await runCli(['explain', '1001', '--json'], {}, { cwd: shop.folder });
    expect([code, json]).toMatchObject([0, { payment: { orderId: '1001' } }]);
  });
});
