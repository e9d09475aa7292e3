import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { advise, graceMs } from './console-advice.ts';
import { PaySettledEvent } from './events.ts';
import { labelsChanged } from './page.ts';
import { canStillBePaid, isFinal, type PaymentStatus, retrieveStatus } from './payment-status.ts';
import { recall, remember } from './tab-memory.ts';

/** The properties of the element that the poller reads. */
export interface StatusHost extends ReactiveControllerHost, Element {
  readonly src: string;
  readonly credentials: RequestCredentials;
}

const firstDelayMs = 1_000;
const longestDelayMs = 30_000;
const mostAsks = 100;
const longestMs = 30 * 60_000;

/** The wait before the next request: each is half longer than the last, with ±20 % jitter. */
export function delayMs(asks: number, random: number): number {
  return Math.min(firstDelayMs * 1.5 ** asks, longestDelayMs) * (0.8 + 0.4 * random);
}

/** Asks the status address until the payment has ended, within bounds, while the page is visible. */
export class StatusPoller implements ReactiveController {
  readonly #host: StatusHost;
  #src = '';
  /** The last verified answer. */
  status: PaymentStatus | undefined;
  #abort = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asks = 0;
  #endsAt = 0;
  /** Whether the poller reached its bounds, so that the shopper may check again. */
  ended = false;

  constructor(host: StatusHost) {
    this.#host = host;
    host.addController(this);
  }

  /** Begins again, with all the requests of the bounds. */
  start(): void {
    this.#stop();
    this.#asks = 0;
    this.#endsAt = Date.now() + longestMs;
    this.ended = false;
    this.#host.requestUpdate();
    void this.#ask();
  }

  hostConnected(): void {
    document.addEventListener('visibilitychange', this);
    window.addEventListener(labelsChanged, this);
    if (this.#src) this.start();
    setTimeout(() => {
      if (this.#host.isConnected && !this.#host.src) {
        advise(this.#host, 'not_configured: write src="/pay/status/TOKEN".');
      }
    }, graceMs);
  }

  hostDisconnected(): void {
    document.removeEventListener('visibilitychange', this);
    window.removeEventListener(labelsChanged, this);
    this.#stop();
  }

  hostUpdate(): void {
    if (this.#src === this.#host.src) return;
    this.#src = this.#host.src;
    this.status = undefined;
    this.start();
  }

  handleEvent({ type }: Event): void {
    if (type === labelsChanged) return this.#host.requestUpdate();
    this.#stop();
    // A shopper may have paid in another tab meanwhile.
    if (canStillBePaid(this.status)) void this.#ask();
  }

  async #ask(): Promise<void> {
    if (document.hidden || !this.#src) return;
    const { signal } = (this.#abort = new AbortController());
    this.#asks++;
    const { status, retryAfterMs } = await retrieveStatus(this.#host, signal);
    if (signal.aborted) return;
    if (status) {
      this.status = status;
      this.#announce(status);
    }
    if (!isFinal(this.status)) {
      this.ended = this.#asks >= mostAsks || Date.now() >= this.#endsAt;
      if (!this.ended) {
        const wait = Math.max(delayMs(this.#asks - 1, Math.random()), retryAfterMs);
        this.#timer = setTimeout(() => void this.#ask(), wait);
      }
    }
    this.#host.requestUpdate();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#abort.abort();
  }

  /** Announces the end of the payment once; a success after a failure is announced too. */
  #announce(status: PaymentStatus): void {
    if (!isFinal(status)) return;
    const name = `pay-settled:${this.#src}`;
    const end = canStillBePaid(status) ? 'open' : 'closed';
    const announced = recall(name);
    if (announced === end || announced === 'closed') return;
    remember(name, end);
    this.#host.dispatchEvent(new PaySettledEvent('pay-settled', status));
  }
}
