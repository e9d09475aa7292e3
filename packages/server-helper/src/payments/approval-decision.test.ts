import { describe, expect, it } from 'vitest';
import {
  aLedgerRow,
  anAttempt,
  anOperation,
  aPaidRecord,
  NOW,
  SAR_115,
} from '../../test-support/records.ts';
import { transactionId } from '../ids.ts';
import { decideMoney } from './money-decision.ts';
import type { Operation, OperationState, PaymentRecord, PaymentState } from './record.ts';
import { recordOutcome } from './operation-outcome.ts';

const LATER = NOW + 3_600_000;
const sum = (minorUnits: number) => ({ ...SAR_115, minorUnits });
const key = { id: 'request/p-1', requestId: 'p-1' };
const asked = {
  ...key,
  owner: 'the caller who proposed',
  requestedBy: 'Noura',
  kind: 'refund',
  amountMinorUnits: 2_000,
  transactionId: null,
} as const;

/** A refund of 20.00 that Noura proposed. */
const proposal = (changes: Partial<Operation> = {}): Operation =>
  anOperation({
    ...key,
    state: 'proposed',
    amount: sum(2_000),
    terms: 'refund 20.00',
    owner: asked.owner,
    requestedBy: 'Noura',
    sentAt: null,
    ...changes,
  });

const withProposal = (
  others: readonly Operation[] = [],
  payment: Parameters<typeof aPaidRecord>[0] = {},
  changes: Partial<Operation> = {},
): PaymentRecord => ({ ...aPaidRecord(payment), operations: [proposal(changes), ...others] });

const approve = (record: PaymentRecord, approvedBy = 'Salem', isTotalUnknown = false) =>
  decideMoney(
    record,
    { kind: 'approve', id: key.id, owner: 'the caller who approves', approvedBy, isTotalUnknown },
    LATER,
  );

describe('a proposed refund', () => {
  const propose = (record: PaymentRecord, amountMinorUnits = 2_000) =>
    decideMoney(record, { ...asked, amountMinorUnits, proposes: true }, NOW);

  it('is written down, with no status check, for nothing is sent', () => {
    expect(propose(aPaidRecord())).toEqual({
      kind: 'propose',
      operation: proposal(),
      change: {
        payment: { ...aPaidRecord().payment, version: 4, updatedAt: NOW },
        attempts: [],
        ledger: [],
        reviews: [],
        operations: [proposal()],
        events: [],
      },
    });
  });

  it('is of at most what is left, which other proposals do not take', () => {
    expect(propose(aPaidRecord(), 11_501)).toMatchObject({ code: 'amount_too_large' });
    const other = { ...aPaidRecord(), operations: [proposal({ id: 'p-2', amount: SAR_115 })] };
    expect(propose(other, 11_500)).toMatchObject({ kind: 'propose' });
    expect(propose(aPaidRecord({ state: 'voided' }))).toMatchObject({ code: 'wrong_state' });
  });

  it('does not wait for a refund that is being sent', () => {
    const busy = { ...aPaidRecord(), operations: [anOperation({ amount: sum(500) })] };
    expect(propose(busy).kind).toBe('propose');
  });

  it('stays as it is when its key is used again, with or without a proposal, by anyone', () => {
    const again = { kind: 'repeat', operation: proposal() };
    expect(propose(withProposal())).toEqual(again);
    for (const requestedBy of ['Noura', 'Salem', null]) {
      expect(decideMoney(withProposal(), { ...asked, requestedBy }, LATER)).toEqual(again);
    }
    expect(propose(withProposal(), 2_001)).toMatchObject({ code: 'request_id_reused' });
  });

  it('keeps no other refund of the money from being sent', () => {
    const other = { ...asked, id: 'request/new', requestId: 'new', amountMinorUnits: 11_500 };
    const whole = withProposal([], {}, { amount: SAR_115 });
    expect(decideMoney(whole, other, LATER).kind).toBe('send');
  });
});

describe('the approval of a proposed refund', () => {
  it('begins it as the caller’s own, with today’s baseline and a check if the process dies', () => {
    const record = withProposal([], { state: 'partially_refunded', refundedMinorUnits: 3_000 });
    expect(approve(record)).toEqual({
      kind: 'send',
      operation: proposal({
        state: 'sending',
        owner: 'the caller who approves',
        approvedBy: 'Salem',
        baselineMinorUnits: 3_000,
        sentAt: LATER,
        updatedAt: LATER,
      }),
      change: expect.objectContaining({
        payment: expect.objectContaining({ version: 4, updatedAt: LATER }) as unknown,
        attempts: [expect.objectContaining({ number: 1, nextCheckAt: LATER + 60_000 })],
        events: [],
      }) as unknown,
    });
  });

  it('knows no baseline where the gateway did not answer', () => {
    expect(approve(withProposal(), 'Salem', true)).toMatchObject({
      operation: { baselineMinorUnits: -1 },
    });
  });

  it.each(['Noura', 'NOURA', ' noura ', 'No\u200bura'])('is not given by %j', (name) => {
    expect(approve(withProposal(), name)).toMatchObject({ kind: 'refuse', code: 'same_person' });
  });

  it('is given to no proposal without a name, since nobody is sure to be another person', () => {
    const nameless = withProposal([], {}, { requestedBy: null });
    expect(approve(nameless)).toMatchObject({ code: 'same_person' });
  });

  it('counts what was refunded, is under way or unknown since', () => {
    const since = (state: OperationState, minorUnits: number) =>
      withProposal([anOperation({ state, amount: sum(minorUnits) })]);
    expect(approve(since('unknown', 9_500)).kind).toBe('send');
    for (const state of ['pending', 'succeeded', 'unknown'] as const) {
      expect(approve(since(state, 9_501))).toMatchObject({ code: 'amount_too_large' });
    }
    expect(approve(since('failed', 11_500)).kind).toBe('send');
    expect(approve(since('proposed', 11_500)).kind).toBe('send');
    const elsewhere = { state: 'partially_refunded', refundedMinorUnits: 9_501 } as const;
    expect(approve(withProposal([], elsewhere))).toMatchObject({ code: 'amount_too_large' });
  });

  it('waits while another operation on the transaction is being sent', () => {
    const busy = withProposal([anOperation({ amount: sum(100) })]);
    expect(approve(busy)).toMatchObject({ code: 'operation_in_progress' });
  });

  it.each<[PaymentState, string]>([
    ['paid', 'send'],
    ['paid_late', 'send'],
    ['review', 'refuse'],
    ['voided', 'refuse'],
  ])('of a payment that is %s by now: %s', (state, kind) => {
    expect(approve(withProposal([], { state })).kind).toBe(kind);
  });

  it('is of the transaction that was shown, whatever pays the order by now', () => {
    const t2 = transactionId('t-2');
    const record: PaymentRecord = {
      ...withProposal([], { transactionId: t2 }),
      attempts: [anAttempt(), anAttempt({ number: 2 })],
      ledger: [
        aLedgerRow({ kind: 'duplicate' }),
        aLedgerRow({ transactionId: t2, attemptNumber: 2 }),
      ],
    };
    expect(approve(record)).toMatchObject({
      operation: { transactionId: 't-1', attemptNumber: 1 },
      change: { attempts: [{ number: 1 }] },
    });
  });

  it.each<OperationState>(['sending', 'pending', 'succeeded', 'failed', 'unknown'])(
    'given again is answered by the operation, which is %s',
    (state) => {
      const operation = proposal({ state, approvedBy: 'Salem', sentAt: LATER });
      const record = { ...aPaidRecord(), operations: [operation] };
      expect(approve(record, 'Huda')).toEqual({ kind: 'repeat', operation });
    },
  );

  it.each<OperationState>(['sending', 'pending', 'succeeded', 'failed', 'unknown'])(
    'is refused for what was never proposed, or was withdrawn, and is %s',
    (state) => {
      expect(approve(withProposal([], {}, { state }))).toMatchObject({ code: 'wrong_state' });
    },
  );

  it('is refused where there is no such operation', () => {
    expect(approve(aPaidRecord())).toMatchObject({ code: 'wrong_state' });
  });
});

it('a proposal that is withdrawn has failed by a person’s word, and plans no check', () => {
  const word = { kind: 'failed', reason: 'a mistake', by: 'Salem' } as const;
  expect(recordOutcome(withProposal(), key.id, word, LATER)).toMatchObject({
    operations: [
      { state: 'failed', reason: 'a mistake', resolvedBy: 'Salem', approvedBy: null, sentAt: null },
    ],
    attempts: [],
    reviews: [],
    events: [],
  });
});
