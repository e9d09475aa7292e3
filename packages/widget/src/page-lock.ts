/** The running or successful request of each order on this page. Deleted when the page stays or is back. */
export const turns = new Map<string, Promise<URL>>();

/**
 * Lets one button at a time ask for an order's redirect. A second button of this page waits for the
 * answer to the first one and asks only if the first one failed. Another tab waits too (Web Locks),
 * at most `waitMs`, since a suspended tab may never release its lock. The lock is free again when
 * this function returns: a held lock keeps a page out of the back-forward cache.
 *
 * @returns the address if this caller asked for it, `undefined` if another button has it
 * @see docs/decisions/0021-mark-before-the-web-lock.md
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
  // A lock takes as long as the rest of a press. Only a mark of another tab, running or crashed,
  // makes this press wait for the lock.
  if (!mark(name)) askOnce().catch(() => undefined);
  const { locks } = navigator;
  // A payment goes on without a lock that is refused (sandboxed frame) or does not come in time.
  const mine = locks
    ? locks.request(name, { signal: AbortSignal.timeout(waitMs) }, askOnce).catch(askOnce)
    : askOnce();
  turns.set(orderId, mine);
  mine.catch(() => turns.delete(orderId)).finally(() => unmark(name));
  return mine;
}

/** Marks an order for other tabs. Returns whether the order was marked already. */
function mark(name: string): boolean {
  try {
    const isMarked = name in localStorage;
    localStorage.setItem(name, '');
    return isMarked;
  } catch {
    return true;
  }
}

function unmark(name: string): void {
  try {
    localStorage.removeItem(name);
  } catch {
    // A browser that refuses storage has no mark.
  }
}
