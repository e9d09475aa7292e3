import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { advise, graceMs } from './console-advice.ts';
import { PaySettledEvent } from './events.ts';
import { labelsChanged } from './label-registry.ts';
import { canStillBePaid, isSettled, type PaymentStatus, retrieveStatus } from './payment-status.ts';

/** What the poller needs of its element. */
export interface StatusHost extends ReactiveControllerHost, Element {
  readonly src: string;
}

const firstDelayMs = 1_000;
const longestDelayMs = 30_000;
const mostAsks = 100;
const longestMs = 30 * 60_000;

/** How long to wait before the next question: back-off by half, ±20 % jitter. */
export function delayMs(asks: number, random: number): number {
  return Math.min(firstDelayMs * 1.5 ** asks, longestDelayMs) * (0.8 + 0.4 * random);
}

/** Asks the status address until the payment is settled, within bounds, while the page is seen. */
export class StatusPoller implements ReactiveController {
  readonly #host: StatusHost;
  #src = '';
  #status: PaymentStatus | undefined;
  #abort = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asks = 0;
  #endsAt = 0;
  #ended = false;

  constructor(host: StatusHost) {
    this.#host = host;
    host.addController(this);
  }

  /** The last verified answer. */
  get status(): PaymentStatus | undefined {
    return this.#status;
  }

  /** Whether it stopped asking without an end, so that the shopper may ask again. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Begins anew, with all the questions of the bounds. */
  start(): void {
    this.#stop();
    this.#asks = 0;
    this.#endsAt = Date.now() + longestMs;
    this.#ended = false;
    this.#host.requestUpdate();
    void this.#ask();
  }

  hostConnected(): void {
    document.addEventListener('visibilitychange', this);
    window.addEventListener(labelsChanged, this);
    if (this.#src) this.start();
    setTimeout(() => {
      if (this.#host.isConnected && !this.#host.src) {
        advise(this.#host, 'not_configured: src is missing. Write src="/pay/status/TOKEN".');
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
    this.#status = undefined;
    this.start();
  }

  handleEvent({ type }: Event): void {
    if (type === labelsChanged) return this.#host.requestUpdate();
    this.#stop();
    // Seen again it asks at once; a shopper may have paid in another tab meanwhile.
    if (!this.#status || !isSettled(this.#status) || canStillBePaid(this.#status)) void this.#ask();
  }

  async #ask(): Promise<void> {
    if (document.hidden || !this.#src) return;
    const { signal } = (this.#abort = new AbortController());
    this.#asks++;
    const say = (advice: string) => advise(this.#host, advice);
    const status = await retrieveStatus(this.#src, signal, say);
    if (signal.aborted) return;
    if (status) {
      this.#status = status;
      this.#announce(status);
    }
    if (!isSettled(this.#status)) {
      this.#ended = this.#asks >= mostAsks || Date.now() >= this.#endsAt;
      if (!this.#ended) {
        const wait = delayMs(this.#asks - 1, Math.random());
        this.#timer = setTimeout(() => void this.#ask(), wait);
      }
    }
    this.#host.requestUpdate();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#abort.abort();
  }

  /** Says once how the payment ended; a success after a failure is said too. */
  #announce(status: PaymentStatus): void {
    if (!isSettled(status)) return;
    const place = `pay-settled:${this.#src}`;
    const end = canStillBePaid(status) ? 'open' : 'closed';
    const said = remembered(place);
    if (said === end || said === 'closed') return;
    remember(place, end);
    this.#host.dispatchEvent(new PaySettledEvent('pay-settled', status));
  }
}

/** What was said in this page, for browsers that refuse sessionStorage. */
const inPage = new Map<string, string>();

function remembered(place: string): string | null | undefined {
  try {
    return inPage.get(place) ?? sessionStorage.getItem(place);
  } catch {
    return undefined;
  }
}

function remember(place: string, end: string): void {
  inPage.set(place, end);
  try {
    sessionStorage.setItem(place, end);
  } catch {
    // It lives as long as the page.
  }
}
