import { Writable } from 'node:stream';
import pino from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { sendJson, statusRow } from '../test-support/scripted-gateway.ts';
import { Shop, type ShopOptions } from '../test-support/shop.ts';
import { untyped } from '../test-support/some-options.ts';
import { startShop } from '../test-support/shop-of-test.ts';
import { carefulLogger, type Logger } from './logger.ts';

/** A real pino that writes to a list of parsed lines. */
function realPino(): { readonly logger: Logger; readonly lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  return { logger: pino({ base: null }, sink), lines };
}

describe('a logger', () => {
  it('may be pino as it is, and gets a line with level, words and codes', async () => {
    const { logger, lines } = realPino();
    const shop = await Shop.start({ payments: { logger } });
    const refusal = { statusCode: 400, message: ['no'], error: 'Bad Request' };
    shop.gateway.script = (_request, response) => sendJson(response, 400, refusal);
    await shop.checkout({ orderId: '1001' }, { 'x-request-id': 'req-0123456789' });
    await shop.close();
    const call = { level: 40, requestId: 'req-0123456789', operation: 'createPaymentLink' };
    const end = { code: 'invalid_request', outcome: 'rejected', httpStatus: 400 };
    const msg = expect.stringMatching(
      /^the gateway gave no payment link: .*HTTP 400 .*\. See http/,
    );
    expect(lines).toMatchObject([
      { ...call, ...end, msg: 'a call to the gateway failed' },
      { level: 50, gatewayMessages: ['no'], msg },
    ]);
  });

  it('gets allowed fields with plain values only', () => {
    const { logger, lines } = realPino();
    const plain = { orderId: '1001', attempt: 2 };
    const error = { message: 'canary', config: { apiKey: 'canary' } };
    const long = (by: number) => ({ gatewayMessages: ['x'.repeat(by)], code: 'y'.repeat(by) });
    carefulLogger(logger).warn({ ...plain, phone: '0598765432', error, ...long(1_000) }, 'told');
    const [{ time: _time, ...line } = {}] = lines;
    expect(line).toEqual({ level: 40, ...plain, ...long(300), msg: 'told' });
  });

  it('gets at start what the shop is set up for, and then of each event', async () => {
    const shop = await startShop();
    shop.payments.start();
    const { session } = await shop.open();
    shop.gateway.rows.set(session, [statusRow()]);
    shop.later();
    await shop.payments.confirm('1001');
    expect(shop.logged[0]).toMatch(/routes at https:\/\/shop\.example\/pay, .*\/v1 \(staging\)/);
    expect(shop.logged.at(-1)).toMatch(
      /^\{"orderId":"1001","eventId":"[^"]+","message":"recorded the event paid"\}$/,
    );
  });

  it('gets at start what would leave a paid order unnoticed, or lead shoppers below the routes', async () => {
    const warnings = async (payments: ShopOptions['payments'] = {}): Promise<readonly string[]> => {
      const shop = await startShop({ payments });
      shop.payments.start();
      return shop.logged.filter((line) => /unnoticed|leave \/pay off/.test(line));
    };
    const on = { paid: () => undefined };
    expect(await warnings({ on })).toEqual([]);
    expect(await warnings({ inTransaction: () => undefined, on: {} })).toEqual([]);
    expect(await warnings({ on: {} })).toEqual([expect.stringMatching(/on\.paid.*inTransaction/)]);
    expect(await warnings({ on, publicUrl: 'https://shop.example/pay/' })).toEqual([
      expect.stringContaining('below https://shop.example/pay, where'),
    ]);
  });

  it('that is the console prints lines of text, with the fields by name and no empty object', async () => {
    const lines: unknown[][] = [];
    for (const level of ['info', 'warn'] as const) {
      vi.spyOn(console, level).mockImplementation((...line) => void lines.push(line));
    }
    const shop = await startShop({ payments: { logger: console } });
    shop.payments.start();
    shop.gateway.answer({ '/intiate': [400, { message: ['no'] }] });
    await shop.checkout({ orderId: '1001' });
    vi.restoreAllMocks();
    expect(lines.every((line) => line.length === 1 && typeof line[0] === 'string')).toBe(true);
    expect(lines.join('\n')).toMatch(/^pay-button: payments have started: .*process$/m);
    expect(lines.join('\n')).toMatch(/^pay-button: a call to .* \(code invalid_request\)/m);
  });

  const full = new Error('the disk is full');
  const throws = (): never => {
    throw full;
  };
  // A promise that nobody hears of would end the process, and fails this test.
  it.each([throws, () => Promise.reject(full)])('that fails stops nothing: %s', (broken) => {
    const careful = carefulLogger(untyped({ info: broken, warn: broken, error: broken }));
    expect(() => careful.error({}, 'told')).not.toThrow();
  });
});
