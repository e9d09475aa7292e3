import { withoutCardNumbers } from './domain/cards.ts';

/** What stands for a value that is not kept. */
export const notKept = '[not kept]';

/** Fields of the gateway's bodies that say nothing about a person. */
const plainFields: ReadonlySet<string> = new Set([
  'merchantOrderId',
  'amount',
  'currency',
  'id',
  'sessionId',
  'transactionId',
  'active',
  'type',
  'status',
]);

/** A return or webhook address may carry a token of the shop, so only its origin is kept. */
const addressFields: ReadonlySet<string> = new Set(['successUrl', 'failureUrl', 'url']);

/**
 * The part of a request that may be remembered. It is a list of what is allowed: a field that
 * nobody thought of, with whatever a merchant put there, is never kept.
 */
export function keepable(body: unknown): Record<string, string | number | boolean | null> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {};
  const entries = Object.entries(body).map(([name, value]: [string, unknown]) => {
    const field = withoutCardNumbers(name.slice(0, 64));
    if (addressFields.has(name)) return [field, originOf(value)] as const;
    if (!plainFields.has(name)) return [field, notKept] as const;
    return [field, plainValue(value)] as const;
  });
  return Object.fromEntries(entries);
}

function plainValue(value: unknown): string | number | boolean | null {
  if (typeof value === 'string') return withoutCardNumbers(value.slice(0, 255));
  if (typeof value === 'number') {
    return withoutCardNumbers(String(value)) === String(value) ? value : notKept;
  }
  return typeof value === 'boolean' || value === null ? value : notKept;
}

function originOf(value: unknown): string {
  return typeof value === 'string' && URL.canParse(value)
    ? withoutCardNumbers(`${new URL(value).origin}/…`)
    : notKept;
}
