import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { statusRow } from '../../../test-support/scripted-gateway.ts';
import { startShop } from '../../../test-support/shop-of-test.ts';
import type { Shop, ShopOptions } from '../../../test-support/shop.ts';
import { manualClock, type ManualClock } from '../../doubles/manual-clock.ts';

const MINUTE = 60_000;

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
    for (let times = 0; times < minutes; times += 1) await clock.advance(MINUTE);
  };

  it('says once that an event waits, what to call, and health names it with its age', async () => {
    await start({ on: { paid: () => undefined }, afterPayment: [] });
    const { session } = await shop.open();
    shop.gateway.rows.set(session, [statusRow({ transactionId: randomUUID() })]);
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
