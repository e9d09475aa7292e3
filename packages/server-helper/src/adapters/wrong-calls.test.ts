import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NextFunction, Request, Response } from 'express';
import { afterEach, describe, expect, it } from 'vitest';
import { expressVersions } from '../../test-support/shop-host.ts';
import { Shop } from '../../test-support/shop.ts';

describe.each(expressVersions)('a shop on %s that calls the kit wrongly', (_version, express) => {
  let shop: Shop;
  let server: Server | undefined;
  afterEach(async () => {
    server?.close();
    await shop.close();
  });

  /** What Express’s own error handlers get when a handler is mounted as it is. */
  async function errorOf(handler: (payments: Shop['payments']) => unknown): Promise<unknown> {
    shop = await Shop.start();
    const errors: unknown[] = [];
    const app = express();
    app.use('/pay', handler(shop.payments) as never);
    app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
      errors.push(error);
      response.status(500).end();
    });
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect((await fetch(`http://127.0.0.1:${port}/pay/health`)).status).toBe(500);
    return errors[0];
  }

  it('is told to call payments.router, and no request hangs', async () => {
    expect(await errorOf((payments) => Reflect.get(payments, 'router'))).toMatchObject({
      code: 'router_not_called',
      message: expect.stringContaining('app.use("/pay", payments.router())') as unknown,
    });
  });

  it('is told that payments.handle is not for Express', async () => {
    expect(await errorOf(({ handle }) => handle)).toMatchObject({
      code: 'not_a_request',
      message: expect.stringContaining('app.use("/pay", payments.router())') as unknown,
    });
    // At once: Express 4 sees no rejection.
    expect(() => shop.payments.handle({} as never)).toThrow(/no Request/);
  });

  it.each([{ passError: true }, { passErrors: 'yes' }])(
    'is told at start of an option of the router that there is not: %j',
    async (options) => {
      shop = await Shop.start();
      expect(() => shop.payments.router(options as never)).toThrow(/passErrors: true/);
    },
  );
});
