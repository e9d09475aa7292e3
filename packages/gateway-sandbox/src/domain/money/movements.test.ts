import { describe, expect, test } from 'vitest';
import { MoneyForTest, start } from '../../testing/money-for-test.ts';
import { refundSettlesMs } from './movements.ts';

const unknownId = 'f2d5b7c0-0000-4000-8000-000000000001';

describe('a refund', () => {
  test('is open until it settles on the clock, and counts against the balance meanwhile', () => {
    const money = new MoneyForTest('N');
    money.now += 5;
    const reply = money.move('refund', 2_000);
    expect(reply).toMatchObject({
      kind: 'accepted',
      session: { merchantOrderId: 'order-1' },
      transaction: { id: money.id },
      entry: {
        kind: 'refund',
        amountMinor: 2_000,
        result: 'pending',
        createdAt: start + 5,
        finishedAt: null,
        reason: null,
        plannedReason: null,
      },
    });
    expect(money.move('refund', 9_501)).toMatchObject({
      kind: 'above-balance',
      balance: { refundableMinor: 9_500, pendingRefundMinor: 2_000 },
      transaction: { id: money.id },
    });
    money.later(refundSettlesMs - 1);
    expect(money.transaction?.entries[1]).toMatchObject({ result: 'pending' });
    money.later(1);
    expect(money.transaction?.entries[1]).toMatchObject({
      result: 'done',
      finishedAt: start + 5 + refundSettlesMs,
      reason: null,
    });
    expect(money.move('refund', 9_500).kind).toBe('accepted');
  });

  test('that is armed to fail is taken on, and fails later with that reason', () => {
    const money = new MoneyForTest('N');
    money.arm('decline:51', 'refund');
    expect(money.move('refund', 2_000)).toMatchObject({
      entry: { result: 'pending', plannedReason: 'Insufficient funds' },
    });
    money.later(refundSettlesMs);
    expect(money.transaction?.entries[1]).toMatchObject({
      result: 'failed',
      reason: 'Insufficient funds',
    });
    expect(money.move('refund', 11_500)).toMatchObject({
      kind: 'accepted',
      entry: { plannedReason: null },
    });
  });

  test('of the magic amount fails once, and an armed approval is stronger', () => {
    const money = new MoneyForTest('N', 990_801);
    expect(money.move('refund', 100)).toMatchObject({
      entry: { plannedReason: 'Refund was declined by the issuer' },
    });
    expect(money.move('refund', 100)).toMatchObject({ entry: { plannedReason: null } });
    const armed = new MoneyForTest('N', 990_801);
    armed.arm('approve', 'refund');
    expect(armed.move('refund', 100)).toMatchObject({ entry: { plannedReason: null } });
  });

  test.each([true, false])('can be ended at will, once (succeeds: %j)', (succeeds) => {
    const money = new MoneyForTest('N');
    money.move('refund', 2_000);
    const id = money.transaction?.entries[1]?.id ?? '';
    money.now += 7;
    expect(money.endRefund(id, succeeds)).toMatchObject({
      kind: 'ended',
      session: { merchantOrderId: 'order-1' },
      transaction: { id: money.id },
    });
    expect(money.transaction?.entries[1]).toMatchObject({
      result: succeeds ? 'done' : 'failed',
      finishedAt: start + 7,
      reason: succeeds ? null : 'Refund was declined by the issuer',
    });
    expect(money.endRefund(id, !succeeds)).toMatchObject({
      kind: 'already-ended',
      entry: { id, result: succeeds ? 'done' : 'failed' },
    });
    expect(money.endRefund('none', true)).toEqual({ kind: 'unknown-refund' });
  });

  test('of what was not taken is refused', () => {
    const held = new MoneyForTest('Y');
    expect(held.move('refund', 1)).toMatchObject({
      kind: 'nothing-taken',
      balance: { refundableMinor: 0 },
    });
    expect(held.move('refund', 1, unknownId)).toEqual({ kind: 'unknown-transaction', trap: null });
    expect(held.transaction?.entries).toHaveLength(1);
  });
});

describe('a capture', () => {
  test('takes what is held, in full or in part, and once', () => {
    const money = new MoneyForTest('Y');
    money.now += 9;
    expect(money.move('capture', 11_501)).toEqual({ kind: 'above-authorized' });
    expect(money.move('capture', 5_000)).toMatchObject({
      kind: 'accepted',
      session: { merchantOrderId: 'order-1', paidBy: money.id },
      transaction: { id: money.id, status: 'SUCCESS', amountMinor: 5_000 },
      entry: {
        kind: 'capture',
        amountMinor: 5_000,
        result: 'done',
        createdAt: start + 9,
        finishedAt: start + 9,
        reason: null,
        plannedReason: null,
      },
    });
    expect(money.move('capture', 1)).toEqual({ kind: 'already-captured' });
    expect(money.void()).toEqual({ kind: 'already-captured' });
    expect(money.move('refund', 5_001).kind).toBe('above-balance');
    expect(new MoneyForTest('Y').move('capture', 11_500).kind).toBe('accepted');
  });

  test('that is armed to be declined takes nothing, and may be tried again', () => {
    const money = new MoneyForTest('Y');
    money.arm('decline:05', 'capture');
    expect(money.move('capture', 5_000)).toEqual({ kind: 'declined', reason: 'Do not honour' });
    expect(money.transaction).toMatchObject({
      status: 'PENDING',
      entries: [{}, { kind: 'capture', result: 'failed', reason: 'Do not honour' }],
    });
    expect(money.move('capture', 5_000).kind).toBe('accepted');
  });

  test('of the magic amount is declined, unless an approval is armed', () => {
    const money = new MoneyForTest('Y', 990_802);
    const reason = 'Capture was declined by the issuer';
    expect(money.move('capture', 100)).toEqual({ kind: 'declined', reason });
    money.arm('approve', 'capture');
    expect(money.move('capture', 100).kind).toBe('accepted');
  });

  test('of what is not held is refused', () => {
    expect(new MoneyForTest('N').move('capture', 1)).toEqual({ kind: 'no-authorization' });
    const declined = new MoneyForTest('Y', 11_500, '4201320000311101');
    expect(declined.move('capture', 1)).toEqual({ kind: 'not-authorized' });
    const trap = { kind: 'unknown-transaction', trap: null };
    expect(declined.move('capture', 1, unknownId)).toEqual(trap);
    expect(declined.move('capture', 1, '100200')).toEqual({ ...trap, trap: 'payment-id' });
  });
});

describe('a void', () => {
  test('gives the whole hold up, once', () => {
    const money = new MoneyForTest('Y');
    money.now += 3;
    expect(money.void()).toMatchObject({
      kind: 'accepted',
      session: { merchantOrderId: 'order-1' },
      transaction: { id: money.id, status: 'FAILED' },
      entry: {
        kind: 'void',
        amountMinor: 11_500,
        result: 'done',
        createdAt: start + 3,
        finishedAt: start + 3,
        reason: null,
        plannedReason: null,
      },
    });
    expect(money.void()).toEqual({ kind: 'voided' });
    expect(money.move('capture', 1)).toEqual({ kind: 'voided' });
  });

  test('of what is taken or was declined is refused', () => {
    expect(new MoneyForTest('N').void()).toEqual({ kind: 'already-captured' });
    expect(new MoneyForTest('Y', 11_500, '4201320000311101').void()).toEqual({
      kind: 'not-authorized',
    });
    expect(new MoneyForTest('N', 11_500, '4201320000311101').void()).toEqual({
      kind: 'no-authorization',
    });
    expect(new MoneyForTest('Y').void(unknownId)).toEqual({
      kind: 'unknown-transaction',
      trap: null,
    });
  });
});
