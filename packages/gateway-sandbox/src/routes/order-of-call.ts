import type { Tenant } from '../domain/state.ts';

/**
 * The merchant's order that a call is about, or null: the one that it names, or that of the
 * session or transaction that it names.
 */
export function orderOfCall(tenant: Tenant, input: unknown): string | null {
  const named = textOf(input, 'merchantOrderId') ?? textOf(input, 'orderId');
  if (named !== null) return named;
  const id = textOf(input, 'transactionId') ?? textOf(input, 'id') ?? textOf(input, 'sessionId');
  if (id === null) return null;
  const sessionId = tenant.transactions.get(id)?.sessionId ?? id;
  return tenant.sessions.get(sessionId)?.merchantOrderId ?? null;
}

function textOf(input: unknown, name: string): string | null {
  const isObject = typeof input === 'object' && input !== null && Object.hasOwn(input, name);
  const value: unknown = isObject ? Reflect.get(input, name) : null;
  return typeof value === 'string' ? value : null;
}
