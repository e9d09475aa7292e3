import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { expectProblem, Shop } from '../../test-support/shop.ts';

const head = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nhost: shop\r\ncontent-type: application/json\r\ncontent-length: 40\r\n\r\n`;

describe('a body that does not arrive well', () => {
  let shop: Shop;
  afterEach(() => shop.close());

  const begin = (path: string): Socket => {
    const socket = connect(shop.port, '127.0.0.1');
    socket.write(`${head(path)}{"orderId":`);
    return socket;
  };

  it.each(['/pay/checkout', '/pay/webhook'])(
    '%s answers 408 to a sender who takes too long, and lets go of the connection',
    async (path) => {
      shop = await Shop.start({ payments: { bodyTimeoutMs: 50 } });
      const answer = await text(begin(path));
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
      expect(answer).toContain('"code":"body_timeout"');
      expect(answer.toLowerCase()).toContain('connection: close');
    },
  );

  it('a sender who goes away in the middle leaves no trace', async () => {
    let isReading: (request: IncomingMessage) => void;
    shop = await Shop.start({
      prepare: (app) =>
        app.use((request, _response, next) => {
          request.once('resume', () => isReading(request));
          next();
        }),
    });
    for (const path of ['/pay/checkout', '/pay/webhook']) {
      const reading = new Promise<IncomingMessage>((resolve) => (isReading = resolve));
      const socket = begin(path);
      const request = await reading;
      const closed = new Promise((resolve) => request.once('close', resolve));
      socket.destroy();
      await closed;
    }
    expect((await shop.checkout({ orderId: '1001' })).status).toBe(201);
    expect(shop.logged).toEqual([]);
  });

  it.each(['/pay/checkout', '/pay/webhook'])(
    '%s refuses a compressed body that nobody unpacked',
    async (path) => {
      shop = await Shop.start();
      const body = gzipSync('{"orderId":"1001"}').toString('latin1');
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      const reply = await shop.send(path, { method: 'POST', headers, body });
      expectProblem(reply, 415, 'unsupported_media_type');
    },
  );
});
