import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Shop } from '../../test-support/shop.ts';

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

describe('the router in a framework that is not Express', () => {
  let shop: Shop;
  let server: Server;
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await shop.close();
  });

  /** A server whose framework does with a request what `frame` says. */
  const start = async (
    frame: (router: ReturnType<Shop['payments']['router']>) => Serve,
    payments: object = {},
  ): Promise<string> => {
    shop = await Shop.start({ payments });
    server = createServer(frame(shop.payments.router())).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  const checkout = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{"orderId":"1001"}',
    });

  const leave = (response: ServerResponse) => (): void => void response.end('the shop’s own');

  it('finds its routes in the whole address where nothing was taken off', async () => {
    const url = await start(
      (router) => (request, response) => router(request, response, leave(response)),
    );
    expect((await checkout(`${url}/pay/checkout`)).status).toBe(201);
    expect((await checkout(`${url}/PAY/Checkout/?from=mail`)).status).toBe(201);
  });

  it('finds its routes where the mount was taken off the address, as Connect and middie do', async () => {
    const url = await start((router) => (request, response) => {
      const whole = request.url ?? '';
      Object.assign(request, {
        originalUrl: whole,
        url: whole.replace(/^\/(?:pay|shop)(?=\/)/, ''),
      });
      router(request, response, leave(response));
    });
    expect((await checkout(`${url}/pay/checkout?from=mail`)).status).toBe(201);
    const wrong = await checkout(`${url}/shop/checkout`);
    expect([wrong.status, await wrong.json()]).toMatchObject([500, { code: 'mount_mismatch' }]);
  });

  it('finds them below the shop’s path too, where no proxy took it off', async () => {
    const url = await start(
      (router) => (request, response) => router(request, response, leave(response)),
      { publicUrl: 'https://example.com/shop' },
    );
    expect((await checkout(`${url}/shop/pay/checkout`)).status).toBe(201);
  });

  it('answers 404 to what is no route where it is the whole listener', async () => {
    const url = await start((router) => router);
    for (const path of ['/', '/pay', '/pay/nothing', '/own/page']) {
      const answer = await fetch(url + path);
      expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'not_found' }]);
    }
  });

  it('leaves every other path to the shop, the names of its routes elsewhere too', async () => {
    const url = await start(
      (router) => (request, response) => router(request, response, leave(response)),
    );
    for (const path of [
      '/',
      '/checkout',
      '/health',
      '/pay',
      '/payments/checkout',
      '/pay/own',
      '/a/pay/checkout',
    ]) {
      expect(await (await checkout(url + path)).text()).toBe('the shop’s own');
    }
    expect(shop.logged).toEqual([]);
  });

  it('counts shoppers by the address of the connection, or by the one that the framework found', async () => {
    const url = await start(
      (router) => (request, response) => {
        const ip = request.headers['x-real-ip'];
        if (ip !== undefined) Object.assign(request, { ip });
        router(request, response, leave(response));
      },
      { limits: { checkoutsPerAddress: 1 } },
    );
    const statuses: number[] = [];
    for (const ip of ['203.0.113.7', '203.0.113.8', '203.0.113.7']) {
      statuses.push((await checkout(`${url}/pay/checkout`, { 'x-real-ip': ip })).status);
    }
    expect(statuses).toEqual([201, 201, 429]);
    expect((await checkout(`${url}/pay/checkout`)).status).toBe(201);
  });

  it('is warned once of a proxy whose word about addresses nobody takes', async () => {
    const url = await start((router) => (request, response) => {
      const ip = request.headers['x-real-ip'];
      if (ip !== undefined) Object.assign(request, { ip });
      router(request, response, leave(response));
    });
    const forwarded = { 'x-forwarded-for': '203.0.113.7' };
    await checkout(`${url}/pay/checkout`, { ...forwarded, 'x-real-ip': '203.0.113.7' });
    expect(shop.logged).toEqual([]);
    await checkout(`${url}/pay/checkout`, forwarded);
    await checkout(`${url}/pay/checkout`, forwarded);
    expect(shop.logged).toHaveLength(1);
    expect(shop.logged.join()).toContain('docs/errors.md#untrusted_proxy');
  });
});
