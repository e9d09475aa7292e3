import { pause } from './shop-under-fire.ts';

/** Where a shopper goes. */
export interface Places {
  /** A process of the shop, as a load balancer chooses it; none while all are dead. */
  readonly shopUrl: () => string | undefined;
  readonly gatewayUrl: string;
}

/** What a shopper and a merchant learnt about one order. */
export interface Purchase {
  readonly orderId: string;
  /** The answers to the last question: for the link, and with a link whether the order is paid. */
  answers: Answers;
  /** Whether the shop gave a payment link in time. */
  hasLink: boolean;
  /** Whether the shop showed it as paid. */
  isShownPaid: boolean;
  /** Whether the shop took the refund on, or knew of it. */
  isRefunded: boolean;
  /** From the gateway's taking the money to the shop's showing it, in milliseconds. */
  knownAfterMs: number;
}

/** How often a shopper got each answer, and when, so that the report of a wrong explains it. */
class Answers {
  readonly #startedAt = performance.now();
  readonly #seen = new Map<string, { times: number; firstAt: number; lastAt: number }>();

  add(answer: string): void {
    const now = performance.now();
    const seen = this.#seen.get(answer) ?? { times: 0, firstAt: now, lastAt: now };
    this.#seen.set(answer, { ...seen, times: seen.times + 1, lastAt: now });
  }

  /** Such as `3 × 503 store_unavailable (0 to 12 s), 200 × 429 too_many_attempts (13 to 300 s)`. */
  toString(): string {
    const second = (at: number): number => Math.round((at - this.#startedAt) / 1_000);
    const parts = [...this.#seen].map(
      ([answer, { times, firstAt, lastAt }]) =>
        `${times} × ${answer} (${second(firstAt)} to ${second(lastAt)} s)`,
    );
    return parts.length === 0 ? 'no process answered' : parts.join(', ');
  }
}

const RETRY_PAUSE_MS = 50;
const POLL_PAUSE_MS = 400;
/** A database without a leader gives no links meanwhile; no money moves before there is one. */
const LINK_WAIT_MS = 300_000;
/** Money that the shop does not show for longer, or a refund that it does not take, is reported. */
const WAIT_MS = 120_000;
const CALL_LIMIT_MS = 15_000;

/**
 * Buys something as a determined shopper does: a process that does not answer is asked
 * again, and so is another process. Pays at the gateway once, comes back, lets the webhook arrive,
 * and waits for the shop to show that it is paid. Some of it is refunded.
 */
export async function shop(orderId: string, places: Places): Promise<Purchase> {
  const purchase: Purchase = {
    orderId,
    answers: new Answers(),
    hasLink: false,
    isShownPaid: false,
    isRefunded: false,
    knownAfterMs: 0,
  };
  const link = await insist(places, within(LINK_WAIT_MS), (url) =>
    checkout(url, orderId, purchase.answers),
  );
  if (link === undefined) return purchase;
  purchase.hasLink = true;
  purchase.answers = new Answers();
  await send(`${places.gatewayUrl}/pay${new URL(link.redirectUrl).search}`, { method: 'POST' });
  const paidAt = performance.now();
  const isOver = within(WAIT_MS);
  const hints = [hint(places, orderId), hint(places, orderId)];
  purchase.isShownPaid = await untilPaid(places, isOver, link.statusUrl, purchase.answers);
  purchase.knownAfterMs = performance.now() - paidAt;
  await Promise.all(hints);
  if (purchase.isShownPaid && Math.random() < 0.3) {
    const refund = await insist(places, isOver, (url) =>
      read(`${url}/refund/${orderId}`, { method: 'POST' }),
    );
    purchase.isRefunded = refund !== undefined;
  }
  return purchase;
}

/** Whether a time that begins now is over. */
function within(milliseconds: number): () => boolean {
  const endsAt = performance.now() + milliseconds;
  return () => performance.now() > endsAt;
}

/** Asks one process after the other, until one answers as it should. */
async function insist<T>(
  { shopUrl }: Places,
  isOver: () => boolean,
  ask: (url: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  while (!isOver()) {
    const url = shopUrl();
    const answer = url === undefined ? undefined : await ask(url).catch(() => undefined);
    if (answer !== undefined) return answer;
    await pause(RETRY_PAUSE_MS);
  }
  return undefined;
}

/** Asks for an order's payment link. */
export async function checkout(
  url: string,
  orderId: string,
  answers?: Answers,
): Promise<{ readonly redirectUrl: string; readonly statusUrl: string } | undefined> {
  const body = JSON.stringify({ orderId });
  const headers = { 'content-type': 'application/json' };
  return read(`${url}/pay/checkout`, { method: 'POST', headers, body }, answers);
}

/** The webhook may be lost with the process that takes it, unless it was acknowledged. */
async function hint({ shopUrl }: Places, orderId: string): Promise<void> {
  await pause(Math.random() * 300);
  const url = shopUrl();
  if (url !== undefined) await webhook(url, orderId).catch(() => undefined);
}

/** Delivers the gateway's webhook about an order's first attempt. */
export function webhook(url: string, orderId: string, limitMs?: number): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ merchantOrderId: `${orderId}~1` });
  return send(`${url}/pay/webhook`, { method: 'POST', headers, body }, limitMs);
}

async function untilPaid(
  places: Places,
  isOver: () => boolean,
  statusUrl: string,
  answers: Answers,
): Promise<boolean> {
  const { pathname } = new URL(statusUrl);
  while (!isOver()) {
    const status = await insist(places, isOver, (url) =>
      read<{ readonly state: string }>(`${url}${pathname}`, {}, answers),
    );
    if (status?.state === 'paid') return true;
    await pause(POLL_PAUSE_MS);
  }
  return false;
}

async function read<T>(url: string, init: RequestInit, answers?: Answers): Promise<T | undefined> {
  try {
    const response = await send(url, init);
    const text = await response.text();
    const { ok, status } = response;
    const body = text === '' ? {} : (JSON.parse(text) as { code?: string; state?: string });
    answers?.add(`${status} ${body.code ?? body.state ?? ''}`.trimEnd());
    return ok ? (body as T) : undefined;
  } catch (error) {
    // `fetch` has the system's code in the cause.
    const { name, cause } = error as Error;
    answers?.add((cause as { readonly code?: string } | undefined)?.code ?? name);
    throw error;
  }
}

/** A call that ends, whatever the other side does. */
export function send(url: string, init: RequestInit, limitMs = CALL_LIMIT_MS): Promise<Response> {
  return fetch(url, {
    redirect: 'manual',
    ...init,
    signal: AbortSignal.timeout(limitMs),
  });
}
