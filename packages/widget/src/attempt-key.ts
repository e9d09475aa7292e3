/** What makes two presses the same attempt. `data` counts by its content, not by its identity. */
export interface AttemptSubject {
  readonly orderId: string;
  readonly amount: string;
  readonly currency: string;
  readonly data: unknown;
}

/** The keys of this page, for browsers that refuse sessionStorage. */
const pageKeys: Record<string, string> = {};

/**
 * The `Idempotency-Key` for this order in this tab. It survives reload and Back, and changes when
 * order, amount, currency or data change.
 *
 * @throws TypeError when `data` cannot be written as JSON
 */
export function attemptKey({ orderId, amount, currency, data }: AttemptSubject): string {
  const place = `pay-button:${orderId}`;
  const subject = digest(JSON.stringify([amount, currency, data], sortKeys));
  let kept = pageKeys[place];
  try {
    kept ??= sessionStorage[place] as string | undefined;
  } catch {
    // Storage is refused: the key lives as long as the page.
  }
  // 128 random bits. Not `crypto.randomUUID`, which pages over plain http do not have.
  kept = kept?.startsWith(subject)
    ? kept
    : subject + crypto.getRandomValues(new Uint32Array(4)).join('-');
  pageKeys[place] = kept;
  try {
    sessionStorage[place] = kept;
  } catch {
    // As above.
  }
  return kept;
}

/** Gives every object's keys one order, so that equal data has equal JSON. */
function sortKeys(_: string, part: unknown): unknown {
  return part && typeof part === 'object' && !Array.isArray(part)
    ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : part;
}

/** FNV-1a: tells changes apart without leaving the shopper's data in the storage or the key. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return `${hash >>> 0}-`;
}
