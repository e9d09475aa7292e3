import { afterEach, describe, expect, it, vi } from 'vitest';
import { sendJson, type Script } from '../../test-support/scripted-gateway.ts';
import { Shop } from '../../test-support/shop.ts';

const refuse: Script = (_request, response) =>
  sendJson(response, 401, { statusCode: 401, message: 'Invalid API key', error: 'Unauthorized' });

describe('a gateway that refuses the key', () => {
  let shop: Shop;
  afterEach(async () => {
    await shop.close();
    vi.restoreAllMocks();
  });
  const ask = () => shop.checkout({ orderId: '1001' });

  it('is told to a shop without a logger on the console, once a minute, with the fix’s address', async () => {
    const error = vi.spyOn(console, 'error').mockReturnValue();
    shop = await Shop.start({ payments: { logger: undefined as never } });
    shop.gateway.script = refuse;
    await ask();
    await ask();
    expect(error.mock.calls).toEqual([
      [
        expect.stringMatching(
          /errors\.md#unauthorized; .*doctor.* \(unauthorized, Invalid API key\)$/,
        ),
      ],
    ]);
    shop.later(61_000);
    await ask();
    expect(error).toHaveBeenCalledTimes(2);
  });

  it('is told to a logger each time, and not to the console', async () => {
    const error = vi.spyOn(console, 'error').mockReturnValue();
    shop = await Shop.start();
    shop.gateway.script = refuse;
    await ask();
    await ask();
    const told = shop.logged.filter((line) => line.includes('errors.md#unauthorized'));
    expect(told).toHaveLength(2);
    expect(error).not.toHaveBeenCalled();
  });
});
