/**
 * What buttons of this page ask for, or have got, by order. It hangs on the global object so that a
 * second copy of the script takes part.
 */
const page = globalThis as unknown as Record<symbol, Map<string, Promise<URL>> | undefined>;
/** By order. Delete one when the page came back, stayed, or took over by itself. */
export const turns = (page[Symbol.for('pay-button')] ??= new Map<string, Promise<URL>>());

/**
 * Lets one button at a time ask for an order's redirect. A second button of this page waits for the
 * first one's answer and asks only if the first one failed. Another tab waits too (Web Locks), at
 * most `waitMs`, since a suspended tab may never let go. The lock is free again when this returns:
 * a page that leaves while it holds one is kept out of the back-forward cache.
 *
 * @returns the address if this caller asked for it, `undefined` if another button has got it
 */
export async function takeTurn(
  orderId: string,
  waitMs: number,
  ask: () => Promise<URL>,
): Promise<URL | undefined> {
  for (let other; (other = turns.get(orderId));) {
    if (await other.catch(() => undefined)) return undefined;
  }
  let asked: Promise<URL> | undefined;
  const askOnce = () => (asked ??= ask());
  const { locks } = navigator;
  // A lock that is refused (sandboxed frame) or waited for too long must not stop a payment.
  const mine = locks
    ? locks
        .request(`pay-button:${orderId}`, { signal: AbortSignal.timeout(waitMs) }, askOnce)
        .catch(askOnce)
    : askOnce();
  turns.set(orderId, mine);
  mine.catch(() => turns.delete(orderId));
  return mine;
}
