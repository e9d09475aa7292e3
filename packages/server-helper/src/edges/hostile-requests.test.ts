import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Shop } from '../../test-support/shop.ts';

const attacks = [
  '{"orderId":"1001","__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{"isAdmin":true}}}',
  '{"__proto__":{"orderId":"1001","merchantOrderId":"1001~1"}}',
  '{"merchantOrderId":"__proto__~1"}',
  '{"merchantOrderId":"constructor~1"}',
  '{"orderId":"__proto__"}',
  '{"orderId":"constructor"}',
  '{"orderId":"toString"}',
] as const;

const splits = [
  '%0d%0aset-cookie:%20a=b',
  '%0d%0a%0d%0a<script>',
  '%E5%98%8A%E5%98%8Dset-cookie:a',
];

describe('a hostile request', () => {
  let shop: Shop;
  beforeEach(async () => void (shop = await Shop.start()));
  afterEach(() => shop.close());

  it('changes no prototype, by any route, as JSON or as a form', async () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    for (const path of ['/pay/checkout', '/pay/webhook']) {
      for (const body of attacks) {
        const headers = { 'content-type': 'application/json' };
        const { status } = await shop.send(path, { method: 'POST', headers, body });
        expect([200, 404, 422]).toContain(status);
        const form = { 'content-type': 'application/x-www-form-urlencoded' };
        const fields = '__proto__[isAdmin]=true&constructor[prototype][isAdmin]=true&__proto__=x';
        await shop.send(path, { method: 'POST', headers: form, body: fields });
      }
    }
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
  });

  it('puts no line of its own into an answer', async () => {
    const { success, status } = await shop.open();
    for (const split of splits) {
      for (const path of [`${success}${split}`, `${status}${split}`, `${success}?x=${split}`]) {
        const { headers } = await shop.send(path);
        expect(Object.keys(headers)).not.toContain('set-cookie');
        expect(headers.location ?? 'https://shop.example/').toMatch(/^https:\/\/shop\.example\//);
      }
    }
  });

  it('finds no second request behind a body: length and chunks together are refused', async () => {
    const socket = connect(shop.port, '127.0.0.1');
    socket.end(
      'POST /pay/checkout HTTP/1.1\r\nhost: shop\r\ncontent-type: application/json\r\n' +
        'content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /pay/health HTTP/1.1\r\nhost: shop\r\n\r\n',
    );
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).not.toContain('200 OK');
  });

  it('cannot make the shop spend time: deep, wide and long bodies are answered at once', async () => {
    const headers = { 'content-type': 'application/json' };
    const bodies = [
      '['.repeat(16_000),
      `{"orderId":"${'a~'.repeat(7_000)}"}`,
      `{${Array.from({ length: 1_000 }, (_, index) => `"k${index}":0`).join(',')}}`,
      `{"orderId":"${'\\u0000'.repeat(2_000)}"}`,
    ];
    for (const body of bodies) {
      expect((await shop.send('/pay/checkout', { method: 'POST', headers, body })).status).toBe(
        422,
      );
      expect((await shop.send('/pay/webhook', { method: 'POST', headers, body })).status).toBe(200);
    }
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = 'orderId&'.repeat(2_000);
    expect((await shop.send('/pay/checkout', { method: 'POST', headers: form, body })).status).toBe(
      422,
    );
  });
});
