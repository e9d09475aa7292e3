import { expect, test } from 'vitest';
import type { Command, CommandKind, Reply } from '../step.ts';
import { newState, newestSessions, tenantOf } from '../state.ts';
import type { Tenant } from '../state.ts';
import { step } from '../step.ts';
import { readCard } from '../transaction/cards.ts';
import type { Transaction } from '../transaction/transaction.ts';
import { seededRandomness } from '../../machine/seeded-randomness.ts';
import { violationsOf } from './invariants.ts';
import type { LedgerEntry } from './ledger.ts';

const start = Date.UTC(2030, 0, 1);
const tenant = 'default';

test('nothing is wrong with a tenant that took a payment and gave some of it back', () => {
  const { state, refund } = paidAndRefunded();
  expect(violationsOf(tenantOf(state, tenant))).toEqual([]);
  expect(refund.kind).toBe('accepted');
});

test.each<[string, (transaction: Transaction) => Partial<Transaction>]>([
  [
    'refunded and pending refunds are at most what was captured',
    ({ entries }) => ({ entries: changed(entries, 1, { amountMinor: 11_501 }) }),
  ],
  [
    'what was captured is at most what was authorized',
    ({ entries }) => ({ entries: changed(entries, 1, { kind: 'capture', result: 'done' }) }),
  ],
  [
    'every movement is a whole, positive amount',
    ({ entries }) => ({ entries: changed(entries, 1, { amountMinor: 0.5 }) }),
  ],
  [
    'a movement ends once, and not before it began',
    ({ entries }) => ({ entries: changed(entries, 0, { finishedAt: start - 1 }) }),
  ],
  ['status and amount follow from the ledger', () => ({ status: 'FAILED' })],
  ['money moved only with the issuer’s approval', () => ({ responseCode: '51' })],
  [
    'a session is paid exactly when one of its transactions succeeded',
    () => ({ status: 'PENDING' }),
  ],
  ['a session holds its own transactions, and all of them', () => ({ sessionId: 'another' })],
  [
    'a payment is made for what its session asks',
    ({ entries }) => ({ entries: changed(entries, 0, { amountMinor: 11_499 }) }),
  ],
])('a ledger that breaks the rule that %s is found out', (rule, change) => {
  const { state } = paidAndRefunded();
  const sound = tenantOf(state, tenant);
  const [session] = newestSessions(sound);
  const transaction = sound.transactions.get(session?.paidBy ?? '')!;
  const broken: Tenant = {
    ...sound,
    transactions: sound.transactions.set(transaction.id, {
      ...transaction,
      ...change(transaction),
    }),
  };
  expect(violationsOf(broken).map((violation) => violation.rule)).toContain(rule);
});

test('a second success in one session is found out', () => {
  const { state } = paidAndRefunded();
  const sound = tenantOf(state, tenant);
  const [session] = newestSessions(sound);
  const paid = sound.transactions.get(session?.paidBy ?? '')!;
  const twin = { ...paid, id: 'twin' };
  const broken: Tenant = {
    ...sound,
    sessions: sound.sessions.set(session!.id, { ...session!, transactionIds: [paid.id, twin.id] }),
    transactions: sound.transactions.set(twin.id, twin),
  };
  expect(violationsOf(broken)).toContainEqual({
    rule: 'a session is paid at most once',
    id: session!.id,
  });
});

test('an accepted refund is settled or failed once, and what failed may be refunded again', () => {
  for (const succeeds of [true, false]) {
    const run = paidAndRefunded();
    const refundId = run.refund.kind === 'accepted' ? run.refund.entry.id : '';
    const ended = run.execute({ kind: 'end-refund', tenant, refundId, succeeds });
    expect(ended).toMatchObject({ kind: 'ended' });
    const again = run.execute({ kind: 'end-refund', tenant, refundId, succeeds: !succeeds });
    expect(again).toMatchObject({
      kind: 'already-ended',
      entry: { result: succeeds ? 'done' : 'failed' },
    });
    expect(violationsOf(tenantOf(run.state, tenant))).toEqual([]);
  }
});

/** A session of 115.00, paid, with an accepted refund of 15.00. */
function paidAndRefunded() {
  const state = newState();
  const execute = <Kind extends CommandKind>(command: Command<Kind>): Reply<Kind> => {
    const result = step(state, command, start, (occasion) =>
      seededRandomness('invariants', tenant, occasion),
    );
    return result.reply;
  };
  const request = {
    merchantOrderId: 'order-1',
    amountMinor: 11_500,
    currency: 'SAR',
    customerName: null,
    customerKey: null,
    successUrl: 'https://shop.example/yes',
    failureUrl: 'https://shop.example/no',
  };
  const environment = 'staging' as const;
  const created = execute({ kind: 'create-link', tenant, environment, request });
  const sessionId = created.kind === 'created' ? created.session.id : '';
  const text = { number: '4201320111111010', expiry: '12/39', cvv: '123' };
  const read = readCard(text, start);
  if ('faults' in read) throw new Error('The card was refused.');
  const means = { kind: 'card', entry: read.entry } as const;
  execute({ kind: 'pay', tenant, sessionId, means, choice: null, formKey: null });
  const transactionId = tenantOf(state, tenant).sessions.get(sessionId)?.paidBy ?? '';
  const name = { environment, transactionId, sameId: false };
  const refund = execute({ kind: 'refund', tenant, ...name, amountMinor: 1500 });
  return {
    refund,
    execute,
    get state() {
      return state;
    },
  };
}

function changed(
  entries: readonly LedgerEntry[],
  index: number,
  change: Partial<LedgerEntry>,
): readonly LedgerEntry[] {
  return entries.map((entry, at) => (at === index ? { ...entry, ...change } : entry));
}
