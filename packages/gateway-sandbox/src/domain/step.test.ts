import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandomness } from '../machine/seeded-randomness.ts';
import type { Command, CommandKind } from './step.ts';
import type { LinkRequest } from './session/link-request.ts';
import { sessionLifeMs, sessionState } from './session/session.ts';
import { newState, newestSessions, tenantOf, transactionsOf } from './state.ts';
import { step } from './step.ts';
import { findTestCard } from './transaction/cards.ts';

const tenant = 'default';
const start = Date.UTC(2030, 0, 1);

/** A move of the model: it names sessions by their number, since ids are drawn at random. */
type Move =
  | { kind: 'create'; order: number }
  | { kind: 'pay'; session: number; card: string; form: string | null }
  | { kind: 'answer'; session: number; otp: string }
  | { kind: 'expire'; session: number }
  | { kind: 'arm'; outcome: 'approve' | 'decline' }
  | { kind: 'wait'; ms: number };

const cards = ['4201320111111010', '4201320000311101', '4508750015741019', '9682990151000005'];
const session = fc.nat(1);
const moves: fc.Arbitrary<Move[]> = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('create'), order: fc.nat(4) }) },
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('pay'),
        session,
        card: fc.constantFrom(...cards),
        form: fc.constantFrom(null, '0', '1'),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('answer'),
        session,
        otp: fc.constantFrom('123456', '000000', '111111', '222222'),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('expire'), session }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('arm'),
        outcome: fc.constantFrom('approve', 'decline'),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('wait'),
        ms: fc.constantFrom(1000, 60_000, 11 * 60_000, sessionLifeMs - 1),
      }),
    },
  ),
  { maxLength: 40, size: 'max' },
);

// Pins: transition.transaction.final, transition.session.paid
test('in any order of calls, a session is paid at most once and never becomes unpaid', () => {
  fc.assert(
    fc.property(moves, (sequence) => {
      const run = new Run();
      for (const order of [0, 1]) run.make({ kind: 'create', order });
      for (const move of sequence) run.make(move);
    }),
    { numRuns: 800 },
  );
}, 120_000);

test('the same seed and the same calls end in the same state', () => {
  fc.assert(
    fc.property(moves, (sequence) => {
      const [first, second] = [new Run(), new Run()];
      for (const move of sequence) {
        expect(JSON.stringify(first.make(move))).toBe(JSON.stringify(second.make(move)));
      }
    }),
    { numRuns: 50 },
  );
});

test('an armed outcome for one order waits for that order and is used once', () => {
  const run = new Run();
  run.make({ kind: 'create', order: 1 });
  run.make({ kind: 'create', order: 2 });
  run.execute({
    kind: 'arm-next',
    tenant,
    outcome: 'decline:51',
    operation: null,
    merchantOrderId: 'order-2',
  });
  const pay = (index: number) =>
    run.make({ kind: 'pay', session: index, card: '4201320111111010', form: null });
  expect(pay(0)).toMatchObject({ transaction: { status: 'SUCCESS', decidedBy: 'default' } });
  expect(pay(1)).toMatchObject({
    transaction: { status: 'FAILED', responseCode: '51', decidedBy: 'next' },
  });
  expect(pay(1)).toMatchObject({ transaction: { status: 'SUCCESS', decidedBy: 'default' } });
});

/** The core, driven, with everything that has to hold checked after every move. */
class Run {
  readonly #state = newState();
  #now = start;
  #paid = new Map<string, string>();
  #attempts = new Map<string, readonly string[]>();

  execute<Kind extends CommandKind>(command: Command<Kind>): unknown {
    const before = snapshot(this.#state);
    const result = step(this.#state, command, this.#now, (occasion) =>
      seededRandomness('model', tenant, occasion),
    );
    if (!result.changed) expect(snapshot(this.#state)).toBe(before);
    this.#check();
    return result.reply;
  }

  make(move: Move): unknown {
    const ids = newestSessions(tenantOf(this.#state, tenant))
      .map(({ id }) => id)
      .toReversed();
    const id = 'session' in move ? (ids[move.session] ?? 'unknown') : '';
    switch (move.kind) {
      case 'create':
        return this.execute({
          kind: 'create-link',
          tenant,
          environment: 'staging',
          request: requestFor(`order-${move.order}`),
        });
      case 'pay':
        return this.#pay(id, move.card, move.form);
      case 'answer':
        return this.execute({
          kind: 'answer-challenge',
          tenant,
          challengeId: this.#challengeOf(id),
          otp: move.otp,
        });
      case 'expire':
        return this.execute({ kind: 'expire-session', tenant, sessionId: id });
      case 'arm':
        return this.execute({
          kind: 'arm-next',
          tenant,
          outcome: move.outcome,
          operation: null,
          merchantOrderId: null,
        });
      case 'wait':
        this.#now += move.ms;
        return this.execute({ kind: 'tick', tenant });
    }
  }

  #pay(sessionId: string, number: string, formKey: string | null): unknown {
    const known = tenantOf(this.#state, tenant).sessions.get(sessionId);
    const payable = known !== undefined && known.paidBy === null && this.#now < known.expiresAt;
    const attempts = known?.transactionIds.length ?? 0;
    const card = findTestCard(number)!;
    const reply = this.execute({
      kind: 'pay',
      tenant,
      sessionId,
      means: {
        kind: 'card',
        entry: { card, cvvDeclines: false, goodUntil: Number.MAX_SAFE_INTEGER },
      },
      choice: null,
      formKey,
    });
    const after = tenantOf(this.#state, tenant).sessions.get(sessionId);
    const isNew = (after?.transactionIds.length ?? 0) > attempts;
    if (isNew) expect(payable).toBe(true);
    return reply;
  }

  #challengeOf(sessionId: string): string {
    const state = tenantOf(this.#state, tenant);
    const known = state.sessions.get(sessionId);
    const all = known === undefined ? [] : transactionsOf(state, known);
    return all.findLast(({ challenge }) => challenge !== null)?.challenge?.id ?? 'unknown';
  }

  #check(): void {
    const state = tenantOf(this.#state, tenant);
    for (const current of newestSessions(state)) {
      const rows = transactionsOf(state, current);
      const successes = rows.filter(({ status }) => status === 'SUCCESS');
      expect(successes.length).toBeLessThanOrEqual(1);
      expect(current.paidBy).toBe(successes[0]?.id ?? null);
      const before = this.#paid.get(current.id);
      if (before !== undefined) expect(current.paidBy).toBe(before);
      else if (current.paidBy !== null) expect(this.#now).toBeLessThan(current.expiresAt);
      const attempts = this.#attempts.get(current.id) ?? [];
      expect(current.transactionIds.slice(0, attempts.length)).toEqual(attempts);
      this.#attempts.set(current.id, current.transactionIds);
      if (current.paidBy !== null) {
        this.#paid.set(current.id, current.paidBy);
        expect(sessionState(current, this.#now)).toBe('PAID');
      }
      expect(rows.every((row) => row.amountMinor === current.amountMinor)).toBe(true);
      expect(rows.every((row) => row.createdAt < current.createdAt + sessionLifeMs)).toBe(true);
    }
  }
}

/** All that a state holds, as text: what changes nothing leaves it as it was. */
function snapshot(state: ReturnType<typeof newState>): string {
  return inspect(tenantOf(state, tenant), { depth: null, maxArrayLength: null });
}

function requestFor(merchantOrderId: string): LinkRequest {
  return {
    merchantOrderId,
    amountMinor: 11_500,
    currency: 'SAR',
    customerName: null,
    customerKey: null,
    successUrl: 'https://shop.example/yes',
    failureUrl: 'https://shop.example/no',
  };
}
