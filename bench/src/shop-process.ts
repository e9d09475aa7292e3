/**
 * One shop in a process of its own. Tells its port to the process that started it, then answers each
 * question with what the process has taken so far.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import express from 'express';
import { answerParent, cpuMicroseconds } from './child.ts';
import { otherShop } from './engine/other-shops.ts';
import { ourPayments, storeAt } from './our-payments.ts';
import type { Figures, Question, ShopSetup } from './shop.ts';

const setup = JSON.parse(process.argv[2] ?? '') as ShopSetup;
const { shopName, storeName, gatewayOrigin, address, background = false, maxConnections } = setup;
const { shedLoad = background } = setup;
let fulfilled = 0;
const payments =
  shopName === 'ours'
    ? ourPayments(gatewayOrigin, storeAt(storeName, address), {
        // Without background work: the shops beside it refuse nobody, however busy the machine is.
        shedLoad,
        on: background ? { paid: () => void (fulfilled += 1) } : {},
      })
    : undefined;
await payments?.retrieve('no-such-order'); // Opens the store.
if (background) payments?.start();

const app =
  shopName === 'ours'
    ? express().use('/pay', payments?.router() ?? [])
    : await otherShop(shopName, gatewayOrigin, storeName, address);
// As docs/security-model.md advises; but a round of another shop must not cost one its connections.
const advised = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
};
const server = createServer(
  background ? { ...advised, keepAliveTimeout: 65_000 } : { keepAliveTimeout: 0 },
  app,
);
if (maxConnections !== undefined) server.maxConnections = maxConnections;
server.listen({ port: 0, host: '127.0.0.1', backlog: 2_000 }, () => {
  process.send?.((server.address() as AddressInfo).port);
});

const RESOLUTION_MS = 5;
const loopDelay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
if (background) loopDelay.enable();

function figures(): Figures {
  const { heapUsed, external, rss } = process.memoryUsage();
  const loopDelayMs = Math.max(0, loopDelay.percentile(99) / 1e6 - RESOLUTION_MS);
  loopDelay.reset();
  return {
    cpuMicroseconds: cpuMicroseconds(),
    heapBytes: heapUsed + external,
    residentBytes: rss,
    fulfilled,
    loopDelayMs,
  };
}

answerParent(async (question: Question) => {
  if (question === 'memory') globalThis.gc?.();
  if (question === 'stop') {
    // Lets requests that came end, then the payments.
    await new Promise((resolve) => server.close(resolve));
    await payments?.close();
    setImmediate(() => process.disconnect());
  }
  return figures();
});
