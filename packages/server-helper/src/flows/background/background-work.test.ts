import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { sendJson } from '../../../test-support/scripted-gateway.ts';
import { Shop, type ShopOptions } from '../../../test-support/shop.ts';
import { Outage } from '../../../test-support/outage.ts';
import { setImmediate } from 'node:timers/promises';
import { startShop } from '../../../test-support/shop-of-test.ts';
import { memoryStore } from '../../stores/memory-store.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../test-support/durations.ts';
import { randomUUID } from 'node:crypto';
import { manualClock, type ManualClock } from '../../doubles/manual-clock.ts';

/** An attempt's first status check is due by then. */
const FIRST_CHECK_MS = 18_000;
/** A handler that takes longer counts as failed. */
const HANDLER_DEADLINE_MS = 50_000;

it('looks at payments that are due while a handler of the merchant hangs', async () => {
  const clock = manualClock();
  const told = new Map<string, number>();
  const paid = ({ orderId }: { readonly orderId: string }) => {
    told.set(orderId, clock.now());
    return orderId === '1001' ? new Promise<void>(() => undefined) : undefined;
  };
  const shop = await Shop.start({ payments: { clock, on: { paid } } });
  onTestFinished(async () => {
    const closed = shop.close();
    await clock.advance(HANDLER_DEADLINE_MS);
    await closed;
  });
  const pay = async (orderId: string, transactionId: string): Promise<void> => {
    const { session } = await shop.open(orderId);
    shop.shows(session, { transactionId });
    await clock.advance(FIRST_CHECK_MS);
  };
  const untilTold = (orderId: string) =>
    vi.waitFor(async () => {
      await clock.advance(1_000);
      return told.get(orderId) ?? expect.fail('nobody was told yet');
    }, 60_000);

  shop.payments.start();
  await pay('1001', 't-1');
  const hangsSince = await untilTold('1001');
  shop.orders.set('1002', { ...shop.orders.get('1001'), orderId: '1002' } as never);
  await pay('1002', 't-2');
  expect((await untilTold('1002')) - hangsSince).toBeLessThan(HANDLER_DEADLINE_MS);
});

/** A young link is checked at this age without any hint, or a fifth later. */
const SCHEDULED_MS = 15 * SECOND_MS;
const KNOWN = 3_000;
const FORGED_A_SECOND = 300;
/** This takes seconds; a busy machine may take minutes. */
const WAIT_MS = 300_000;

it(
  'a flood of forged hints about 3,000 orders makes no young link wait longer, with a hint or without',
  async () => {
    const shop = new Outage(1);
    const known = await shop.openLinks(KNOWN, 4 * HOUR_MS);
    shop.startWatch();
    let forged = 0;
    const flood = async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second += 1) {
        for (let hints = 0; hints < FORGED_A_SECOND; hints += 1, forged += 1) {
          await shop.hint(known[forged % KNOWN] ?? '');
        }
        await shop.pass(SECOND_MS);
      }
    };
    await flood(60);
    for (const hasHint of [false, true, false, true]) {
      const [honest = ''] = await shop.openLinks(1, 0);
      const openedAt = shop.now;
      shop.payNewest();
      if (hasHint) await shop.hint(honest);
      for (let waits = 0; waits < 180 && !(await shop.isKnown(honest)); waits += 1) await flood(1);
      expect(shop.now - openedAt).toBeLessThan(hasHint ? 5 * SECOND_MS : 2 * SCHEDULED_MS);
    }
  },
  WAIT_MS,
);

const ANSWERED = 10;
const LINKS = 15;
const unknown = { code: 404, message: 'Not found', errorCode: '404', data: null };

/** A store that gives out further attempts once the first checks have ended. */
function storeInRounds() {
  const store = memoryStore();
  const claim = store.claimDue.bind(store);
  const save = store.save.bind(store);
  let claimed = 0;
  let ended = 0;
  store.claimDue = async (...given) => {
    while (ended < Math.min(claimed, ANSWERED)) await setImmediate();
    const due = await claim(...given);
    claimed += due.length;
    return due;
  };
  store.save = async (...given) => {
    const result = await save(...given);
    if (given[0].endsCheck === true) ended += 1;
    return result;
  };
  return store;
}

it('a gateway that does not know old sessions is asked about many at once: it answers', async () => {
  const shop = await startShop({ payments: { limits: false, store: storeInRounds() } });
  /** Answers to the last questions, which wait for each other. */
  const held: (() => void)[] = [];
  let asked = 0;
  shop.gateway.answerAt('/status', (_request, response) => {
    asked += 1;
    held.push(() => sendJson(response, 404, unknown));
    if (asked <= ANSWERED || asked === LINKS) for (const answer of held.splice(0)) answer();
  });
  for (let order = 1; order <= LINKS; order += 1) {
    const orderId = `old-${order}`;
    shop.orders.set(orderId, { orderId, amount: '1.00', customer: { phone: '0501234567' } });
    await shop.payments.ensureLink(orderId);
  }
  shop.later(HOUR_MS);
  await shop.payments.tick();
  expect(asked).toBe(LINKS);
});

const PAID = 2_000;

it(
  'after an outage of six hours 2,000 paid links are known in 15 minutes, at 5 calls a second',
  async () => {
    const processes = 2;
    const outage = new Outage(processes);
    await outage.openLinks(PAID, HOUR_MS);
    outage.begin();
    outage.payAll();
    // Nobody may look for most of it: that leaves the most to do.
    await outage.pass(6 * HOUR_MS - 10 * MINUTE_MS);
    outage.startWatch();
    await outage.pass(10 * MINUTE_MS);
    expect(await outage.known()).toBe(0);
    const before = outage.calls.length;
    outage.end();
    const back = outage.now;
    await outage.pass(15 * MINUTE_MS);
    expect(await outage.known()).toBe(PAID);
    expect(outage.calls.length - before).toBeLessThan(PAID * 1.1);
    // A call of each process waits at its breaker, and is sent whenever that lets it go.
    expect(outage.mostInASecond()).toBeLessThanOrEqual(5 + processes);
    expect(outage.mostInASecond(back + 10_000)).toBe(5);
  },
  WAIT_MS,
);

it('what somebody waits for is known at once, whatever else is left of an outage', async () => {
  const outage = new Outage(1);
  await outage.openLinks(PAID, HOUR_MS);
  await outage.pass(HOUR_MS);
  outage.startWatch();
  await outage.pass(10_000);
  const young = await outage.openLinks(1, 0);
  // The webhook comes just after a status check, so that it is left to the watch.
  const [hinted = ''] = outage.orderIds;
  await outage.check(hinted);
  outage.payAll();
  await outage.hint(hinted);
  await outage.pass(20_000);
  expect(await outage.isKnown(young[0] ?? '')).toBe(true);
  expect(await outage.isKnown(hinted)).toBe(true);
  expect(await outage.known()).toBeLessThan(PAID / 10);
});

describe('a process that takes payments and does no background work', () => {
  let shop: Shop;
  let clock: ManualClock;
  afterEach(() => void vi.restoreAllMocks());

  const start = async (payments: ShopOptions['payments'] = {}): Promise<void> => {
    clock = manualClock();
    // A clock that is moved by hand waits for no database.
    shop = await startShop({ payments: { clock, ...payments } }, 'memory');
  };

  const warnings = (): readonly Record<string, unknown>[] =>
    shop.logged
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ code }) => code === 'events_overdue');

  /** Lets minutes pass one by one, as they do. */
  const wait = async (minutes: number): Promise<void> => {
    for (let times = 0; times < minutes; times += 1) await clock.advance(MINUTE_MS);
  };

  it('says once that an event waits, what to call, and health names it with its age', async () => {
    await start({ on: { paid: () => undefined }, afterPayment: [] });
    const { session } = await shop.open();
    shop.shows(session, { transactionId: randomUUID() });
    await clock.advance(10_000);
    await shop.payments.confirm('1001');
    await wait(5);
    expect(warnings()).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(/payments\.start\(\).*payments\.tick\(\)/) as unknown,
        waitingMs: expect.any(Number) as unknown,
      }),
    ]);
    await wait(15);
    const { json } = await shop.send('/pay/health');
    expect(json['findings']).toContain('events_overdue');
    expect(json['oldest']).toMatchObject({ undeliveredMs: expect.any(Number) as unknown });
    await shop.payments.tick();
    expect((await shop.send('/pay/health')).json['findings']).not.toContain('events_overdue');
  });

  it('says so of a status check that waits, on the console where there is no logger', async () => {
    const console = vi.spyOn(globalThis.console, 'warn').mockImplementation(() => undefined);
    await start({ logger: undefined as never });
    await shop.open();
    await wait(5);
    const told = console.mock.calls.map(([line]) => String(line));
    expect(told.filter((line) => line.includes('no background work'))).toHaveLength(1);
  });

  it('is not warned of once it ticks, or before anything waits', async () => {
    await start();
    await shop.payments.retrieve('1001');
    await wait(5);
    expect(warnings()).toEqual([]);
    await shop.open();
    await shop.payments.tick();
    await wait(5);
    expect(warnings()).toEqual([]);
  });
});
