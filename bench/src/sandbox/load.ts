import { Pool } from 'undici';
import type { Server } from './server.ts';

/** What is asked of each server. */
export const operations = ['create link', 'status'] as const;
export type Operation = (typeof operations)[number];

/** Calls to one server, with as many at a time as told. */
export class Load {
  readonly #pool: Pool;
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;
  #orders = 0;
  #sessionId = '5e551040-7d3c-4b52-9a7e-0c2f6f1d8a01';

  constructor({ ready }: Server) {
    const { origin, pathname } = new URL(String(ready['baseUrl']));
    this.#pool = new Pool(origin, { connections: 64 });
    this.#base = pathname === '/' ? '' : pathname;
    const key = String(ready['apiKey']);
    this.#headers = { 'x-api-key': key, 'content-type': 'application/json' };
  }

  /** @returns calls a second. @throws when an answer is not the one of a good call. */
  async measure(operation: Operation, calls: number, atATime: number): Promise<number> {
    let left = calls;
    const startedAt = performance.now();
    const worker = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        await (operation === 'status' ? this.#retrieveStatus() : this.#createLink());
      }
    };
    await Promise.all(Array.from({ length: atATime }, worker));
    return (calls / (performance.now() - startedAt)) * 1_000;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #createLink(): Promise<void> {
    this.#orders += 1;
    const body = JSON.stringify({
      merchantOrderId: `order-${this.#orders}`,
      amount: 115,
      currency: 'SAR',
      customerName: 'Sara',
      customerPhone: '0512345678',
      successUrl: 'http://127.0.0.1/thanks',
      failureUrl: 'http://127.0.0.1/retry',
    });
    const path = `${this.#base}/payment/checkout/intiate`;
    const text = await this.#send({ method: 'POST', path, body }, 201);
    this.#sessionId = (JSON.parse(text) as { id: string }).id;
  }

  async #retrieveStatus(): Promise<void> {
    const path = `${this.#base}/payment/checkout/status?id=${this.#sessionId}`;
    await this.#send({ method: 'GET', path }, 200);
  }

  async #send(
    request: { method: 'GET' | 'POST'; path: string; body?: string },
    expected: number,
  ): Promise<string> {
    const { statusCode, body } = await this.#pool.request({ ...request, headers: this.#headers });
    const text = await body.text();
    if (statusCode !== expected) throw new Error(`${request.path}: HTTP ${statusCode}: ${text}`);
    return text;
  }
}
