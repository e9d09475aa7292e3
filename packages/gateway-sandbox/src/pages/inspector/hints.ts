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

/** What decided a refusal, where that alone says which trap it was. */
const byDecision: Readonly<Record<string, HintKind>> = {
  'corrected-spelling': 'corrected-spelling',
  'browser-call': 'key-from-browser',
  'session-id': 'session-id-as-transaction',
  'payment-id': 'payment-id-as-transaction',
  'above-balance': 'refund-above-balance',
};

/** The trap that a request walked into, or null. A request that was answered well walked into none. */
export function hintOf(request: LoggedRequest): HintKind | null {
  const { operation, decidedBy, status, request: asked } = request;
  if (status !== null && status < 400) return null;
  const decided = byDecision[decidedBy];
  if (decided !== undefined) return decided;
  if (decidedBy === 'wrong-credential-type' && isPortalCall(request)) return 'key-on-portal';
  if (operation === 'void' && decidedBy === 'already-captured') return 'void-after-capture';
  return decidedBy === 'validation' && typeof asked['amount'] === 'string' ? 'string-amount' : null;
}

/** The newest hint of each kind, newest first. */
export function newestHints(requests: readonly LoggedRequest[]): Hint[] {
  const hints = new Map<HintKind, Hint>();
  for (const request of requests.toReversed()) {
    const kind = hintOf(request);
    if (kind !== null && !hints.has(kind)) hints.set(kind, { kind, request });
  }
  return [...hints.values()];
}

function isPortalCall({ path }: LoggedRequest): boolean {
  return path.includes('/merchant/');
}
