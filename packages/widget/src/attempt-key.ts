import { recall, remember } from './tab-memory.ts';

/** Two presses with equal fields are the same attempt. `data` counts by its content. */
export interface AttemptSubject {
  readonly orderId: string;
  readonly amount: string;
  readonly currency: string;
  readonly data: unknown;
}

/**
 * The `Idempotency-Key` for this order in this tab. The key survives reload and Back, and changes
 * when order, amount, currency or data change.
 *
 * @throws TypeError when `data` cannot be written as JSON
 */
export function attemptKey({ orderId, amount, currency, data }: AttemptSubject): string {
  const name = `pay-button:${orderId}`;
  const subject = digest(JSON.stringify([amount, currency, data], sortKeys));
  let key = recall(name);
  if (!key?.startsWith(subject)) {
    // 128 random bits. Pages over plain http have no `crypto.randomUUID`.
    key = subject + crypto.getRandomValues(new Uint32Array(4)).join('-');
    remember(name, key);
  }
  return key;
}

/** Gives the keys of every object one order, so that equal data has equal JSON. */
function sortKeys(_: string, part: unknown): unknown {
  return part && typeof part === 'object' && !Array.isArray(part)
    ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : part;
}

/** FNV-1a: detects a change without leaving the shopper's data in the storage or the key. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return `${hash >>> 0}-`;
}
