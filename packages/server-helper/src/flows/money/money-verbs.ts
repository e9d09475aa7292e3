import { checkOrderId } from '../../ids.ts';
import { observe } from '../../telemetry.ts';
import type { Operation } from '../../payments/record.ts';
import type { FlowContext } from '../flow-context.ts';
import { loadOrder } from '../checkout/load-order.ts';
import {
  type CaptureRequest,
  invalid,
  readApprover,
  readMinorUnits,
  readRecurring,
  readRefund,
  readRequest,
  type RecurringRequest,
  type RefundRequest,
  type SaleRequest,
  type VoidRequest,
} from './money-input.ts';
import {
  type MoneyCall,
  moneyOperation,
  orderOf,
  resolveOperation,
  sale,
} from './money-operation.ts';
import { type MoneyOperation, operationOf, type SaleOperation } from '../views.ts';

/**
 * Operations that move money. Each is recorded before it is sent, sent once, ever, and answered by
 * its outcome: read `state`. A repeat with the same key gets the same operation; nothing is sent. A
 * lost answer is a state, `unknown`, and no error.
 */
export interface MoneyVerbs {
  /**
   * Refunds a payment, in full or in part (§4.3). `pending` until the gateway's status shows it; then
   * the payment is `partially_refunded` or `refunded`, and `on.refunded` is called.
   *
   * @throws {@link PaymentsError} and nothing was sent: `invalid_operation`, `order_not_found`,
   * `wrong_state`, `amount_too_large` (counting what is under way or unknown), `request_id_reused`,
   * `not_found_in_store` (no such open `reviewId`), `operation_in_progress`, `store_unavailable`.
   * `outcome_not_recorded` when it was sent: ask again with the same key.
   * @example
   * const { state } = await payments.refund('1001', { amount: '20.00', requestId: 'r-77' });
   */
  refund(orderId: string, request: RefundRequest): Promise<MoneyOperation>;
  /**
   * Approves a refund that another person proposed (`propose`), and sends it, once, however many
   * approve it. It is decided anew: by the balance of now, and after the gateway was asked. While it
   * is refused it stays proposed. Approved again, it is answered as it is, and nothing is sent.
   *
   * Names are compared without capitals, spaces and invisible characters. The kit does not know who
   * calls: take `by` from your own sign-in, and never from a form.
   *
   * @param options - `by`: who approves, in 1 to 200 characters; it is stored.
   * @throws {@link PaymentsError} and nothing was sent: `same_person`, `invalid_operation` (no `by`),
   * `not_found_in_store`, `wrong_state` (also of what is not proposed), `amount_too_large`,
   * `operation_in_progress`, `store_unavailable`. `outcome_not_recorded` when it was sent.
   * @example
   * await payments.refund('1001', { amount: '900.00', requestId: 'r-78', by: 'Noura', propose: true });
   * await payments.approve('request/r-78', { by: 'Salem' });
   */
  approve(operationId: string, options: { readonly by: string }): Promise<MoneyOperation>;
  /**
   * Takes an authorized amount, or a part of it, once (§4.5). A payment that was taken is `captured`.
   *
   * After a challenge the gateway may not have shown that it holds the amount. `loadOrder` is then asked
   * for the price first, and after a change of it nothing is captured.
   *
   * @throws {@link PaymentsError} as {@link MoneyVerbs.refund}; `operation_in_progress` also while a
   * void of the authorization is unknown; `hook_failed` where `loadOrder` does not say the price.
   */
  capture(orderId: string, request: CaptureRequest): Promise<MoneyOperation>;
  /**
   * Releases an authorization before it is captured (§4.6). The payment is `voided` then. Where the payment
   * holds nothing, what is held beside it is released, and its review ends.
   *
   * @throws {@link PaymentsError} as {@link MoneyVerbs.capture}.
   */
  void(orderId: string, request: VoidRequest): Promise<MoneyOperation>;
  /**
   * Charges the customer of a paid order again, by its recurring token (§4.7), once per period, ever,
   * and at most the option `recurringCeiling`. `succeeded` only if both of the gateway's words say so; a decline is `failed` with the reason
   * `declined`. No status shows a charge whose answer was lost: resolve it by hand.
   *
   * @throws {@link PaymentsError} as {@link MoneyVerbs.refund}; `wrong_state` without a token;
   * `recurring_token_unreadable` where no key opens the token.
   */
  chargeRecurring(orderId: string, request: RecurringRequest): Promise<MoneyOperation>;
  /**
   * Charges or authorizes a card server to server (§4.4; much of it is not shown by the
   * specification). The amount and the customer come from `loadOrder`. `redirect` means that the
   * shopper must pass 3-D Secure first: send them `html`; they come back by the same addresses as
   * from a link, and the status decides. Nothing of the card is stored.
   *
   * @throws {@link PaymentsError} and nothing was sent: `invalid_operation`, `invalid_order`,
   * `order_not_found`, `already_paid`, `in_review`, `order_cancelled`, `operation_in_progress`,
   * `request_id_reused`, `not_confirmed` (an open link may be paid), `store_unavailable`.
   * `outcome_not_recorded` when it was sent.
   */
  sale(orderId: string, request: SaleRequest): Promise<SaleOperation>;
  /**
   * Says what a person found out about an operation that is `unknown` or `pending`, on the gateway's
   * dashboard for example. `withdrawn` takes back one that is `proposed`, and is refused by
   * `operation_resolved` once that was approved. The first resolution is final, unless the gateway still accepts what was
   * called failed. A sale that was made needs its transaction's id: its status is then asked for, and decides. Of a capture
   * the gateway is asked first: one of which as much went back since leaves the order `refunded`, and emits no `captured`.
   *
   * @param why - How they know; it is stored. The one word "evidence" is refused, here and in each other `why`.
   * @throws {@link PaymentsError} `not_found_in_store`, `operation_resolved`, `operation_in_progress`,
   * `invalid_operation`, `hook_failed`, `store_unavailable`.
   */
  resolveOperation(
    operationId: string,
    outcome: 'succeeded' | 'failed' | 'withdrawn',
    why: string,
    options?: {
      readonly transactionId?: string | undefined;
      /** Who found it out, in 1 to 200 characters; it is stored. */
      readonly by?: string | undefined;
    },
  ): Promise<MoneyOperation>;
}

/** Runs work with an open store; closing waits for it. */
export type Run<Tx> = <T>(work: (context: FlowContext<Tx>) => Promise<T>) => Promise<T>;

/** Makes the verbs that move money; each is observed as one step. */
export function moneyVerbs<Tx>(run: Run<Tx>): MoneyVerbs {
  const move = (
    kind: string,
    work: (context: FlowContext<Tx>) => Promise<Operation>,
  ): Promise<MoneyOperation> => observed(kind, async () => operationOf(await run(work)));
  const ask = (
    kind: MoneyCall['kind'],
    orderId: string,
    read: (context: FlowContext<Tx>) => MoneyCall,
  ): Promise<MoneyOperation> =>
    move(kind, async (context) => moneyOperation(context, checkOrderId(orderId), read(context)));
  return {
    refund: (orderId, request) => ask('refund', orderId, () => readRefund(request)),
    approve: (id, options) =>
      move('approve', async (context) =>
        moneyOperation(context, await orderOf(context, id), {
          kind: 'approve',
          id,
          approvedBy: readApprover(options),
        }),
      ),
    capture: (orderId, request) =>
      ask('capture', orderId, () => ({
        kind: 'capture',
        ...readRequest(request, 'amount'),
        amountMinorUnits: readMinorUnits(request.amount),
      })),
    void: (orderId, request) =>
      ask('void', orderId, () => ({ kind: 'void', ...readRequest(request) })),
    chargeRecurring: (orderId, request) =>
      ask('recurring', orderId, ({ recurringCeiling }) => ({
        ...readRecurring(orderId, request),
        ceilingMinorUnits: recurringCeiling,
      })),
    sale: (orderId, request) =>
      observed('sale', () =>
        run(async (context) => {
          const { auth, card, recurring = false } = request;
          if (auth !== 'authorize' && auth !== 'capture') {
            throw invalid('auth', 'auth must be "authorize" or "capture".');
          }
          const terms = { ...readRequest(request, 'auth', 'card', 'recurring'), auth, recurring };
          return sale(context, await loadOrder(context, orderId, undefined), terms, card);
        }),
      ),
    resolveOperation: (operationId, outcome, why, options = {}) =>
      move('resolve', (context) => resolveOperation(context, operationId, outcome, why, options)),
  };
}

function observed<T extends MoneyOperation>(kind: string, work: () => Promise<T>): Promise<T> {
  const result = ({ orderId, operationId, state, reason }: T) => ({
    orderId,
    operationId,
    state,
    reason: reason ?? undefined,
  });
  return observe('money', { name: `pay-button.money ${kind}`, details: { kind }, result }, work);
}
