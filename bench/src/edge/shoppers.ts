import { Connections, type Reply } from './connections.ts';
import type { Offer } from './load.ts';

/** Requests a second of each kind at the usual load: five webhooks and some polls for each checkout. */
export const rates = { checkout: 300, webhook: 1_500, poll: 2_000 } as const;

/** The kinds of requests, each with those that it needs before it. */
export const kinds = ['checkout', 'webhook', 'poll'] as const;
export type Kind = (typeof kinds)[number];

/** A refusal of the shop's load shedding; any other 5xx is a fault. */
export const REFUSED = 503;
const FAULT = 599;

/** An order is polled for this long after its checkout. */
const LIVELY_MS = 15_000;
/** Further polls wait for a free connection; the system refuses connections beyond some more. */
const MAX_BROWSERS = 4_000;
/** Connections for checkouts and webhooks: so many that few requests wait for one in an overload. */
const MAX_SENDERS = 1_024;
/** From when on the gateway says paid; webhooks come then and not before. */
export const PAID_AFTER_MS = 6_000;

interface Order {
  readonly orderId: string;
  readonly statusPath: string;
  readonly madeAt: number;
}

/** The shoppers and the gateway that a shop meets: they check out, poll, and send webhooks. */
export class Shoppers {
  readonly #senders: Connections;
  /** A poll may wait for seconds, each on a connection of its own, as shoppers have them. */
  readonly #browsers: Connections;
  /** In the order of their checkouts; those that are lively no more are before {@link #firstLively}. */
  readonly #made: Order[] = [];
  #firstLively = 0;
  #firstUnpaid = 0;
  #orders = 0;
  /** Orders whose checkout was answered, and those whose webhook was acknowledged. */
  readonly checkedOut: string[] = [];
  readonly hinted = new Set<string>();

  constructor(port: number) {
    this.#senders = new Connections(port, MAX_SENDERS);
    this.#browsers = new Connections(port, MAX_BROWSERS);
  }

  /** What is offered at a part of the usual load, of some of its kinds. */
  offers(part: number, wanted: readonly Kind[] = kinds): readonly Offer<Kind>[] {
    const send: Readonly<Record<Kind, () => Promise<number>>> = {
      checkout: () => this.#checkOut(),
      webhook: () => this.#sendWebhook(),
      poll: () => this.#poll(),
    };
    return wanted.map((name) => ({
      name,
      perSecond: rates[name] * part,
      mayWait: name === 'poll',
      send: send[name],
    }));
  }

  /** Opens the connections of all of them. */
  async connect(): Promise<void> {
    await this.#senders.open();
    await this.#browsers.open();
  }

  end(): void {
    this.#browsers.end();
    this.#senders.end();
  }

  async #checkOut(): Promise<number> {
    this.#orders += 1;
    const orderId = `o-${this.#orders}`;
    const reply = await this.#senders.post('/pay/checkout', { orderId });
    if (reply.status === 201) {
      const { statusUrl } = JSON.parse(reply.text) as { statusUrl: string };
      this.checkedOut.push(orderId);
      this.#made.push({ orderId, statusPath: new URL(statusUrl).pathname, madeAt: Date.now() });
    }
    return statusOf(reply);
  }

  /** The webhook of an order that is paid and lively. */
  async #sendWebhook(): Promise<number> {
    const paidBefore = Date.now() - PAID_AFTER_MS;
    while ((this.#made[this.#firstUnpaid]?.madeAt ?? Infinity) < paidBefore) this.#firstUnpaid += 1;
    const order = this.#anyUntil(this.#firstUnpaid);
    const merchantOrderId = `${order?.orderId ?? 'unknown'}~1`;
    const told = { merchantOrderId, status: 'Approved', type: 'Purchase', amount: 115 };
    const reply = await this.#senders.post('/pay/webhook', told);
    if (reply.status === 200 && order !== undefined) this.hinted.add(order.orderId);
    return statusOf(reply);
  }

  async #poll(): Promise<number> {
    const oldest = Date.now() - LIVELY_MS;
    while ((this.#made[this.#firstLively]?.madeAt ?? Infinity) < oldest) this.#firstLively += 1;
    const order = this.#anyUntil(this.#made.length);
    return statusOf(await this.#browsers.get(order?.statusPath ?? '/pay/health'));
  }

  /** Any lively order that was made before one. */
  #anyUntil(end: number): Order | undefined {
    const first = this.#firstLively;
    return this.#made[first + Math.floor(Math.random() * (end - first))];
  }
}

const statusOf = ({ status, text }: Reply): number =>
  status === REFUSED && !text.includes('"code":"overloaded"') ? FAULT : status;
