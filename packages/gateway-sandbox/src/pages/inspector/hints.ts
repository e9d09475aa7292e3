import type { Tenant } from '../../domain/state.ts';
import type { LoggedRequest } from '../../request-log.ts';

/** The mistakes that integrations of this gateway are known to make. */
export type HintKind =
  | 'corrected-spelling'
  | 'session-id-as-transaction'
  | 'payment-id-as-transaction'
  | 'key-from-browser'
  | 'key-on-portal'
  | 'string-amount'
  | 'refund-above-balance'
  | 'void-after-capture';

/** A request that walked into a known trap. */
export interface Hint {
  readonly kind: HintKind;
  readonly request: LoggedRequest;
}

const namesTransaction: ReadonlySet<string> = new Set([
  'refund',
  'capture',
  'void',
  'chargeRecurring',
]);

/** The trap that a request walked into, or null. A request that was answered well walked into none. */
export function hintOf(request: LoggedRequest, tenant: Tenant): HintKind | null {
  if (request.status !== null && request.status < 400) return null;
  const { operation, decidedBy, request: asked } = request;
  if (decidedBy === 'corrected-spelling') return 'corrected-spelling';
  if (decidedBy === 'browser-call') return 'key-from-browser';
  if (decidedBy === 'wrong-credential-type' && isPortalCall(request)) return 'key-on-portal';
  if (operation !== null && namesTransaction.has(operation)) {
    const id = asked['transactionId'];
    if (typeof id === 'string' && tenant.sessions.has(id)) return 'session-id-as-transaction';
    if (typeof id === 'number' || (typeof id === 'string' && /^\d+$/.test(id))) {
      return 'payment-id-as-transaction';
    }
  }
  if (typeof asked['amount'] === 'string') return 'string-amount';
  if (operation === 'refund' && decidedBy === 'above-balance') return 'refund-above-balance';
  return operation === 'void' && decidedBy === 'already-captured' ? 'void-after-capture' : null;
}

/** The newest hint of each kind, newest first. */
export function newestHints(requests: readonly LoggedRequest[], tenant: Tenant): Hint[] {
  const hints = new Map<HintKind, Hint>();
  for (const request of requests.toReversed()) {
    const kind = hintOf(request, tenant);
    if (kind !== null && !hints.has(kind)) hints.set(kind, { kind, request });
  }
  return [...hints.values()];
}

function isPortalCall({ path }: LoggedRequest): boolean {
  return path.includes('/merchant/');
}
