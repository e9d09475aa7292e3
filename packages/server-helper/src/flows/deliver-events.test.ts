import { describe, expect, it } from 'vitest';
import { aPayment } from '../../test-support/records.ts';
import { manualClock } from '../doubles/manual-clock.ts';
import { silentLogger } from '../logger.ts';
import type { EventHandlers } from '../options.ts';
import { changeOf, paidChange } from '../stores/conformance-orders.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { deliverEvents } from './deliver-events.ts';
import type { FlowContext } from './flow-context.ts';

const clock = manualClock(1_790_000_000_000);

/** A store with so many undelivered events, and handlers of the test's own. */
async function undelivered(orders: number, on: EventHandlers) {
  const store = memoryStore();
  for (let order = 0; order < orders; order += 1) {
    const payment = { ...aPayment({ orderId: `o-${order}` }), version: 1 };
    const { events } = paidChange(changeOf(payment), `t-${order}`);
    await store.commit(changeOf({ ...payment, updatedAt: clock.now() }, { events }));
  }
  const context: Pick<FlowContext<undefined>, 'store' | 'clock' | 'on' | 'logger'> = {
    store,
    clock,
    on,
    logger: silentLogger,
  };
  return { store, deliver: () => deliverEvents(context) };
}

describe('events', () => {
  it('are delivered once each, in one go', async () => {
    const told: string[] = [];
    const { deliver } = await undelivered(3, { paid: ({ orderId }) => void told.push(orderId) });
    expect(await deliver()).toBe(3);
    expect(await deliver()).toBe(0);
    expect(told).toEqual(['o-0', 'o-1', 'o-2']);
  });

  it('come again with growing pauses while their handler throws, and then rest', async () => {
    let calls = 0;
    const { deliver, store } = await undelivered(1, {
      paid: () => {
        calls += 1;
        throw new Error('the mail server is down');
      },
    });
    await deliver();
    await deliver();
    expect(calls).toBe(1);
    for (let hour = 0; hour < 40; hour += 1) {
      await clock.advance(3_600_000);
      await deliver();
    }
    expect(calls).toBe(20);
    expect((await store.backlog(clock.now())).undelivered).toBe(0);
  });

  it('are not held up by a handler that never ends', async () => {
    const told: string[] = [];
    const { deliver } = await undelivered(2, {
      paid: ({ orderId }) =>
        orderId === 'o-0' ? new Promise<void>(() => undefined) : void told.push(orderId),
    });
    const delivering = deliver();
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(55_000);
    expect(await delivering).toBe(1);
    expect(told).toEqual(['o-1']);
  });
});
