import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MoneyRun, nameOf, same, sequences, start } from '../testing/money-moves.ts';
import type { Move } from '../testing/money-moves.ts';
import { addTimer, withoutNext } from './clock.ts';
import type { Timer } from './clock.ts';
import { violationsOf } from './ledger.ts';
import { asOf } from './transaction.ts';
import type { LedgerEntry, Transaction } from './transaction.ts';

// Pins: transition.transaction.final, transition.session.paid
test('ten thousand random sequences move the money as the model says, and no webhook reports more', () => {
  let driven = 0;
  fc.assert(
    fc.property(sequences, (moves) => {
      play(moves);
      driven += 1;
    }),
    { numRuns: 10_000 },
  );
  expect(driven).toBe(10_000);
}, 120_000);

/** Throws where a reply or what follows departs from the books, or the money does not add up. */
function play(moves: readonly Move[]): void {
  const run = new MoneyRun();
  for (const [index, { kind, play: make }] of moves.entries()) {
    const [got, ...allowed] = make(run);
    run.execute({ kind: 'tick' });
    const where = `move ${index} (${kind})`;
    if (!allowed.includes(got)) throw new Error(`${where} got ${got}, not ${allowed.join(' or ')}`);
    run.compare(where);
  }
  same('violations', JSON.stringify(violationsOf(run.tenant)), '[]');
}

/** A sale of 115.00, paid, with an accepted refund of 15.00. */
function paidAndRefunded() {
  const run = new MoneyRun();
  const transaction = run.sell('N', 11_500);
  if (transaction === null) throw new Error('The sale was cut.');
  run.execute({ kind: 'refund', ...nameOf(transaction.id), amountMinor: 1500 });
  return { tenant: run.tenant, transaction };
}

const entry = (index: number, change: Partial<LedgerEntry>) => (transaction: Transaction) => {
  Object.assign(transaction.entries[index] ?? {}, change);
};

test.each<[string, (transaction: Transaction) => void]>([
  ['refunded and pending refunds are at most what was captured', entry(1, { amountMinor: 11_501 })],
  [
    'what was captured is at most what was authorized',
    entry(1, { kind: 'capture', result: 'done' }),
  ],
  ['every movement is a whole, positive amount', entry(1, { amountMinor: 0.5 })],
  ['a movement ends once, and not before it began', entry(0, { finishedAt: start - 1 })],
  ['status and amount follow from the ledger', (one) => (one.status = 'FAILED')],
  ['money moved only with the issuer’s approval', (one) => (one.responseCode = '51')],
  [
    'a session is paid exactly when one of its transactions succeeded',
    (one) => (one.status = 'PENDING'),
  ],
  [
    'a session holds its own transactions, and all of them',
    (one) => Object.assign(one, { session: { ...one.session } }),
  ],
  ['a payment is made for what its session asks', entry(0, { amountMinor: 11_499 })],
])('a ledger that breaks the rule that %s is found out', (rule, change) => {
  const { tenant, transaction } = paidAndRefunded();
  change(transaction);
  expect(violationsOf(tenant).map((violation) => violation.rule)).toContain(rule);
});

test('a second success in one session is found out', () => {
  const { tenant, transaction } = paidAndRefunded();
  const { session } = transaction;
  session.attempts = [transaction, transaction];
  const violation = { rule: 'a session is paid at most once', id: session.id };
  expect(violationsOf(tenant)).toContainEqual(violation);
});

test('a transaction is known as it was at any instant before', () => {
  const run = new MoneyRun();
  const transaction = run.sell('Y', 11_500);
  if (transaction === null) throw new Error('The sale was cut.');
  const name = nameOf(transaction.id);
  run.later(1000);
  run.execute({ kind: 'capture', ...name, amountMinor: 2000 });
  run.later(1000);
  run.execute({ kind: 'refund', ...name, amountMinor: 500 });
  run.later(5000);
  const seen = (ms: number) => {
    const { status, amountMinor, responseCode, entries } = asOf(transaction, start + ms);
    return [status, amountMinor, responseCode, entries.map(({ result }) => result).join(' ')];
  };
  expect(seen(-1)).toEqual(['PENDING', 11_500, null, 'pending']);
  expect(seen(999)).toEqual(['PENDING', 11_500, '00', 'done']);
  expect(seen(1000)).toEqual(['SUCCESS', 2000, '00', 'done done']);
  expect(seen(3999)).toEqual(['SUCCESS', 2000, '00', 'done done pending']);
  expect(seen(4000)).toEqual(['SUCCESS', 2000, '00', 'done done done']);
});

const timer = fc.record({
  at: fc.nat(9),
  kind: fc.constantFrom('session-expired' as const, 'challenge-timed-out' as const),
  id: fc.constantFrom('a', 'b', 'c'),
  round: fc.nat(2),
});

test('timers come out in the order of time, then id, then kind, then round', () => {
  fc.assert(
    fc.property(fc.array(timer), (given) => {
      const timers = given.reduce(addTimer, []);
      const key = ({ at, id, kind, round }: Timer) => `${at} ${id} ${kind} ${round}`;
      const drained: Timer[] = [];
      for (let [next] = timers; next !== undefined; [next] = withoutNext(timers)) {
        drained.push(next);
      }
      expect(drained.map(key)).toEqual(given.map(key).toSorted());
    }),
    { numRuns: 300 },
  );
});
