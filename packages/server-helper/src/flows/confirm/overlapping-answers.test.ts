import { describe, expect, it } from 'vitest';
import {
  declined,
  ended,
  failed,
  ONE,
  type Opened,
  own,
  salesOf,
  sell,
  start,
  undecided,
} from '../../../test-support/attacked-shop.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../test-support/durations.ts';
import { inA, sendJson, statusAnswer, statusRow } from '../../../test-support/scripted-gateway.ts';
import { startShop } from '../../../test-support/shop-of-test.ts';
import type { Shop } from '../../../test-support/shop.ts';
import { signed, type TransactionShop } from '../../../test-support/transaction-gateway.ts';

// Questions of several processes overlap: what an older answer shows may have gone back since, and what a newer one
// shows may be no news.

/** A shop of several processes, and the types of its events. */
async function processes(asksFor: 'session' | 'transaction' | 'either' = 'session') {
  const events: string[] = [];
  const note = ({ type }: { readonly type: string }): void => void events.push(type);
  const payments = { on: { paid: note, captured: note }, limits: false } as const;
  const at = await start({}, { asksFor }, { payments });
  const profile = { status: { asksFor } } as const;
  return {
    at,
    events,
    another: (leapMs = 0) => startShop({ beside: at.shop, payments, profile, leapMs }),
    /** The gateway holds its next answers back; the one behind them comes at once, and so do all later ones. */
    hold: (held: number, newest: object, later = newest, isKnown = (_id: unknown) => true) => {
      const answers: ((row: object) => void)[] = [];
      at.shop.gateway.answerAt('/status', ({ query }, response) => {
        const noSuchId = { code: 404, message: 'not found' };
        if (!isKnown(query.get('id'))) return sendJson(response, 404, noSuchId);
        answers.push((row) => sendJson(response, 200, statusAnswer([statusRow({ ...row })])));
        if (answers.length > held) answers.at(-1)?.(answers.length === held + 1 ? newest : later);
      });
      return answers;
    },
    /** A day of the background work of one of them. */
    day: (process: Shop) => process.pass(24 * HOUR_MS, 24),
  };
}

const asked = (answers: readonly unknown[], count: number) =>
  expect.poll(() => answers.length).toBe(count);

it.each([
  ['session', 'a failure', failed],
  ['session', 'a refund', { paymentStatus: 'REFUNDED' }],
  ['transaction', 'a failure', failed],
  ['transaction', 'a reversal', { paymentStatus: 'REVERSED' }],
  ['either', 'a failure', failed],
  ['either', 'a reversal', { paymentStatus: 'REVERSED' }],
  ['a sale with a challenge', 'a failure', failed],
] as const)('by %s, an older answer ships nothing after one of %s', async (by, _what, changes) => {
  const isSale = by === 'a sale with a challenge';
  const isByIds = by === 'transaction' || by === 'either';
  const { at, events, another, hold, day } = await processes(isSale ? 'session' : by);
  const second = await another();
  const row = { transactionId: isSale ? at.sells('REDIRECT') : ONE, ...own };
  const path = isSale ? await sell(at).then(() => '') : (await at.shop.open()).success;
  const newer = { ...row, ...changes };
  const answers = hold(1, newer, newer, (id) => !isByIds || id === ONE);
  const ask = (shop: Shop): Promise<unknown> => {
    if (isSale) return shop.payments.confirm('1001').catch(() => null);
    return shop.send(isByIds ? `${path}?transactionId=${ONE}` : path);
  };
  at.shop.later(MINUTE_MS);
  const asking = ask(at.shop);
  await asked(answers, 1);
  at.shop.later(8_000);
  await ask(second);
  expect(answers.length).toBe(2);
  answers[0]?.(row);
  await asking;
  await day(second);
  expect([answers.length > 2, events]).toEqual([true, []]);
});

it('an older answer ships nothing although a still older one was recorded after the newer one', async () => {
  const { at, events, another, hold, day } = await processes();
  const [second, third] = [await another(), await another()];
  const { success } = await at.shop.open();
  const answers = hold(2, failed);
  at.shop.later();
  const one = at.shop.send(success);
  await asked(answers, 1);
  at.shop.later(8_000);
  const two = second.send(success);
  await asked(answers, 2);
  at.shop.later(8_000);
  await third.send(success);
  expect(answers.length).toBe(3);
  // This one says nothing, and must not put the time of the newest one back.
  answers[0]?.(undecided);
  await one;
  answers[1]?.({});
  await two;
  await day(second);
  expect(events).toEqual([]);
});

it.each([
  ['a failure', failed],
  ['a reversal', { paymentStatus: 'REVERSED', type: 'Capture' }],
  ['a void', { paymentStatus: 'VOIDED', type: 'Void' }],
])('an older answer captures nothing once a newer one has shown %s', async (_what, newer) => {
  const { at, events, another, hold } = await processes();
  const second = await another();
  const transactionId = at.sells('SUCCESS');
  at.shows(transactionId, { transactionId, type: 'Authorization' });
  await sell(at, 'authorize');
  at.shop.later(MINUTE_MS);
  await at.shop.payments.tick();
  expect(await at.state()).toBe('authorized');
  const answers = hold(1, { transactionId, ...newer });
  at.shop.later(26 * HOUR_MS);
  const asking = at.shop.payments.tick();
  await asked(answers, 1);
  at.shop.later(90_000);
  await second.payments.tick();
  expect(answers.length).toBe(2);
  answers[0]?.({ transactionId, type: 'Capture' });
  await asking;
  expect(events).toEqual([]);
});

it('an answer of an hour ago, of a process that stood still, ships nothing', async () => {
  const { at, events, hold } = await processes();
  await at.shop.open();
  const answers = hold(1, { refundStatus: 'FULL', totalRefundAmount: '115.00' });
  const asking = at.shop.payments.confirm('1001');
  await asked(answers, 1);
  at.shop.later(HOUR_MS);
  answers[0]?.({});
  await asking;
  await at.later(HOUR_MS, 12);
  expect(events).toEqual([]);
});

const [nothing, aTry, aDecline] = [[], [statusRow(undecided)], [declined]].map(statusAnswer);
const lacksRow = inA({ content: [declined], totalElements: 2 });

/** Two processes, and a link of which nothing is shown for so many hours. */
async function shownNothing(hours: number) {
  const { at, another } = await processes();
  const second = await another();
  const link = await at.shop.open();
  at.shows(link.session);
  await at.later(hours * HOUR_MS, 200);
  return { at, second, link };
}

/** The processes ask, one 8 s after the other, and are answered, the later question last or first. */
async function overlap(
  { at, second, link }: Awaited<ReturnType<typeof shownNothing>>,
  [older, newer]: readonly [older: unknown, newer: unknown],
  isInOrder = false,
): Promise<void> {
  const held: (() => void)[] = [];
  at.shop.gateway.answerAt('/status', (_request, response) => {
    const says = held.length === 0 ? older : newer;
    if (held.length > 1) return sendJson(response, 200, says);
    held.push(() => sendJson(response, 200, says));
  });
  const questions = [at.shop.payments.confirm('1001')] as Promise<unknown>[];
  await asked(held, 1);
  at.shop.later(8_000);
  questions.push(second.send(link.status));
  await asked(held, 2);
  for (const index of isInOrder ? [0, 1] : [1, 0]) {
    held[index]?.();
    await questions[index];
  }
}

// A session may show nothing once it has ended (N3).
it.each([
  ['a try that is undecided', aTry, nothing, 'no_evidence'],
  ['a row that is missing', lacksRow, aDecline, 'incomplete_answer'],
  ['money in the older answer', nothing, statusAnswer([statusRow()]), 'no_evidence'],
  ['an undecided try in the older answer', nothing, aTry, 'no_evidence'],
  ['a row that the older answer lacks', nothing, lacksRow, 'incomplete_answer'],
])(
  'near a link’s end %s is for a person, though an older answer comes last',
  async (_what, newer, older, reason) => {
    const opened = await shownNothing(47.9);
    const { at } = opened;
    at.shop.later(5 * MINUTE_MS);
    await overlap(opened, [older, newer]);
    at.shop.gateway.answerStatus(200, nothing);
    await at.later(12 * DAY_MS, 100);
    expect(await at.reviews()).toEqual([['1001', reason]]);
  },
);

it('a try that one answer showed is for a person, though a question beside it was answered later and lags', async () => {
  const opened = await shownNothing(47.9);
  const { at } = opened;
  at.shop.later(5 * MINUTE_MS);
  await overlap(opened, [aTry, nothing], true);
  at.shop.gateway.answerStatus(200, nothing);
  await at.later(12 * DAY_MS, 200);
  expect(await at.reviews()).toEqual([['1001', 'no_evidence']]);
});

it('an empty answer after the end that was overtaken ends no review of the link’s life', async () => {
  const opened = await shownNothing(46);
  const { at } = opened;
  // Forgotten in its life; after its end the session is shown without rows (N3).
  at.shop.gateway.answerStatus(404, { code: 404, message: 'not found' });
  await at.later(HOUR_MS, 60);
  at.shop.gateway.answerStatus(500, {});
  await at.later(2 * HOUR_MS, 60);
  await overlap(opened, [nothing, nothing]);
  await at.later(12 * DAY_MS, 200);
  expect(await at.outcome()).toEqual(['pending', [['1001', 'no_evidence']]]);
});

const cancel = (at: TransactionShop) => ended(at.shop.payments.cancel('1001'));

type Take = (at: TransactionShop) => Promise<unknown>;

/** Another way to pay a link's order, or its end, and how the shop refuses it where the link is paid. */
const ways: readonly (readonly [way: string, take: Take, refusal: unknown])[] = [
  ['another link', (at) => at.checkout('120.00'), 409],
  ['a sale', (at) => ended(sell(at)), 'already_paid'],
  ['a cancellation', cancel, 'already_paid'],
];

/** Whether the shop took one of these ways. */
async function hasTaken(at: TransactionShop): Promise<boolean> {
  const payment = (await at.shop.store.load('1001'))?.payment;
  return (
    at.shop.gateway.creates.length > 1 || salesOf(at).length > 0 || payment?.cancelled === true
  );
}

/** The link is paid, and its webhook comes, while the gateway gives an answer from before. */
function paidDuringQuestion({ at, link }: Opened): void {
  const usual = at.shop.gateway.script;
  let isOver = false;
  at.shop.gateway.script = async (request, response) => {
    const isIt = request.path.endsWith('/status') && request.query.get('id') === link.session;
    if (!isIt || isOver) return usual?.(request, response);
    isOver = true;
    at.shows(link.session, {});
    at.shop.later(10);
    await at.webhook(link.merchantOrderId, 't-1');
    return sendJson(response, 200, statusAnswer([]));
  };
}

/** Two processes: the second one, whose clock is ahead, has just asked about a link that is paid now. */
async function skewed(ahead: number, ...rows: readonly object[]) {
  const { at, another } = await processes();
  const second = await another(ahead);
  const link = await at.shop.open();
  at.sells('SUCCESS');
  at.shows(link.session, ...rows);
  at.shop.later(20_000);
  await second.payments.tick();
  expect(at.questions.length).toBe(1);
  // The shopper pays.
  at.shop.later(Math.min(10_000, ahead / 3));
  at.shows(link.session, ...rows, { transactionId: ONE });
  return { at, link };
}

// A newer answer takes the word from an older one that would pay; none of these may be taken so.
describe.each(ways)('%s does not follow a link that is paid', (_way, take, refusal) => {
  it('by the word of a clock that is ahead', async () => {
    const { at } = await skewed(60_000);
    expect(await take(at)).toBe(refusal);
    expect(await hasTaken(at)).toBe(false);
  });

  it('by an answer from before its hint', async () => {
    const at = await start({}, { asksFor: 'session' }, signed);
    const link = await at.shop.open();
    at.shows(link.session);
    at.sells('SUCCESS');
    at.shop.later();
    paidDuringQuestion({ at, link });
    await take(at);
    expect(await hasTaken(at)).toBe(false);
    await at.later(MINUTE_MS, 4);
    expect(String(await at.state())).toMatch(/^(?:paid|review)$/);
  });

  it('by a slow answer, while a later question shows a try that is pending', async () => {
    const { at, another, hold } = await processes();
    const second = await another();
    const link = await at.shop.open();
    at.sells('SUCCESS');
    const answers = hold(1, undecided, {});
    at.shop.later();
    const taking = take(at);
    await asked(answers, 1);
    at.shop.later(8_000);
    await second.send(link.status);
    expect(answers.length).toBe(2);
    answers[0]?.({});
    expect([refusal, 'not_confirmed']).toContain(await taking);
    expect(await hasTaken(at)).toBe(false);
  });
});

describe('at clocks that differ', () => {
  it('a paid order is not cancelled, by three seconds either', async () => {
    const { at } = await skewed(3_000);
    expect(await cancel(at)).toBe('already_paid');
  });

  it('a shopper whose second card paid is not shown a failure', async () => {
    const { at, link } = await skewed(60_000, failed);
    expect((await at.shop.send(link.success)).headers.location).toContain('/thanks');
  });

  it('a usual payment is paid at once by a clock that was put back', async () => {
    const { at, link } = await skewed(40 * MINUTE_MS);
    const before = at.questions.length;
    await at.shop.send(link.success);
    expect(await at.state()).toBe('paid');
    expect(at.questions.length - before).toBe(1);
  });
});
