/** What buttons of this page ask for, or have got, by order. Deleted when the page stays or is back. */
export const turns = new Map<string, Promise<URL>>();

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
  const name = `pay-button:${orderId}`;
  // Getting a lock takes as long as the rest of a press. It is waited for only when the mark says
  // that another tab asks, or left the mark behind.
  if (!mark(name)) askOnce().catch(() => undefined);
  const { locks } = navigator;
  // A lock that is refused (sandboxed frame) or waited for too long must not stop a payment.
  const mine = locks
    ? locks.request(name, { signal: AbortSignal.timeout(waitMs) }, askOnce).catch(askOnce)
    : askOnce();
  turns.set(orderId, mine);
  mine.catch(() => turns.delete(orderId)).finally(() => unmark(name));
  return mine;
}

/** Marks an order as asked for, for other tabs, and tells whether it was already. */
function mark(name: string): boolean {
  try {
    const marked = localStorage.getItem(name) !== null;
    localStorage.setItem(name, '');
    return marked;
  } catch {
    return true;
  }
}

function unmark(name: string): void {
  try {
    localStorage.removeItem(name);
  } catch {
    // Storage is refused, so there is no mark.
  }
}
