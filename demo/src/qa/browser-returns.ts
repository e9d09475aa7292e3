import type { RequestHandler } from 'express';

/** What a shopper's browser was told by the gateway, and where the shop sent it. */
export interface BrowserReturn {
  /** Which address the gateway chose. It proves nothing. */
  readonly told: 'success' | 'failure';
  /** Milliseconds since the epoch, on the shop's clock. */
  readonly at: number;
  /** The shop's own page, by the shop's own state. */
  readonly sentTo: string;
}

const KEPT = 1_000;

/** Remembers for testers how browsers came back. The kit itself has no use for it. */
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

  /** Calls somebody at every return from now on. */
  onReturn(listener: (orderId: string, back: BrowserReturn) => Promise<void>): void {
    this.#listeners.push(listener);
  }

  /** Watches `/return/…` of the kit's router; mounted before it. */
  watch(): RequestHandler {
    return (request, response, next) => {
      const told = /^\/return\/(success|failure)\//.exec(request.path)?.[1];
      if (told === 'success' || told === 'failure') {
        response.once('finish', () => this.#note(told, response.get('Location') ?? ''));
      }
      next();
    };
  }

  #note(told: BrowserReturn['told'], location: string): void {
    const [, page = '', orderId = ''] =
      /\/(thanks|wait|retry)\/([A-Z0-9]+)$/.exec(location.split('?')[0] ?? '') ?? [];
    if (orderId === '') return;
    this.#returns.delete(orderId);
    const back = { told, at: this.#now(), sentTo: `/${page}/${orderId}` };
    this.#returns.set(orderId, back);
    for (const listener of this.#listeners) void listener(orderId, back);
    const [oldest] = this.#returns.keys();
    if (this.#returns.size > KEPT && oldest !== undefined) this.#returns.delete(oldest);
  }
}
