import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished } from 'vitest';
import { createPayments, sqliteStore } from '../index.ts';
import { serveByHono } from '../../test-support/hosts.ts';
import { hostOf } from '../../test-support/shop-host.ts';
import { someOptions } from '../../test-support/some-options.ts';
import { join } from 'node:path';
import { temporaryFolder } from '../../test-support/temporary-folder.ts';
import { startShop } from '../../test-support/shop-of-test.ts';
import type { Reply } from '../../test-support/shop.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const BODIES = 4;
const BODY_BYTES = 57_000;
/** An object for each byte holds 48 MB; the bytes themselves, with room to grow, are 0.5 MB. */
const MOST_BYTES_HELD = 4_000_000;
const CRUMB = '1\r\n \r\n';

const ignore = (): void => undefined;

const logger = { info: ignore, warn: ignore, error: ignore };
const shop = () => createPayments({ ...someOptions(), logger, bodyTimeoutMs: 600_000 });

/** Each way in which the kit is handed a body that a stranger sends. */
const places = {
  'the routes on node:http': () => hostOf(createServer(shop().router()).listen(0, '127.0.0.1')),
  'the routes on fetch': () => serveByHono(shop(), {}),
};

it.each(Object.entries(places))('%s: open bodies in crumbs cost their bytes', async (_, open) => {
  const host = await open();
  onTestFinished(() => host.close());
  const received: Socket[] = [];
  const onRequest = (message: unknown): void => {
    received.push((message as { request: IncomingMessage }).request.socket);
  };
  subscribe('http.server.request.start', onRequest);
  onTestFinished(() => void unsubscribe('http.server.request.start', onRequest));
  const head = `POST /pay/webhook HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`;
  const sent = Buffer.from(head + CRUMB.repeat(BODY_BYTES));
  const before = bytesHeld();
  const sockets = Array.from({ length: BODIES }, () => connect(host.port, '127.0.0.1'));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    // What this case holds would otherwise count as freed in the next one.
    await Promise.all(received.map(untilClosed));
  });
  for (const socket of sockets) socket.on('error', () => {}).write(sent);
  const all = sent.byteLength * BODIES;
  while (received.reduce((sum, { bytesRead }) => sum + bytesRead, 0) < all) await setImmediate();
  expect(received).toHaveLength(BODIES);
  expect(bytesHeld() - before).toBeLessThan(MOST_BYTES_HELD);
});

function untilClosed(socket: Socket): Promise<unknown> {
  // `once` of node:events would reject where the socket ends by an error.
  return socket.closed ? Promise.resolve() : new Promise((done) => socket.once('close', done));
}

function bytesHeld(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const CLICKS = 60;

it('a stop under load answers every request, and keeps what was acknowledged', async () => {
  const file = join(temporaryFolder(), 'payments.db');
  const orders = Array.from({ length: CLICKS }, (_, index) => `stop-${index}`);
  const stopping = await startShop({
    payments: {
      store: sqliteStore({ file }),
      loadOrder: (orderId) => ({ orderId, amount: '1.00', customer: { phone: '0501234567' } }),
    },
  });
  // Some are answered before the stop, some are under way, some come when it has begun.
  const checkOut = (orderId: string) => stopping.checkout({ orderId });
  const early = await Promise.all(orders.slice(0, 10).map(checkOut));
  const webhooks = orders.slice(0, 10).map((id) => stopping.notify({ merchantOrderId: `${id}~1` }));
  const clicks = orders.slice(10, 40).map(checkOut);
  await clicks[0];
  const stopped = stopping.payments.close();
  const late = orders.slice(40).map(checkOut);
  const told = await Promise.all(webhooks);
  const replies = [...early, ...(await Promise.all([...clicks, ...late]))];
  await stopped;

  for (const { status, json, headers } of [...replies, ...told].filter(isRefused)) {
    expect([status, json['code']]).toEqual([503, 'store_unavailable']);
    expect(headers['retry-after']).toMatch(/^\d+$/);
  }
  const kept = sqliteStore({ file });
  await kept.open('staging/default');
  for (const [index, orderId] of orders.entries()) {
    const [attempt] = (await kept.load(orderId))?.attempts ?? [];
    const [link, hint] = [replies[index], told[index]];
    if (link && !isRefused(link)) expect(attempt?.redirectUrl).toBe(link.json['redirectUrl']);
    if (hint && !isRefused(hint)) expect(attempt?.hintedAt).toBeGreaterThan(0);
  }
  expect(replies.filter((reply) => !isRefused(reply)).length).toBeGreaterThan(10);
  await kept.close();
});

const isRefused = ({ status }: Reply): boolean => status !== 201 && status !== 200;
