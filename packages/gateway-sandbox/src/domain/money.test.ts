import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addTimer, withoutNext, type Timer } from './clock.ts';
import { statusRow, violationsOf } from './ledger.ts';
import { findTestCard } from './outcome.ts';
import { formatAmount } from './requests.ts';
import { step, type Command, type CommandKind, type Reply } from './step.ts';
import { armableOperations, newTenant } from './tenant.ts';
import { asOf, type LedgerEntry, type Transaction } from './transaction.ts';

/** When a run begins. */
const start = Date.UTC(2030, 0, 1);
const hourMs = 3_600_000;

/** The command of a kind, without its tenant. */
type Given<Kind extends CommandKind> = Omit<Command<Kind>, 'tenant' | 'kind'>;

/** The core with one tenant, and what its webhooks told. */
class MoneyRun {
  now = start;
  readonly tenant = newTenant();
  /** What is wrong with an event, or with the money after a command. */
  readonly faults: string[] = [];
  /** The money that approved events reported, by type and transaction. */
  readonly #told = new Map<string, number>();
  readonly #events = new Set<string>();
  readonly #state = new Map([['default', this.tenant]]);
  #drawn = 0;

  execute<Kind extends CommandKind>(command: { kind: Kind } & Given<Kind>): Reply<Kind> {
    // Ids count up, so that of two things of one instant the older one comes first.
    const draw = () => String((this.#drawn += 1)).padStart(12, '0');
    const random = { uuid: () => `id-${draw()}`, digits: (count: number) => draw().slice(-count) };
    const whole = { ...command, tenant: 'default' } as unknown as Command<Kind>;
    const { reply, effects } = step(this.#state, whole, this.now, () => random);
    for (const effect of effects) {
      if (effect.kind !== 'webhook-event') continue;
      const { id, type, status, transactionId, entryId, amountMinor } = effect.event;
      const entry = this.#entries(transactionId).find((one) => one.id === entryId);
      if (entry?.amountMinor !== amountMinor) this.faults.push(`${id} has another amount`);
      if (this.#events.has(id)) this.faults.push(`${id} came twice`);
      this.#events.add(id);
      const about = `${type} ${transactionId}`;
      if (status === 'Approved') this.#told.set(about, this.#toldOf(about) + amountMinor);
    }
    return reply;
  }

  later(ms: number): void {
    this.now += ms;
    this.execute({ kind: 'tick' });
  }

  /** Makes a sale of 115.00. */
  sell(auth: 'Y' | 'N'): Transaction {
    const request = { ...requestOf('sale', 11_500), auth, recurringInit: 'Y' } as const;
    const entry = entryOf(approving);
    const reply = this.execute({ kind: 'sale', environment: 'staging', request, entry });
    if (reply.kind === 'cut') throw new Error('The sale was cut.');
    return reply.transaction;
  }

  /** Looks for broken rules, and for rows that tell other money than the webhooks. */
  check(): void {
    this.faults.push(...violationsOf(this.tenant).map(({ rule, id }) => `${rule}: ${id}`));
    for (const transaction of this.tenant.transactions.values()) {
      const { id, entries, status } = transaction;
      const row = statusRow(transaction, false);
      const type = entries[0].kind === 'authorization' ? 'Capture' : 'Purchase';
      const taken = this.#toldOf(`${type} ${id}`);
      const refunded = this.#toldOf(`Refund ${id}`);
      const amount = formatAmount(taken > 0 ? taken : entries[0].amountMinor);
      const told = `${amount} ${formatAmount(refunded)} ${taken > 0}`;
      const shown = `${row.amount} ${row.totalRefundAmount} ${status === 'SUCCESS'}`;
      if (shown !== told) this.faults.push(`${id} shows ${shown}, and webhooks told ${told}`);
    }
  }

  #toldOf(about: string): number {
    return this.#told.get(about) ?? 0;
  }

  #entries(transactionId: string): readonly LedgerEntry[] {
    return this.tenant.transactions.get(transactionId)?.entries ?? [];
  }
}

function entryOf(number: string) {
  const card = findTestCard(number);
  if (card === null) throw new Error('A move uses a card that the core does not know.');
  return { card, cvvDeclines: false, goodUntil: Number.MAX_SAFE_INTEGER };
}

function requestOf(merchantOrderId: string, amountMinor: number) {
  const addresses = { successUrl: 'https://shop.example/s', failureUrl: 'https://shop.example/f' };
  const customer = { customerName: null, customerKey: null };
  return { merchantOrderId, amountMinor, currency: 'SAR', ...customer, ...addresses };
}

const nameOf = (transactionId: string) =>
  ({ environment: 'staging', sameId: false, transactionId }) as const;

/** Cards that approve, decline, challenge, hang and fail. */
const approving = '4201320111111010';
const modes = ['9682990151000005', '9682990300000005', '9682990600000002', '9682990200000006'];
const others = ['4111111111111111', '4201320000311101', '4508750015741019', ...modes];

/** Minor units: the smallest, some usual ones, and one of each magic kind that moves money. */
const magic = [990_051, 990_151, 990_200, 990_201, 990_301, 990_500, 990_501, 990_603, 990_801];
const amounts = [1, 11_500, 11_500, 4999, 990_802, ...magic];

/** Around the limits of settlement, pending payment, challenge, session and token. */
const hours = [48 * hourMs - 1, 48 * hourMs, 8760 * hourMs];
const waits = [1, 1999, 2000, 60_000, 599_999, 600_000, ...hours];

const answers = ['123456', '123456', '000000', '111111', '222222'].map((otp) => ({ otp }));

/** Chooses one of a list by the next number of a move. */
type Choose = <One>(list: readonly One[]) => One | undefined;

/** A session or a transaction that a move is about. There may be none yet. */
const none = { id: 'none', entries: [], recurringToken: null, challenge: null, amountMinor: 1 };

/** The moves by their commands; each gets a transaction that there is, and chooses the rest. */
const moves: Readonly<Record<string, (run: MoneyRun, choose: Choose) => unknown>> = {
  link: (run, choose) => {
    const request = requestOf(`order-${choose([0, 1, 2, 3, 4, 5])}`, choose(amounts) ?? 1);
    return run.execute({ kind: 'create-link', environment: 'staging', request });
  },
  pay: (run, choose) => {
    const sessionId = (choose([...run.tenant.sessions.values()]) ?? none).id;
    const entry = entryOf(choose([approving, approving, approving, ...others]) ?? approving);
    const formKey = choose([null, null, '0', '1']) ?? null;
    const means = { kind: 'card', entry } as const;
    return run.execute({ kind: 'pay', sessionId, means, choice: null, formKey });
  },
  sale: (run, choose) => {
    const auth = choose(['Y', 'Y', 'N'] as const) ?? 'N';
    const order = requestOf('sale', choose(amounts) ?? 1);
    const request = { ...order, auth, recurringInit: 'Y' } as const;
    const entry = entryOf(choose([approving, approving, ...others]) ?? approving);
    return run.execute({ kind: 'sale', environment: 'staging', request, entry });
  },
  charge: (run, choose) => {
    const { id, recurringToken } = transactionOf(run, choose);
    const about = { ...nameOf(id), recurringToken: recurringToken ?? 'none' };
    const order = { number: 'charge', currency: 'SAR' };
    const amountMinor = choose(amounts) ?? 1;
    return run.execute({ kind: 'charge-recurring', ...about, amountMinor, order });
  },
  capture: (run, choose) => {
    const { id, amountMinor: whole } = transactionOf(run, choose);
    const amountMinor = partOf(choose, whole);
    return run.execute({ kind: 'capture', ...nameOf(id), amountMinor });
  },
  void: (run, choose) => run.execute({ kind: 'void', ...nameOf(transactionOf(run, choose).id) }),
  refund: (run, choose) => {
    const { id, amountMinor: whole } = transactionOf(run, choose);
    const amountMinor = partOf(choose, whole);
    return run.execute({ kind: 'refund', ...nameOf(id), amountMinor });
  },
  'end-refund': (run, choose) => {
    const refundId = choose([...run.tenant.refunded.keys()]) ?? 'none';
    return run.execute({ kind: 'end-refund', refundId, succeeds: choose([true, false]) === true });
  },
  arm: (run, choose) => {
    const operation = choose([null, ...armableOperations]) ?? null;
    const outcome = choose(['approve', 'decline:51'] as const) ?? 'approve';
    return run.execute({ kind: 'arm-next', operation, outcome, merchantOrderId: null });
  },
  answer: (run, choose) => {
    const challengeId = transactionOf(run, choose).challenge?.id ?? 'none';
    const answer = choose([{ action: 'fail' } as const, ...answers, ...answers]) ?? answers[0]!;
    return run.execute({ kind: 'answer-challenge', challengeId, ...answer });
  },
  expire: (run, choose) => {
    const sessionId = (choose([...run.tenant.sessions.values()]) ?? none).id;
    return run.execute({ kind: 'expire-session', sessionId });
  },
  wait: (run, choose) => run.later(choose(waits) ?? 1),
};

const transactionOf = (run: MoneyRun, choose: Choose) =>
  choose([...run.tenant.transactions.values()]) ?? none;

/** How much of what there is; the last is one minor unit more than all of it. */
const partOf = (choose: Choose, whole: number) =>
  choose([1, Math.max(Math.floor(whole / 2), 1), whole, whole, whole + 1]) ?? 1;

/** The moves as often as they are to be made. */
const often = ['pay', 'pay', 'refund', 'refund', 'sale', 'answer', 'wait', 'capture'];
const numbers = fc.array(fc.nat(9999), { minLength: 4, maxLength: 4 });
const move = fc.tuple(fc.constantFrom(...Object.keys(moves), ...often), numbers);
const sequences = fc.array(move, { minLength: 4, maxLength: 24, size: 'max' });

// Pins: transition.transaction.final, transition.session.paid
test('ten thousand random sequences break no rule of the money, and webhooks tell what the rows show', () => {
  let driven = 0;
  fc.assert(
    fc.property(sequences, (all) => {
      const run = new MoneyRun();
      for (const [kind, drawn] of all) {
        const left = [...drawn];
        moves[kind]?.(run, (list) => list[(left.shift() ?? 0) % Math.max(list.length, 1)]);
        run.execute({ kind: 'tick' });
        run.check();
      }
      if (run.faults.length > 0) throw new Error(run.faults.join('; '));
      driven += 1;
    }),
    { numRuns: 10_000 },
  );
  expect(driven).toBe(10_000);
}, 120_000);

/** A sale of 115.00, paid, with an accepted refund of 15.00. */
function paidAndRefunded() {
  const run = new MoneyRun();
  const transaction = run.sell('N');
  run.execute({ kind: 'refund', ...nameOf(transaction.id), amountMinor: 1500 });
  return { tenant: run.tenant, transaction };
}

const captured = { kind: 'capture', result: 'done' } as const;
const waitAgain = (one: Transaction) => (one.status = 'PENDING');
const moveElsewhere = (one: Transaction) => Object.assign(one, { session: { ...one.session } });
const entry = (index: number, change: Partial<LedgerEntry>) => (transaction: Transaction) => {
  Object.assign(transaction.entries[index] ?? {}, change);
};

test.each<[string, (transaction: Transaction) => void]>([
  ['refunded and pending refunds are at most what was captured', entry(1, { amountMinor: 11_501 })],
  ['what was captured is at most what was authorized', entry(1, captured)],
  ['every movement is a whole, positive amount', entry(1, { amountMinor: 0.5 })],
  ['a movement ends once, and not before it began', entry(0, { finishedAt: start - 1 })],
  ['status and amount follow from the ledger', (one) => (one.status = 'FAILED')],
  ['money moved only with the issuer’s approval', (one) => (one.responseCode = '51')],
  ['a session is paid exactly when one of its transactions succeeded', waitAgain],
  ['a session holds its own transactions, and all of them', moveElsewhere],
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
  const transaction = run.sell('Y');
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
