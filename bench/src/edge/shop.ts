/**
 * The shop under load, in a process of its own: Express, the router and the embedded store. It tells
 * its figures, and stops as a shop does that gets a SIGTERM.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createPayments, sqliteStore } from '@pay-button/server-helper';
import express from 'express';

/** What the shop is asked. */
export type Question = 'figures' | 'stop';

/** What it answers. */
export interface ShopAnswer {
  readonly port: number;
  /** After a collection of garbage. */
  readonly heapBytes: number;
  readonly cpuMicroseconds: number;
  readonly fulfilled: number;
  /** How late the event loop was since the last answer, at p99, in milliseconds. */
  readonly loopDelayMs: number;
}

const [gatewayPort = '', file = ''] = process.argv.slice(2);
let fulfilled = 0;

const payments = createPayments({
  gateway: {
    environment: 'staging',
    baseUrl: `http://127.0.0.1:${gatewayPort}/v1`,
    apiKey: 'key-1',
  },
  publicUrl: 'https://shop.example',
  tokenSecrets: ['5f1c0a7be2d94f36a8c07d11e93b42f6'],
  store: sqliteStore({ file }),
  loadOrder: (orderId) => ({ orderId, amount: '115.00', customer: { phone: '0501234567' } }),
  on: {
    paid: () => void (fulfilled += 1),
  },
  pages: { success: '/thanks', pending: '/wait', failure: '/retry' },
});
payments.start();

const app = express();
app.disable('x-powered-by');
app.use('/pay', payments.router());
// As docs/security-model.md advises; else a browser's next poll meets a connection that was just closed.
const server = createServer({ keepAliveTimeout: 65_000 }, app);
server.listen({ port: 0, host: '127.0.0.1', backlog: 2_000 }, () => tell());

const RESOLUTION_MS = 5;
const loopDelay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
loopDelay.enable();

function tell(): void {
  const loopDelayMs = Math.max(0, loopDelay.percentile(99) / 1e6 - RESOLUTION_MS);
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  const cpu = Object.values(process.cpuUsage());
  const answer: ShopAnswer = {
    port: (server.address() as AddressInfo | null)?.port ?? 0,
    heapBytes: heapUsed + external,
    cpuMicroseconds: cpu.reduce((sum, part) => sum + part, 0),
    fulfilled,
    loopDelayMs,
  };
  process.send?.(answer);
  loopDelay.reset();
}

/** Lets requests that came end, then the payments. */
async function stop(): Promise<void> {
  await new Promise((resolve) => server.close(resolve));
  await payments.close();
  tell();
  process.disconnect();
}

process.on('message', ({ question }: { question: Question }) => {
  if (question === 'stop') void stop();
  else tell();
});
process.once('disconnect', () => process.exit());
