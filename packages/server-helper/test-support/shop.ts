import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { expect } from 'vitest';
import { createPayments, type Order, type Payments, type PaymentsOptions } from '../src/index.ts';
import { systemClock } from '../src/clock.ts';
import { poolTransport, type Transport } from '../src/gateway/transport.ts';
import { storeWith } from '../src/doubles/faulty-store.ts';
import { memoryStore } from '../src/testing.ts';
import { helpAddress } from '../src/errors.ts';
import type { PaymentRecord } from '../src/payments/record.ts';
import type { Store } from '../src/stores/store.ts';
import type { GatewayProfile } from '../src/gateway/profile.ts';
import { ScriptedGateway, statusRow } from './scripted-gateway.ts';
import {
  expressHost,
  expressVersions,
  type HostOptions,
  type ServeShop,
  type ShopHost,
} from './shop-host.ts';

/** What must stand in no answer and no log line. */
export const canaries = {
  apiKey: 'canary-api-key-4711',
  phone: '0598765432',
  email: 'canary@shopper.example',
  secret: 'canary-token-secret-0123456789abcdef',
  fault: 'canary-inner-fault',
} as const;

/** An answer as it came. */
export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
}

export interface Sending {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent with its length, several are sent in chunks without one. */
  readonly body?: string | readonly string[];
}

export interface ShopOptions extends HostOptions {
  /** This is another process of that shop: gateway and time are the same, and so is the store unless given. */
  readonly beside?: Shop;
  /** @defaultValue 0 */
  readonly leapMs?: number;
  /** @defaultValue Express 5 */
  readonly serve?: ServeShop;
  /** Told of every call of the store before it is made; may throw. */
  readonly onStoreCall?: (name: string, given: readonly unknown[]) => unknown;
  readonly payments?: Partial<PaymentsOptions<unknown>>;
  readonly profile?: GatewayProfile | undefined;
  /** Whether the gateway is the real one, as far as the shop can see. @defaultValue `false` */
  readonly isProduction?: boolean | undefined;
  /** @defaultValue a pool of connections to the scripted gateway */
  readonly transport?: Transport;
  /** @defaultValue the key that no answer may show */
  readonly apiKey?: string | readonly string[];
}

/** The gateway behind an address that a shop in production takes. */
function realGateway(gateway: ScriptedGateway) {
  gateway.pageOrigin = 'https://pages.gateway.example';
  return {
    environment: 'production',
    baseUrl: 'https://gateway.example/v1',
    transport: poolTransport(gateway.origin, 8),
  } as const;
}

const customer = { name: 'Noura', email: canaries.email, phone: canaries.phone };

/** A shop on a real port with a scripted gateway behind it; every answer is searched for canaries. */
export class Shop {
  readonly gateway: ScriptedGateway;
  readonly payments: Payments;
  /** What the shop keeps its payments in. */
  readonly store: Store<unknown>;
  readonly orders = new Map<string, Order>([
    ['1001', { orderId: '1001', amount: '115.00', customer }],
    ['a@b+c:d', { orderId: 'a@b+c:d', amount: '1.00', customer }],
  ]);
  /** Every log line, as JSON. */
  readonly logged: string[] = [];
  /** While set, the store answers nothing but an error. */
  isStoreDown = false;
  /** By how much its time of day is ahead of the time that has passed, in milliseconds. */
  leapMs: number;
  readonly #beside: Shop | undefined;
  readonly #time: { passedMs: number };
  #host: ShopHost | undefined;
  #closed: Promise<void> | undefined;

  private constructor(gateway: ScriptedGateway, options: ShopOptions) {
    const { beside } = options;
    this.gateway = gateway;
    this.leapMs = options.leapMs ?? 0;
    this.#beside = beside;
    this.#time = beside === undefined ? { passedMs: 0 } : beside.#time;
    const log = (fields: object, message: string): void => {
      this.logged.push(JSON.stringify({ ...fields, message }));
    };
    const sharedStore = beside && storeWith(beside.store, { close: async () => undefined });
    this.store = options.payments?.store ?? sharedStore ?? memoryStore();
    this.payments = createPayments({
      gateway: {
        transport: options.transport,
        ...(options.isProduction === true
          ? realGateway(gateway)
          : { environment: 'staging', baseUrl: gateway.baseUrl }),
        apiKey: options.apiKey ?? canaries.apiKey,
        random: () => 0,
        profile: options.profile,
      },
      publicUrl: 'https://shop.example',
      tokenSecrets: [canaries.secret],
      loadOrder: (orderId) => this.orders.get(orderId) ?? null,
      pages: { success: '/thanks/:orderId', pending: '/wait/:orderId', failure: '/retry/:orderId' },
      logger: { info: log, warn: log, error: log },
      // A busy machine is no overload of this shop.
      shedLoad: false,
      clock: {
        now: () => Date.now() + this.#time.passedMs + this.leapMs,
        monotonic: () => performance.now() + this.#time.passedMs,
        // Where the kit waits without a deadline, the time passes at once.
        sleep: (ms, signal) => {
          if (signal !== undefined) return systemClock.sleep(ms, signal);
          this.later(ms);
          return setImmediate();
        },
      },
      ...options.payments,
      store: this.#breakable(this.store, options.onStoreCall),
    });
  }

  static async start(options: ShopOptions = {}): Promise<Shop> {
    const { serve = expressHost(expressVersions[0][1]), beside } = options;
    const shop = new Shop(beside?.gateway ?? (await new ScriptedGateway().start()), options);
    shop.#host = await serve(shop.payments, options);
    return shop;
  }

  get port(): number {
    return this.#host?.port ?? 0;
  }

  /** Moves the shop's clock, so that the gateway may be asked again. */
  later(milliseconds = 10_000): void {
    this.#time.passedMs += milliseconds;
  }

  /** Time passes, tick by tick of the background work. */
  async pass(milliseconds = 10_000, ticks = 1): Promise<void> {
    for (let tick = 0; tick < ticks; tick += 1) {
      this.later(milliseconds / ticks);
      await this.payments.tick();
    }
  }

  /** The gateway shows such rows of a session or a transaction. */
  shows(id: string, ...rows: readonly object[]): void {
    this.gateway.rows.set(
      id,
      rows.map((row) => statusRow({ ...row })),
    );
  }

  /** It shows such rows, and is asked about the usual order. @returns the payment. */
  async finds(id: string, ...rows: readonly object[]) {
    this.shows(id, ...rows);
    this.later();
    return this.payments.confirm('1001');
  }

  async state(orderId = '1001') {
    return (await this.payments.retrieve(orderId))?.state;
  }

  /** Opens an order, and lets its money come as the row says. @returns its session. */
  async receive(row: object = {}, orderId = '1001'): Promise<string> {
    const { session } = await this.open(orderId);
    this.shows(session, row);
    this.later();
    await this.payments.confirm(orderId);
    return session;
  }

  /** What is stored of an order. */
  async record(orderId = '1001'): Promise<PaymentRecord> {
    const record = await this.store.load(orderId);
    if (record === null) throw new Error('no record');
    return record;
  }

  async findings(): Promise<unknown> {
    return (await this.send('/pay/health')).json['findings'];
  }

  /** The merchant changes the price of the usual order. */
  reprice(amount: string, currency: 'SAR' | 'USD' = 'SAR'): void {
    const order = this.orders.get('1001');
    if (order !== undefined) this.orders.set('1001', { ...order, amount, currency });
  }

  async send(path: string, { method = 'GET', headers = {}, body }: Sending = {}): Promise<Reply> {
    const chunks = typeof body === 'string' ? [body] : (body ?? []);
    const length =
      typeof body === 'string' ? { 'content-length': String(Buffer.byteLength(body)) } : {};
    const request = httpRequest({
      host: '127.0.0.1',
      port: this.port,
      path,
      method,
      agent: false,
      headers: { ...length, ...headers },
    });
    for (const chunk of chunks) request.write(chunk);
    request.end();
    const [response] = await once(request, 'response');
    const parts: Buffer[] = [];
    for await (const part of response) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString('utf8');
    const reply = {
      status: response.statusCode,
      headers: response.headers,
      text,
      json: read(text),
    };
    expectNoCanary(JSON.stringify([reply.status, reply.headers, reply.text]));
    return reply;
  }

  /** Asks for a payment link with a JSON body. */
  checkout(body: unknown, headers: Sending['headers'] = {}): Promise<Reply> {
    return this.post('/pay/checkout', body, headers);
  }

  /** The gateway notifies the shop. */
  notify(body: unknown): Promise<Reply> {
    return this.post('/pay/webhook', body);
  }

  /** Posts JSON. */
  post(path: string, body: unknown, headers: Sending['headers'] = {}): Promise<Reply> {
    const type = { 'content-type': 'application/json' };
    const json = JSON.stringify(body);
    return this.send(path, { method: 'POST', headers: { ...type, ...headers }, body: json });
  }

  /** Submits a form, as a page without scripts does. */
  submit(path: string, body: string, headers: Sending['headers'] = {}): Promise<Reply> {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.send(path, { method: 'POST', headers: { ...type, ...headers }, body });
  }

  /** Makes an order's link and tells the paths it leads to. */
  async open(orderId = '1001'): Promise<{
    session: string;
    success: string;
    failure: string;
    status: string;
    merchantOrderId: string;
  }> {
    const reply = await this.checkout({ orderId });
    expect(reply.status).toBe(201);
    const { redirectUrl, statusUrl } = reply.json as { redirectUrl: string; statusUrl: string };
    const sent = this.gateway.creates.at(-1)?.body as Readonly<Record<string, string>>;
    return {
      session: new URL(redirectUrl).searchParams.get('sessionId') ?? '',
      success: new URL(sent['successUrl'] ?? '').pathname,
      failure: new URL(sent['failureUrl'] ?? '').pathname,
      status: new URL(statusUrl).pathname,
      merchantOrderId: sent['merchantOrderId'] ?? '',
    };
  }

  /** Ends the shop, once. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.isStoreDown = false;
    await this.payments.close();
    this.#host?.close();
    if (this.#beside === undefined) await this.gateway.close();
    for (const line of this.logged) expectNoCanary(line);
  }

  #breakable<Part extends object>(store: Part, onCall: ShopOptions['onStoreCall']): Part {
    const isDown = (): boolean => this.isStoreDown;
    return new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (name === 'health') return this.#breakable(member as Store<unknown>['health'], onCall);
        // Health asks the process itself whether its calls are stuck, and no database.
        if (name === 'isStuck' || typeof member !== 'function') return member;
        return async (...given: unknown[]): Promise<unknown> => {
          if (isDown()) throw new Error(`${canaries.fault} postgres://name:${canaries.secret}@db`);
          onCall?.(String(name), given);
          return Reflect.apply(member, target, given) as unknown;
        };
      },
    });
  }
}

function read(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

function expectNoCanary(text: string): void {
  expect(Object.values(canaries).filter((canary) => text.includes(canary))).toEqual([]);
}

/** An RFC 9457 problem with this code, and the address that explains it. */
export function expectProblem(reply: Reply, status: number, code: string): void {
  expect(reply.json).toMatchObject({ status, code, type: helpAddress(code) });
  expect(reply.status).toBe(status);
  expect(reply.headers['content-type']).toBe('application/problem+json');
  expect(reply.headers['cache-control']).toBe('no-store');
  expect(reply.json['detail']).toMatch(/\w+/);
}
