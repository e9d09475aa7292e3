import type { Drift } from './drift.ts';

/** The profile's entries that may say what an answer had; `undefined` where there is none. */
export function entryOf({
  operation,
  kind,
  field,
}: Pick<Drift, 'operation' | 'kind' | 'field'>): string | undefined {
  if (operation === 'logIn') return kind === 'unexpected_status' ? 'login.path' : 'login.token';
  if (kind === 'unfollowed_hint') return 'webhook.orderName, webhook.transactionId';
  if (operation !== 'retrieveStatus') return undefined;
  if (kind === 'unknown_field' && field.startsWith('/data/content/')) return 'status.orderName';
  const isRefusal = kind === 'unexpected_status' || field.startsWith('/error');
  return isRefusal ? 'status.parameter, status.asksFor, status.notFound' : undefined;
}
