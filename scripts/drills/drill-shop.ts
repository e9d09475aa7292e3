import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import express, { type Express } from 'express';
import { startSandbox, type Sandbox, type SandboxOptions } from '@pay-button/gateway-sandbox';
import {
  createPayments,
  sqliteStore,
  type Payments,
  type PaymentsOptions,
} from '@pay-button/server-helper';
import { PUBLIC_URL, Shoppers } from './shoppers.ts';

const SHIPMENTS = 'CREATE TABLE IF NOT EXISTS shipments (order_id TEXT)';
const FIRST_TOKEN_SECRET = 'the-first-token-secret-of-the-shop-4711';

/** The settings that a drill changes. */
type Secrets = Pick<
  PaymentsOptions<unknown>,
  'tokenSecrets' | 'encryptionKeys' | 'webhookSecrets'
> & { readonly apiKey: readonly string[] };

/** One process of the shop; its address outlives its restarts. */
interface Process {
  readonly server: Server;
  readonly port: number;
  payments: Payments;
}

/**
 * A shop of two processes on one store, whose secrets are rotated while shoppers buy. A shopper's
 * requests alternate between the processes, as behind a balancer.
 */
export class DrillShop {
  readonly sandbox: Sandbox;
  readonly shoppers = new Shoppers(this);
  readonly #folder = mkdtempSync(join(tmpdir(), 'pay-drill-'));
  readonly #processes: Process[] = [];
  #secrets: Secrets;
  #laterMs = 0;

  private constructor(sandbox: Sandbox, secrets: Partial<Secrets>) {
    this.sandbox = sandbox;
    const first = { apiKey: [sandbox.apiKey], tokenSecrets: [FIRST_TOKEN_SECRET] };
    this.#secrets = { ...first, ...secrets };
  }

  static async start(
    secrets: Partial<Secrets> = {},
    policy: SandboxOptions['policy'] = [],
  ): Promise<DrillShop> {
    const shop = new DrillShop(await startSandbox({ port: 0, policy }), secrets);
    for (let index = 0; index < 2; index += 1) shop.#processes.push(await shop.#startProcess());
    return shop;
  }

  /** The address of a process. */
  url(index: number): string {
    return `http://127.0.0.1:${this.#process(index).port}`;
  }

  payments(index = 0): Payments {
    return this.#process(index).payments;
  }

  /** A process that runs beside the shop with secrets of its own; the test closes it. */
  stranger(secrets: Partial<Secrets>): Payments {
    return this.#payments({ ...this.#secrets, ...secrets });
  }

  /**
   * Restarts one process after the other with new secrets, as a deployment does. Shoppers buy
   * before, between and after, and the merchant does what the drill is about.
   */
  async deploy(secrets: Partial<Secrets>, meanwhile?: () => Promise<unknown>): Promise<void> {
    const all = (): Promise<unknown> => Promise.all([this.shoppers.trade(), meanwhile?.()]);
    await all();
    await this.restart(secrets, all);
  }

  /** Restarts one process after the other with new secrets. */
  async restart(
    secrets: Partial<Secrets>,
    afterEach: () => unknown = () => undefined,
  ): Promise<void> {
    this.#secrets = { ...this.#secrets, ...secrets };
    for (const one of this.#processes) {
      const former = one.payments;
      one.payments = this.#payments(this.#secrets);
      await former.close();
      await afterEach();
    }
  }

  /** Lets time pass for the shop, so that the gateway is asked again. */
  later(milliseconds = 10_000): void {
    this.#laterMs += milliseconds;
  }

  /** The last shoppers pay. Each order that was opened has been paid and shipped, once. */
  async finish(): Promise<void> {
    await this.shoppers.finish();
    assert.deepEqual(this.shipped(), this.shoppers.orderIds());
  }

  /** What the shop's own SQL wrote in the commits that made orders paid. */
  shipped(): readonly unknown[] {
    const database = new DatabaseSync(this.#file);
    database.exec(SHIPMENTS);
    const rows = database.prepare('SELECT order_id FROM shipments ORDER BY order_id').all();
    database.close();
    return rows.map((row) => row['order_id']);
  }

  async close(): Promise<void> {
    for (const { server, payments } of this.#processes) {
      server.closeAllConnections();
      server.close();
      await payments.close();
    }
    await this.sandbox.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #file(): string {
    return join(this.#folder, 'payments.db');
  }

  #process(index: number): Process {
    const one = this.#processes[index % this.#processes.length];
    assert.ok(one, 'the shop runs');
    return one;
  }

  async #startProcess(): Promise<Process> {
    const apps = new WeakMap<Payments, Express>();
    const one = { payments: this.#payments(this.#secrets) };
    const server = createServer((request, response) => {
      const app = apps.get(one.payments) ?? express().use('/pay', one.payments.router());
      apps.set(one.payments, app);
      app(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return Object.assign(one, { server, port: (server.address() as AddressInfo).port });
  }

  #payments({ apiKey, ...secrets }: Secrets): Payments {
    return createPayments({
      gateway: { environment: 'staging', baseUrl: this.sandbox.baseUrl, apiKey },
      publicUrl: PUBLIC_URL,
      store: sqliteStore({ file: this.#file }),
      loadOrder: (orderId) => ({ orderId, amount: '115.00', customer: { phone: '0501234567' } }),
      inTransaction: (tx, event) => {
        tx.exec(SHIPMENTS);
        if (event.type !== 'paid') return;
        tx.prepare('INSERT INTO shipments VALUES (?)').run(event.orderId);
      },
      pages: { success: '/thanks/:orderId', pending: '/wait/:orderId', failure: '/retry/:orderId' },
      clock: {
        now: () => Date.now() + this.#laterMs,
        sleep: (milliseconds, signal) => pause(milliseconds, undefined, { signal, ref: false }),
      },
      shedLoad: false, // A busy machine must not fail a drill.
      ...secrets,
    });
  }
}
