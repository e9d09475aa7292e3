import { expect } from 'vitest';
import type { Store } from '../src/stores/store.ts';

/** A paid and a waiting order as the first release wrote them, in SQL that both databases read. */
export const firstReleaseRows = `
  INSERT INTO pay_payments (order_id, amount, currency, state, cancelled, transaction_id, refunded,
    current_attempt, version, updated_at)
  VALUES ('paid', 11500, 'SAR', 'partially_refunded', 0, 't-1', 2000, 1, 4, 1000),
    ('waiting', 500, 'SAR', 'pending', 0, NULL, 0, 1, 2, 1000);
  INSERT INTO pay_attempts (order_id, number, merchant_order_id, amount, currency, state, session_id,
    redirect_url, created_at, expires_at, next_check_at)
  VALUES ('paid', 1, 'paid~1', 11500, 'SAR', 'succeeded', 's-1', 'https://a.example', 1, 2, NULL),
    ('waiting', 1, 'waiting~1', 500, 'SAR', 'open', 's-2', 'https://a.example', 1, 2, 1000);
  INSERT INTO pay_ledger (transaction_id, order_id, attempt_number, kind, amount, currency, recorded_at)
  VALUES ('t-1', 'paid', 1, 'payment', 11500, 'SAR', 1000);
  INSERT INTO pay_reviews (order_id, reason, transaction_id, created_at)
  VALUES ('paid', 'duplicate_charge', 't-2', 1000);
  INSERT INTO pay_outbox (event_id, order_id, event, outcome, tries, next_try_at)
  VALUES ('paid/paid/t-1', 'paid', '{"id":"paid/paid/t-1","type":"paid","orderId":"paid"}', 'waiting', 0, 1000);
`;

/** Holds a migrated store against {@link firstReleaseRows}. */
export async function expectFirstRelease(
  store: Pick<Store<unknown>, 'load' | 'claimDue' | 'claimEvents'>,
): Promise<void> {
  const paid = await store.load('paid');
  expect(paid?.payment).toMatchObject({
    state: 'partially_refunded',
    capturedMinorUnits: 11_500,
    refundedMinorUnits: 2_000,
    recurringToken: null,
  });
  expect(paid).toMatchObject({
    attempts: [{ kind: 'link', transactionId: null, state: 'succeeded' }],
    reviews: [{ subject: 't-2', resolvedAt: null, resolution: null }],
    operations: [],
  });
  expect((await store.load('waiting'))?.payment.capturedMinorUnits).toBe(0);
  expect(await store.claimDue(1_000, 10, 1)).toEqual([{ orderId: 'waiting', attemptNumber: 1 }]);
  const [delivery] = await store.claimEvents(1_000, 10, 1, ['paid']);
  expect(delivery?.event).toMatchObject({ id: 'paid/paid/t-1', operationId: null });
}
