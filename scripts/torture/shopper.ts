import { setTimeout as pause } from 'node:timers/promises';

/** Where a shopper goes. */
export interface Places {
  /** A process of the shop, as a load balancer chooses it; none while all are dead. */
  readonly shopUrl: () => string | undefined;
  readonly gatewayUrl: string;
}

/** What a shopper and a merchant learnt about one order. */
export interface Purchase {
  readonly orderId: string;
  /** The last answer to the last question: for the link, and with a link whether the order is paid. */
  readonly lastAnswer: string;
  /** Whether the shop gave a payment link in time. */
  readonly hasLink: boolean;
  /** Whether the shop showed it as paid. */
  readonly isShownPaid: boolean;
  /** Whether the shop took the refund on, or knew of it. */
  readonly isRefunded: boolean;
  /** From the gateway's taking the money to the shop's showing it, in milliseconds. */
  readonly knownAfterMs: number;
}

/** Takes what was answered last. */
type Note = (answer: string) => void;

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
  let lastAnswer = 'no process answered';
  const note: Note = (answer) => (lastAnswer = answer);
  const link = await insist(places, LINK_WAIT_MS, (url) => checkout(url, orderId, note));
  if (link === undefined) {
    const nothing = { hasLink: false, isShownPaid: false, isRefunded: false, knownAfterMs: 0 };
    return { orderId, lastAnswer, ...nothing };
  }
  await send(`${places.gatewayUrl}/pay${new URL(link.redirectUrl).search}`, { method: 'POST' });
  const paidAt = performance.now();
  const hints = [hint(places, orderId), hint(places, orderId)];
  const { pathname } = new URL(link.statusUrl);
  const paid = await insist(places, WAIT_MS, async (url) => {
    const status = await read<{ readonly state: string }>(`${url}${pathname}`, {}, note);
    if (status?.state === 'paid') return status;
    if (status !== undefined) await pause(POLL_PAUSE_MS);
    return undefined;
  });
  const knownAfterMs = performance.now() - paidAt;
  await Promise.all(hints);
  const isShownPaid = paid !== undefined;
  const refund =
    isShownPaid && Math.random() < 0.3
      ? await insist(places, WAIT_MS - knownAfterMs, (url) =>
          read(`${url}/refund/${orderId}`, { method: 'POST' }),
        )
      : undefined;
  const isRefunded = refund !== undefined;
  return { orderId, lastAnswer, hasLink: true, isShownPaid, isRefunded, knownAfterMs };
}

/** Asks one process after the other for so long, until one answers as it should. */
async function insist<T>(
  { shopUrl }: Places,
  milliseconds: number,
  ask: (url: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  const endsAt = performance.now() + milliseconds;
  while (performance.now() <= endsAt) {
    const url = shopUrl();
    const answer = url === undefined ? undefined : await ask(url).catch(() => undefined);
    if (answer !== undefined) return answer;
    await pause(RETRY_PAUSE_MS);
  }
  return undefined;
}

/** Asks for an order's payment link. */
export const checkout = (url: string, orderId: string, note?: Note) =>
  read<{ readonly redirectUrl: string; readonly statusUrl: string }>(
    `${url}/pay/checkout`,
    posted({ orderId }),
    note,
  );

/** The webhook may be lost with the process that takes it, unless it was acknowledged. */
async function hint({ shopUrl }: Places, orderId: string): Promise<void> {
  await pause(Math.random() * 300);
  const url = shopUrl();
  if (url !== undefined) await webhook(url, orderId).catch(() => undefined);
}

/** Delivers the gateway's webhook about an order's first attempt. */
export const webhook = (url: string, orderId: string, limitMs?: number): Promise<Response> =>
  send(`${url}/pay/webhook`, posted({ merchantOrderId: `${orderId}~1` }), limitMs);

const posted = (content: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(content),
});

async function read<T>(url: string, init: RequestInit, note?: Note): Promise<T | undefined> {
  try {
    const response = await send(url, init);
    const text = await response.text();
    const { ok, status } = response;
    const body = text === '' ? {} : (JSON.parse(text) as { code?: string; state?: string });
    note?.(`${status} ${body.code ?? body.state ?? ''}`.trimEnd());
    return ok ? (body as T) : undefined;
  } catch (error) {
    // `fetch` has the system's code in the cause.
    const { name, cause } = error as Error;
    note?.((cause as { readonly code?: string } | undefined)?.code ?? name);
    throw error;
  }
}

/** A call that ends, whatever the other side does. */
export const send = (url: string, init: RequestInit, limitMs = CALL_LIMIT_MS): Promise<Response> =>
  fetch(url, { redirect: 'manual', ...init, signal: AbortSignal.timeout(limitMs) });
