import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { attemptKey } from './attempt-key.ts';
import { requestRedirect } from './checkout-api.ts';
import { adviseOnError, adviseOnPage, graceMs } from './console-advice.ts';
import {
  type CheckoutSignal,
  type CheckoutState,
  initialState,
  isBusy,
  isOpen,
  next,
} from './checkout-state.ts';
import { type ErrorOutcome, PayError } from './errors.ts';
import {
  PayErrorEvent,
  PayRedirectEvent,
  PayReturnEvent,
  PayStartEvent,
  PayStateEvent,
} from './events.ts';
import { labelsChanged } from './page.ts';
import { takeTurn, turns } from './page-lock.ts';
import { parseRedirect, refusalOf } from './redirect.ts';

/** How an attempt ended: with a redirect to the hosted page, or with an error. */
export type PayOutcome =
  | { readonly outcome: 'redirected' }
  | Pick<PayError, 'outcome' | 'code' | 'retryable'>;

/** The properties of the element that the controller reads. */
export interface CheckoutHost extends ReactiveControllerHost, Element {
  readonly endpoint: string;
  readonly orderId: string;
  readonly amount: string;
  readonly currency: string;
  readonly data: object | undefined;
  readonly allowedOrigins: string | null;
  readonly timeoutMs: number;
  readonly credentials: RequestCredentials;
  readonly target: string;
  readonly fullWidth: boolean;
  focus(): void;
}

const defaultTimeoutMs = 30_000;
const stallMs = 3_000;
const pageEvents = ['pageshow', 'pagehide', 'online', 'offline', labelsChanged];

/** The controllers of the page's buttons. One listener serves them all: long lists appear sooner. */
const connected = new Set<CheckoutController>();

function onPageEvent(event: Event): void {
  for (const controller of connected) controller.pageChanged(event);
}

/** Runs the attempts of one button: one at a time, the latest wins, effects in order. */
export class CheckoutController implements ReactiveController {
  readonly #host: CheckoutHost;
  state: CheckoutState = initialState;
  #latest: Promise<PayOutcome> | undefined;
  #abort: AbortController | undefined;
  #stallTimer: ReturnType<typeof setTimeout> | undefined;
  /** The order that this button has got a redirect for. */
  #order = '';
  #started: readonly [amount: string, currency: string] = ['', ''];

  constructor(host: CheckoutHost) {
    this.#host = host;
    host.addController(this);
  }

  /** The price to show: while busy the one of the start, for a later one is the next attempt's. */
  get price(): readonly [amount: string, currency: string] {
    return isBusy(this.state) ? this.#started : [this.#host.amount, this.#host.currency];
  }

  /** Begins an attempt, or waits for the running one. Never rejects. */
  async pay(): Promise<PayOutcome> {
    if (this.#host.matches(':disabled')) return aborted('not-sent');
    if (!isBusy(this.state)) this.#latest = this.#run();
    return this.#latest ?? aborted('not-sent');
  }

  /** Cancels the attempt, or removes an error; a late answer changes nothing. */
  cancel(): void {
    const before = this.state;
    this.#rest();
    if (!isOpen(before)) return;
    const error = aborted(before.phase === 'requesting' ? 'unknown' : 'not-sent');
    this.#abort?.abort(error);
    this.#report(error);
  }

  hostConnected(): void {
    // The window keeps one of equal listeners, but looking for it takes time.
    if (!connected.size) for (const name of pageEvents) window.addEventListener(name, onPageEvent);
    connected.add(this);
  }

  hostUpdate(): void {
    setTimeout(() => {
      if (this.#host.isConnected && !this.#host.matches(':disabled')) adviseOnPage(this.#host);
    }, graceMs);
  }

  hostDisconnected(): void {
    connected.delete(this);
    // A move within the page disconnects and connects again before this microtask.
    queueMicrotask(() => {
      if (!this.#host.isConnected) this.cancel();
    });
  }

  /** An event of the window: left, back again, network, languages. */
  pageChanged({ type, persisted }: Event & { readonly persisted?: boolean }): void {
    if (type === 'pagehide') clearTimeout(this.#stallTimer);
    if (persisted && type === 'pageshow') {
      const orderId = this.#order;
      this.cancel();
      if (orderId) {
        this.#host.focus();
        this.#host.dispatchEvent(new PayReturnEvent('pay-return', { orderId }));
      }
    }
    if (type === 'online' && this.state.error?.code === 'offline') this.cancel();
    this.#host.requestUpdate();
  }

  async #run(): Promise<PayOutcome> {
    const abort = (this.#abort = new AbortController());
    this.#started = this.price;
    this.#move({ phase: 'starting' });
    const { run } = this.state;
    try {
      await this.#attempt(run, abort);
      return { outcome: 'redirected' };
    } catch (cause) {
      const error =
        cause instanceof PayError
          ? cause
          : new PayError('not_configured', 'not-sent', false, cause);
      // An attempt that the page or the shopper cancelled leaves no error on the button.
      const phase = error.code === 'aborted' ? 'idle' : 'failed';
      if (this.#move({ phase, run, error }) && phase === 'failed') {
        adviseOnError(this.#host, error);
        this.#report(error);
      }
      return error;
    }
  }

  async #attempt(run: number, abort: AbortController): Promise<void> {
    const host = this.#host;
    const { signal } = abort;
    const start = new PayStartEvent('pay-start', { orderId: host.orderId }, true);
    signal.throwIfAborted();
    if (!host.dispatchEvent(start)) throw aborted('not-sent');
    // Without a promise to wait for, the request leaves within the press, before a render.
    if (start.waits.length) {
      await Promise.all(start.waits).catch((cause: unknown) => {
        throw aborted('not-sent', cause);
      });
    }
    signal.throwIfAborted();
    const { orderId } = host;
    if (!host.endpoint || !orderId) {
      throw new TypeError('endpoint and order-id are required');
    }
    const url = await takeTurn(orderId, timeoutMs(host), () => this.#ask(run, abort));
    signal.throwIfAborted();
    if (!url) return this.#rest();
    const redirectUrl = url.href;
    this.#order = orderId;
    this.#move({ phase: 'redirecting', run, redirectUrl });
    const goes = host.dispatchEvent(new PayRedirectEvent('pay-redirect', { redirectUrl }, true));
    if (this.state.phase === 'redirecting') {
      if (goes) this.#leave(redirectUrl);
      else this.#rest();
    }
  }

  async #ask(run: number, abort: AbortController): Promise<URL> {
    const { signal } = abort;
    signal.throwIfAborted();
    const host = this.#host;
    const body = JSON.stringify({ ...host.data, orderId: host.orderId });
    const key = attemptKey(host);
    this.#move({ phase: 'requesting', run });
    const timer = setTimeout(
      () => abort.abort(new PayError('timeout', 'unknown')),
      timeoutMs(host),
    );
    try {
      const answer = await requestRedirect(host.endpoint, host.credentials, key, body, signal);
      const url = parseRedirect(answer, host.allowedOrigins);
      if (url) return url;
      const refusal = new Error(refusalOf(answer, host.allowedOrigins));
      throw new PayError('untrusted_redirect', 'refused', false, refusal);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Goes to the hosted page. A browser that does not leave in time stalls the attempt. */
  #leave(redirectUrl: string): void {
    const stall = () => {
      turns.delete(this.#order);
      this.#move({ phase: 'stalled' });
    };
    this.#stallTimer = setTimeout(stall, stallMs);
    try {
      ((this.#host.target === 'top' && window.top) || window).location.href = redirectUrl;
    } catch {
      stall();
    }
  }

  #report(error: PayError): void {
    const fields = Object.assign({ error }, error);
    this.#host.dispatchEvent(new PayErrorEvent('pay-error', fields));
  }

  #rest(): void {
    clearTimeout(this.#stallTimer);
    turns.delete(this.#order);
    this.#order = '';
    this.#move({ phase: 'idle' });
  }

  /** Returns whether the signal changed the state. */
  #move(signal: CheckoutSignal): boolean {
    const before = this.state;
    const after = (this.state = next(before, signal));
    if (after === before) return false;
    this.#host.requestUpdate();
    const fields = { state: after.phase, previous: before.phase };
    return this.#host.dispatchEvent(new PayStateEvent('pay-state', fields));
  }
}

function aborted(outcome: ErrorOutcome, cause?: unknown): PayError {
  return new PayError('aborted', outcome, true, cause);
}

/** An invalid time means the default. A timer has 31 bits. */
function timeoutMs({ timeoutMs: given }: CheckoutHost): number {
  return given > 0 ? Math.min(given, 2 ** 31 - 1) : defaultTimeoutMs;
}
