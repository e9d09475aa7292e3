import { describe, expect, it } from 'vitest';
import { aLedgerRow, NOW, SAR_115 } from '../../test-support/records.ts';
import { discrepant, selling } from '../../test-support/sale-records.ts';
import { transactionId } from '../ids.ts';
import type { PaymentRecord } from './record.ts';
import { recordSale, type SaleOutcome } from './sale.ts';

const LATER = NOW + 1_000;
const t9 = transactionId('t-9');
const answer = { transactionId: t9, reference: '77', recurringToken: null };
const success: SaleOutcome = { kind: 'success', ...answer };
const redirect: SaleOutcome = { kind: 'redirect', ...answer };

const record = (before: PaymentRecord, outcome: SaleOutcome) =>
  recordSale(before, 'request/s-1', outcome, LATER);

const eventsOf = (change: ReturnType<typeof record>) => change?.events.map(({ type }) => type);

describe('the answer to a sale', () => {
  it.each([success, redirect])(
    'opens the attempt, and pays nothing by itself ($kind)',
    (outcome) => {
      const change = record(selling('sale'), outcome);
      expect(change).toMatchObject({
        payment: { state: 'pending', currentAttempt: 2, amount: SAR_115, transactionId: null },
        attempts: [{ number: 2, state: 'open', transactionId: t9, nextCheckAt: LATER }],
        operations: [{ state: 'pending', reference: '77', transactionId: t9 }],
        ledger: [],
        events: [],
      });
    },
  );

  it('takes from the answer that an amount is held, since no status may show it', () => {
    const change = record(selling('authorization'), success);
    expect(change).toMatchObject({
      payment: { state: 'authorized', transactionId: t9, capturedMinorUnits: 0 },
      operations: [{ state: 'succeeded', reason: 'accepted', transactionId: t9 }],
      ledger: [{ transactionId: t9, kind: 'payment', attemptNumber: 2 }],
      events: [{ type: 'authorized', transactionId: t9, operationId: 'request/s-1' }],
      reviews: [],
    });
  });

  it('holds nothing while the shopper has a challenge to pass', () => {
    const change = record(selling('authorization'), redirect);
    expect(change).toMatchObject({ payment: { state: 'pending' }, ledger: [], events: [] });
    expect(change?.operations).toMatchObject([{ state: 'pending' }]);
  });

  it('comes late for an order that was given up, and can then only be voided', () => {
    const change = record(selling('authorization', { cancelled: true }), success);
    expect(change).toMatchObject({
      payment: { state: 'paid_late', transactionId: t9, capturedMinorUnits: 0 },
      ledger: [{ transactionId: t9, kind: 'late' }],
      reviews: [{ reason: 'paid_late', subject: t9 }],
      events: [{ type: 'paidLate', transactionId: t9, operationId: 'request/s-1' }],
    });
  });

  it('is too much for an order that is paid', () => {
    const paid = { state: 'paid', currentAttempt: 1 } as const;
    expect(record(selling('authorization', paid), success)).toMatchObject({
      payment: paid,
      attempts: [{ number: 2, state: 'open' }],
      ledger: [{ transactionId: t9, kind: 'duplicate' }],
      reviews: [{ reason: 'duplicate_charge', subject: t9 }],
      events: [{ type: 'duplicateCharge', transactionId: t9 }],
    });
  });

  it('is for a person to decide where the order is in review', () => {
    const stopped = { state: 'review', currentAttempt: 1 } as const;
    expect(record(selling('authorization', stopped), success)).toMatchObject({
      payment: stopped,
      ledger: [{ transactionId: t9, kind: 'discrepancy', amount: SAR_115 }],
      reviews: [{ reason: 'paid_in_review', subject: t9 }],
      events: [{ type: 'review', transactionId: t9 }],
    });
  });

  it('holds once, although evidence was faster', () => {
    const known = { ledger: [aLedgerRow({ transactionId: t9, attemptNumber: 2 })] };
    const change = record(selling('authorization', { state: 'pending' }, known), success);
    expect(change).toMatchObject({ ledger: [], events: [], operations: [{ state: 'succeeded' }] });
  });

  it('that declines the card ends the attempt and tells it', () => {
    const change = record(selling('sale'), { kind: 'declined' });
    expect(change).toMatchObject({
      payment: { state: 'failed', currentAttempt: 2, amount: SAR_115 },
      attempts: [{ number: 2, state: 'closed', nextCheckAt: null }],
      operations: [{ state: 'failed', reason: 'declined' }],
      events: [{ id: '1001/failed/request/s-1', type: 'failed' }],
    });
  });

  it.each(['paid', 'review'] as const)('that declines changes no order in %s', (state) => {
    const change = record(selling('sale', { state, currentAttempt: 1 }), { kind: 'declined' });
    expect(change).toMatchObject({ payment: { state, currentAttempt: 1 }, events: [] });
    expect(change?.operations).toMatchObject([{ state: 'failed' }]);
  });

  it('that refuses ends the attempt, and leaves the payment as it was', () => {
    const refused: SaleOutcome = { kind: 'failed', reason: 'invalid_request' };
    const change = record(selling('sale'), refused);
    expect(change).toMatchObject({
      payment: { state: 'unpaid', currentAttempt: 0 },
      attempts: [{ state: 'closed' }],
      operations: [{ state: 'failed', reason: 'invalid_request' }],
      events: [],
    });
  });

  it('that is lost stops the order until a person has looked', () => {
    const lost: SaleOutcome = { kind: 'unknown', reason: 'connection_lost' };
    const change = record(selling('sale'), lost);
    expect(change).toMatchObject({
      payment: { state: 'review' },
      attempts: [{ number: 2, state: 'lost', nextCheckAt: null }],
      operations: [{ state: 'unknown', reason: 'connection_lost' }],
      reviews: [{ reason: 'unknown_outcome', subject: 'request/s-1', resolvedAt: null }],
      events: [{ type: 'review', reason: 'unknown_outcome', operationId: 'request/s-1' }],
    });
    expect(change?.events[0]?.id).toBe('1001/review/unknown_outcome:request/s-1');
    const paid = record(selling('sale', { state: 'paid' }), lost);
    expect(paid?.payment.state).toBe('paid');
  });

  it('asks a person only once', () => {
    const asked = selling('sale', { state: 'review' }, { reviews: [discrepant()] });
    const change = record(asked, { kind: 'unknown', reason: 'connection_lost' });
    expect(change).toMatchObject({ events: [], reviews: [] });
  });

  it.each(['pending', 'succeeded', 'failed'] as const)(
    'is dropped when it is %s already',
    (state) => {
      expect(record(selling('sale', {}, {}, { state }), success)).toBeNull();
    },
  );

  it('is dropped when there is no such sale', () => {
    expect(recordSale(selling('sale'), 'request/other', success, LATER)).toBeNull();
    expect(record(selling('sale', {}, { attempts: [] }), success)).toBeNull();
  });
});

describe('the answer to a sale that had been given up as lost', () => {
  const lost = (rest: Partial<PaymentRecord> = {}) =>
    selling(
      'sale',
      { state: 'review' },
      { reviews: [discrepant()], ...rest },
      { state: 'unknown' },
    );

  it('lets the order go on', () => {
    expect(record(lost(), success)).toMatchObject({
      payment: { state: 'pending', currentAttempt: 2 },
      attempts: [{ state: 'open' }],
      reviews: [{ subject: 'request/s-1', resolvedAt: LATER, resolution: 'evidence' }],
    });
    const refused = record(lost(), { kind: 'failed', reason: 'invalid_request' });
    expect(refused?.payment.state).toBe('failed');
    const declined = record(lost(), { kind: 'declined' });
    expect(declined?.payment.state).toBe('failed');
    expect(eventsOf(declined)).toEqual(['failed']);
  });

  it.each([['another matter is open', { reviews: [discrepant(), discrepant('t-5')] }]])(
    'leaves it in review when %s',
    (_why, rest) => {
      expect(record(lost(rest), success)?.payment.state).toBe('review');
      const refused = record(lost(rest), { kind: 'failed', reason: 'invalid_request' });
      expect(refused?.payment.state).toBe('review');
    },
  );

  it('counts a matter that a person resolved as over', () => {
    const rest = { reviews: [discrepant(), discrepant('t-5', NOW)] };
    expect(record(lost(rest), success)?.payment.state).toBe('pending');
  });

  it('does not open a review that is not its own', () => {
    const sending = selling('sale', { state: 'review' }, { reviews: [] });
    expect(record(sending, success)?.payment.state).toBe('review');
  });

  it('that is lost again changes nothing but the reason', () => {
    const change = record(lost(), { kind: 'unknown', reason: 'timeout' });
    expect(change).toMatchObject({ payment: { state: 'review' }, events: [] });
  });
});
