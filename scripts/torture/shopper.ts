import { setTimeout as pause } from 'node:timers/promises';

/** What a shopper and a merchant learnt about one order. */
export interface Purchase {
  /** From the gateway's taking the money to the shop's showing it, in milliseconds. */
  readonly knownAfterMs: number;
  readonly isRefunded: boolean;
  /** What the shop did not do in time. */
  readonly wrong?: string;
}

const RETRY_PAUSE_MS = 50;
const POLL_PAUSE_MS = 400;
/** A database without a leader gives no links meanwhile; no money moves before there is one. */
const LINK_WAIT_MS = 300_000;
/** Money that the shop does not show for longer, or a refund that it does not take, is reported. */
const WAIT_MS = 120_000;
const CALL_LIMIT_MS = 15_000;

/** The address of a process of the shop, as a load balancer chooses it. @throws while all are dead. */
type Shop = () => string;

/**
 * Buys something as a determined shopper does: a process that does not answer is asked
 * again, and so is another process. Pays at the gateway once, comes back, lets the webhook arrive,
 * and waits for the shop to show that it is paid. Some of it is refunded.
 */
export async function shop(orderId: string, shopUrl: Shop, gatewayUrl: string): Promise<Purchase> {
  let knownAfterMs = 0;
  try {
    const { redirectUrl, statusUrl } = await insist('got no payment link', LINK_WAIT_MS, () =>
      checkout(shopUrl(), orderId),
    );
    await send(`${gatewayUrl}/pay${new URL(redirectUrl).search}`, { method: 'POST' });
    const paidAt = performance.now();
    const hints = [hint(shopUrl, orderId), hint(shopUrl, orderId)];
    await insist('was not shown as paid', WAIT_MS, async () => {
      const { state } = await read(`${shopUrl()}${new URL(statusUrl).pathname}`);
      if (state === 'paid') return;
      await pause(POLL_PAUSE_MS);
      throw new Error(state);
    });
    knownAfterMs = performance.now() - paidAt;
    await Promise.all(hints);
    const isRefunded = Math.random() < 0.3;
    if (isRefunded) {
      await insist('was not refunded', WAIT_MS, () =>
        read(`${shopUrl()}/refund/${orderId}`, { method: 'POST' }),
      );
    }
    return { knownAfterMs, isRefunded };
  } catch (error) {
    const wrong = `${orderId} ${(error as Error).message}`;
    return { knownAfterMs, isRefunded: false, wrong };
  }
}

/** Asks one process after the other, until one answers as it should. @throws after so long. */
async function insist<T>(what: string, milliseconds: number, ask: () => Promise<T>): Promise<T> {
  const endsAt = performance.now() + milliseconds;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      // `fetch` has the system's code in the cause.
      const { message, cause = {} } = error as { message: string; cause?: { code?: string } };
      const why = `${what} in time; the last answer: ${cause.code ?? message}`;
      if (performance.now() > endsAt) throw new Error(why, { cause: error });
      await pause(RETRY_PAUSE_MS);
    }
  }
}

export const checkout = (url: string, orderId: string) =>
  read(`${url}/pay/checkout`, posted({ orderId }));

/** The webhook may be lost with the process that takes it, unless it was acknowledged. */
async function hint(shopUrl: Shop, orderId: string): Promise<void> {
  await pause(Math.random() * 300);
  try {
    await webhook(shopUrl(), orderId);
  } catch {
    // No process took the webhook; the shop asks the gateway itself.
  }
}

export const webhook = (url: string, orderId: string, limitMs?: number) =>
  send(`${url}/pay/webhook`, posted({ merchantOrderId: `${orderId}~1` }), limitMs);

const posted = (content: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(content),
});

/** What the shop answers to a good end. @throws with the status and the code of any other answer. */
async function read(url: string, init: RequestInit = {}) {
  const response = await send(url, init);
  const body = await response.text();
  const answer = JSON.parse(body || '{}') as Record<
    'redirectUrl' | 'statusUrl' | 'state' | 'code',
    string
  >;
  if (response.ok) return answer;
  throw new Error(`${response.status} ${answer.code ?? ''}`.trimEnd());
}

/** A call that ends, whatever the other side does. */
export const send = (url: string, init: RequestInit, limitMs = CALL_LIMIT_MS): Promise<Response> =>
  fetch(url, { redirect: 'manual', ...init, signal: AbortSignal.timeout(limitMs) });
