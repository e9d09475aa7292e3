import type { RequestHandler } from 'express';

/** Which address the gateway sent a shopper's browser to, and where the shop sent it next. */
export interface BrowserReturn {
  /** Which address the gateway chose. It proves nothing. */
  readonly address: 'success' | 'failure';
  /** Milliseconds since the epoch, on the shop's clock. */
  readonly at: number;
  /** The shop's own page, by the shop's own state. */
  readonly sentTo: string;
}

const MAX_ORDERS = 1_000;

/** Remembers for testers how browsers returned from the gateway. The kit does not need this. */
export class BrowserReturns {
  readonly #returns = new Map<string, BrowserReturn>();
  readonly #now: () => number;
  readonly #listeners: ((orderId: string, back: BrowserReturn) => Promise<void>)[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The order's latest return in this process, if there was one. */
  of(orderId: string): BrowserReturn | undefined {
    return this.#returns.get(orderId);
  }

  /** Calls the listener at every return from now on. */
  onReturn(listener: (orderId: string, back: BrowserReturn) => Promise<void>): void {
    this.#listeners.push(listener);
  }

  /** Watches `/return/…` of the kit's router; mounted before it. */
  watch(): RequestHandler {
    return (request, response, next) => {
      const address = /^\/return\/(success|failure)\//.exec(request.path)?.[1];
      if (address === 'success' || address === 'failure') {
        response.once('finish', () => this.#note(address, response.get('Location') ?? ''));
      }
      next();
    };
  }

  #note(address: BrowserReturn['address'], location: string): void {
    const [, page = '', orderId = ''] =
      /\/(thanks|wait|retry)\/([A-Z0-9]+)$/.exec(location.split('?')[0] ?? '') ?? [];
    if (orderId === '') return;
    this.#returns.delete(orderId);
    const back = { address, at: this.#now(), sentTo: `/${page}/${orderId}` };
    this.#returns.set(orderId, back);
    for (const listener of this.#listeners) void listener(orderId, back);
    const [oldest] = this.#returns.keys();
    if (this.#returns.size > MAX_ORDERS && oldest !== undefined) this.#returns.delete(oldest);
  }
}
