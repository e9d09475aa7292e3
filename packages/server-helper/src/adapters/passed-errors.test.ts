import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NextFunction, Request, Response } from 'express';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { expressVersions } from '../../test-support/shop-host.ts';
import { Shop } from '../../test-support/shop.ts';
import type { RouterOptions } from '../index.ts';

const OWN = new RangeError('canary: the shelf is empty');

describe.each(expressVersions)('an exception behind a 500, on %s,', (_version, express) => {
  let shop: Shop;
  let server: Server;
  const errors: unknown[] = [];
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
  });
  afterEach(async () => {
    errors.length = 0;
    server.close();
    await shop.close();
    vi.restoreAllMocks();
  });

  /** Asks for a link of a shop whose `loadOrder` throws, and whose app has an error handler. */
  async function ask(
    options?: RouterOptions,
    handle: (response: Response) => void = () => undefined,
  ): Promise<globalThis.Response> {
    shop = await Shop.start({
      payments: {
        loadOrder: () => {
          throw OWN;
        },
      },
    });
    const app = express();
    app.use('/pay', shop.payments.router(options));
    app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
      errors.push(error);
      handle(response);
      next(error);
    });
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return fetch(`http://127.0.0.1:${port}/pay/checkout`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"orderId":"1001"}',
    });
  }

  it('stays with onError, unless the router is asked to pass it on', async () => {
    const answer = await ask();
    expect(await answer.json()).toMatchObject({ status: 500, code: 'internal_error' });
    expect(answer.headers.get('connection')).not.toBe('close');
    expect(errors).toEqual([]);
  });

  it('is handed to Express’s error handlers once the shopper has the whole problem', async () => {
    let wasSent = false;
    const answer = await ask({ passErrors: true }, (response) => {
      wasSent = response.writableFinished;
    });
    expect(answer.status).toBe(500);
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({ status: 500, code: 'internal_error' });
    expect(text).not.toContain('canary');
    expect(answer.headers.get('connection')).toBe('close');
    await expect.poll(() => errors).toEqual([OWN]);
    expect(wasSent).toBe(true);
  });

  it('changes nothing for the shopper where an error handler answers all the same', async () => {
    const answer = await ask({ passErrors: true }, (response) => {
      response.status(418).json({ canary: 'the stack' });
    });
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ code: 'internal_error' });
    await expect.poll(() => errors).toEqual([OWN]);
  });
});
