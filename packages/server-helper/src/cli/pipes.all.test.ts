import { beforeEach, describe, expect, it } from 'vitest';
import { CliShop } from '../../test-support/cli-shop.ts';
import { sendJson, statusRow } from '../../test-support/scripted-gateway.ts';

let shop: CliShop;
beforeEach(async () => {
  shop = await CliShop.start();
  shop.configure();
});

/** A line that writes the code of a command whose output goes to a reader. */
const piped = (command: string, reader = 'true'): string =>
  `{ { ${command}; echo "code $?" >&3; } | ${reader}; } 3>&1`;
const refund = 'pay-button refund 1001 --amount 20.00 --request-id ticket-88 --yes';

describe('a refund whose reader has left', () => {
  beforeEach(async () => {
    shop.gateway.rows.set(await shop.open('1001'), [statusRow()]);
    await shop.payments.confirm('1001');
  });

  it.each(['true', 'head -1'])('is sent once, and recorded: %s', async (reader) => {
    shop.gateway.takeRefunds();
    const { out } = await shop.runShell(piped(refund, reader));
    expect(out).toContain('code 0');
    expect(shop.gateway.requestsTo('/payment/s2s/refund')).toHaveLength(1);
    const operations = (await shop.payments.explain('1001'))?.operations;
    expect(operations).toMatchObject([{ state: 'pending', requestId: 'ticket-88' }]);
  });

  it('tells by its code that it was refused', async () => {
    shop.gateway.answerAt('/refund', (_request, response) => {
      return sendJson(response, 400, { code: 400, message: 'no', errorCode: '400', data: null });
    });
    const { out } = await shop.runShell(piped(refund));
    expect(out).toBe('code 1\n');
  });
});

describe('what the program prints', () => {
  it('to a reader that wants no more ends an export, which is no failure', async () => {
    await shop.open('1001');
    const line = piped('pay-button export payments');
    expect(await shop.runShell(line)).toMatchObject({ out: 'code 0\n', err: '' });
  });

  it('to nobody, as errors too, leaves its code as it is', async () => {
    const { out } = await shop.runShell(piped('pay-button refund 1001 2>&1'));
    expect(out).toBe('code 2\n');
  });

  const commands = ['export payments', 'explain 1001', 'migrate --print --for sqlite'];
  it.each(commands)('and a full disk refuses is a failure that is told: %s', async (command) => {
    await shop.open('1001');
    const { code, err } = await shop.runShell(`pay-button ${command} > /dev/full`);
    expect([code, err]).toEqual([1, 'pay-button: the output was not written (ENOSPC).\n']);
  });
});
