import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestShop, type TestShop } from './testing/test-shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ PUBLIC_URL: 'http://shop.test' });
});
afterAll(() => shop.close());

/** Sends a request under a name that the caller chooses, as a page does that rebinds its own. */
function answerTo(host: string, method: string, path: string): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: shop.port, method, path, headers: { host } };
    request(options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      answer.on('end', () => resolve([answer.statusCode ?? 0, text]));
    })
      .once('error', reject)
      .end();
  });
}

it.each(['shop.test', 'localhost:3000', '127.0.0.1', '192.0.2.7:3000', '[::1]:3000', 'SHOP.TEST'])(
  'answers by the name %s',
  async (host) => {
    expect((await answerTo(host, 'GET', '/'))[0]).toBe(200);
  },
);

it.each([
  ['GET', '/'],
  ['GET', '/admin'],
  ['POST', '/qa/reset'],
  ['POST', '/pay/checkout'],
  ['GET', '/api/orders'],
])('does not answer %s %s by a name that a page of another site may have', async (method, path) => {
  for (const host of ['evil.example', 'shop.test.evil.example', 'localhost.evil.example:3000']) {
    const [status, text] = await answerTo(host, method, path);
    expect([host, status]).toEqual([host, 421]);
    expect(text).toContain('"code":"unknown_host"');
    expect(text).toContain('PUBLIC_URL');
  }
});
