import { formatAmount } from '../money.ts';
import type { Intent, IntentKind, IntentState } from '../payments/intent.ts';

/** A money operation as the merchant's code sees it. */
export interface MoneyOperation {
  /** What `payments.settle` takes. */
  readonly intentId: string;
  readonly orderId: string;
  readonly kind: IntentKind;
  /** The `requestId` or `periodKey` that it was asked for with. */
  readonly requestId: string;
  /** Decimal string with two decimals. */
  readonly amount: string;
  readonly currency: string;
  /**
   * `pending` the gateway took it on, and evidence is still to come · `done` it happened · `failed`
   * it did not, and nothing moved · `unknown` it may have happened: never send it again under
   * another key; evidence or `payments.settle` ends it · `sending` another call is at it right now.
   */
  readonly state: IntentState;
  /**
   * Why: a gateway error's code, `declined`, `interrupted` (its process died), `no_evidence` (taken
   * on, and not shown for two days), `evidence`, or what a person wrote.
   */
  readonly reason: string | null;
  /** The gateway's reference, where it gave one: a refund's id, a charge's payment id. */
  readonly reference: string | null;
  /** The transaction that it is about; `null` for a sale that has none yet. */
  readonly transactionId: string | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Tells of an intent what the merchant's code may rely on. */
export function operationOf(intent: Intent): MoneyOperation {
  const { id, orderId, kind, requestId, amount, state, reason, reference } = intent;
  return {
    intentId: id,
    orderId,
    kind,
    requestId,
    amount: formatAmount(amount.minorUnits),
    currency: amount.currency,
    state,
    reason,
    reference,
    transactionId: intent.transactionId,
    createdAt: new Date(intent.createdAt).toISOString(),
    updatedAt: new Date(intent.updatedAt).toISOString(),
  };
}

/** A server-to-server sale as the merchant's code sees it. */
export interface SaleOperation extends MoneyOperation {
  /**
   * `redirect`: send `html` to the shopper, whose return is confirmed like a link's · `success` the
   * status confirmed it, or the amount is held · `pending` the status is still to say · `declined`
   * by the issuer · `rejected` by the gateway, or never sent · `unknown` the card may be charged: the
   * order takes no other payment until `payments.settle`.
   */
  readonly result: 'success' | 'redirect' | 'pending' | 'declined' | 'rejected' | 'unknown';
  /** The issuer's challenge, with `redirect` only; kept nowhere. */
  readonly html: string | null;
}

/** Tells of a sale what the merchant's code may rely on. */
export function saleOf(intent: Intent, html: string | null): SaleOperation {
  return { ...operationOf(intent), result: resultOf(intent, html), html };
}

function resultOf({ state, reason }: Intent, html: string | null): SaleOperation['result'] {
  switch (state) {
    case 'done':
      return 'success';
    case 'failed':
      return reason === 'declined' ? 'declined' : 'rejected';
    case 'unknown':
      return 'unknown';
    case 'pending':
    case 'sending':
      return html === null ? 'pending' : 'redirect';
  }
}
