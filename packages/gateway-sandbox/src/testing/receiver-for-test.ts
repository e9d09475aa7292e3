import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { PortalForTest } from './portal-for-test.ts';
import { startForTest } from './sandbox-for-test.ts';

/** Serves on a free port for the length of a test. @returns the port. */
async function serve(answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** A shop of another origin, which says by its title which of its pages was reached. */
export async function startShop(): Promise<{ successUrl: string; failureUrl: string }> {
  const port = await serve((request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>shop ${request.url?.split('?')[0]}</title>`,
    );
  });
  return {
    successUrl: `http://localhost:${port}/thanks?order=7&x=%20y#done`,
    failureUrl: `http://localhost:${port}/retry?order=7#again`,
  };
}

/** One webhook as it arrived. */
interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly event: Readonly<Record<string, unknown>>;
}

/** A merchant's endpoint: a real server that remembers what it got, in the order of arrival. */
export class ReceiverForTest {
  readonly url: string;
  readonly received: Received[] = [];
  /** Answers a webhook; 200 unless a test says otherwise. */
  answer: (response: ServerResponse, number: number) => void = (response) => response.end();

  private constructor(url: string) {
    this.url = url;
  }

  static async start(): Promise<ReceiverForTest> {
    const port = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        receiver.received.push({
          path: request.url ?? '',
          headers: request.headers,
          text,
          event: JSON.parse(text) as Record<string, unknown>,
        });
        receiver.answer(response, receiver.received.length);
      });
    });
    const receiver = new ReceiverForTest(`http://127.0.0.1:${port}/hook`);
    return receiver;
  }

  /** Resolves once this many webhooks have arrived in all. */
  async has(count: number): Promise<readonly Received[]> {
    const patience = { timeout: 20_000, interval: 5 };
    await expect.poll(() => this.received.length, patience).toBeGreaterThanOrEqual(count);
    return this.received;
  }

  /** What arrived, by these fields of its events. */
  events(...names: readonly string[]): unknown[][] {
    return this.received.map(({ event }) => names.map((name) => event[name]));
  }
}

/** A shop with a webhook, at a sandbox whose clock is stopped until the test moves it. */
export async function subscribed(options: Parameters<typeof startForTest>[0] = {}) {
  const sandbox = await startForTest(options);
  await sandbox.control.freezeClock();
  const receiver = await ReceiverForTest.start();
  const portal = await PortalForTest.logIn(sandbox);
  type Webhook = Record<'id' | 'secret', string>;
  const { url } = receiver;
  const webhook = await portal.answerOf<Webhook>('POST', 'webhooks', { url });
  return { sandbox, receiver, portal, webhook };
}

/** The usual signature of a text. */
export const signed = (secret: string, text = '') =>
  createHmac('sha256', secret).update(text).digest('hex');

/** The orders that webhooks reported to the shop, in the order of arrival. */
export const ordersReported = (to: ReceiverForTest) => to.events('merchantOrderId').flat();
