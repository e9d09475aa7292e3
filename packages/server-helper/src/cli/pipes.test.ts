import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliShop } from '../../test-support/cli-shop.ts';
import { sendJson, statusRow } from '../../test-support/scripted-gateway.ts';

let shop: CliShop;
beforeEach(async () => {
  shop = await CliShop.start();
  shop.configure();
});
afterEach(() => shop.close());

const refund = 'pay-button refund 1001 --amount 20.00 --request-id ticket-88 --yes';

describe('a refund whose reader has left', () => {
  beforeEach(async () => {
    shop.gateway.rows.set(await shop.open('1001'), [statusRow()]);
    await shop.payments.confirm('1001');
  });

  it.each([`${refund} | true`, `${refund} | head -1`])(
    'is sent once, and recorded: %s',
    async (line) => {
      shop.gateway.script = (request, response) => {
        if (!request.path.endsWith('/refund')) return shop.gateway.answerUsually(request, response);
        const data = { result: 'accepted', refundId: 'r-9', referenceId: 'r', paymentId: '1' };
        const whole = { ...data, message: 'ok', amount: '20.00' };
        return sendJson(response, 200, { code: 200, message: 'ok', errorCode: null, data: whole });
      };
      const { out } = await shop.runShell(`${line}; echo "codes \${PIPESTATUS[0]}"`);
      expect(out).toContain('codes 0');
      expect(shop.gateway.requestsTo('/payment/s2s/refund')).toHaveLength(1);
      const operations = (await shop.payments.explain('1001'))?.operations;
      expect(operations).toMatchObject([{ state: 'pending', requestId: 'ticket-88' }]);
    },
  );

  it('tells by its code that it was refused', async () => {
    shop.gateway.script = (request, response) => {
      if (!request.path.endsWith('/refund')) return shop.gateway.answerUsually(request, response);
      return sendJson(response, 400, { code: 400, message: 'no', errorCode: '400', data: null });
    };
    const { out } = await shop.runShell(`${refund} | true; echo "codes \${PIPESTATUS[0]}"`);
    expect(out).toBe('codes 1\n');
  });
});

describe('what the program prints', () => {
  it('to a reader that wants no more ends an export, which is no failure', async () => {
    await shop.open('1001');
    const line = 'pay-button export payments | true; echo "codes ${PIPESTATUS[0]}"';
    expect(await shop.runShell(line)).toMatchObject({ out: 'codes 0\n', err: '' });
  });

  it('to nobody, as errors too, leaves its code as it is', async () => {
    const line = 'pay-button refund 1001 2>&1 | true; echo "codes ${PIPESTATUS[0]}"';
    expect((await shop.runShell(line)).out).toBe('codes 2\n');
  });

  it.each(['export payments', 'explain 1001', 'migrate --print --for sqlite'])(
    'and a full disk does not take is a failure that is told: %s',
    async (command) => {
      await shop.open('1001');
      const { code, err } = await shop.runShell(`pay-button ${command} > /dev/full`);
      expect([code, err]).toEqual([1, 'pay-button: the output was not written (ENOSPC).\n']);
    },
  );
});
