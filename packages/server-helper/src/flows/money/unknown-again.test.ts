import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flowStores } from '../../../test-support/every-store.ts';
import { ScriptedShop } from '../../../test-support/scripted-shop.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

describe.each(flowStores)('a refund whose answer came late (%s store)', (name) => {
  let play: ScriptedShop;

  beforeEach(async () => {
    play = await ScriptedShop.open(name);
    await play.payByLink();
  });
  afterEach(() => play.end());

  const reviews = async () => (await play.record()).reviews;
  const operations = async () => (await play.record()).operations;
  const asksForReview = async () =>
    (await play.history(play.orderId)).events.filter(
      ({ event }) => event.type === 'review' && event.reason === 'unknown_outcome',
    );
  const oldestUnknownAt = async (): Promise<number | null> =>
    (await play.store.health.backlog(Date.now(), [])).oldestUnknownAt;

  /** The process that sent it is given up for dead, and its answer comes after all. */
  async function answeredLate(): Promise<void> {
    const { gateway } = play;
    const refund = gateway.refund.bind(gateway);
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    gateway.refund = async (input) => {
      await held;
      return refund(input);
    };
    play.transactions.settlesRefundsAtOnce = false;
    await play.steps({ kind: 'wait', milliseconds: 6_000 });
    const asked = play.money().refund(play.orderId, { amount: '1.00', requestId: 'r-1' });
    await play.quiet();
    await play.later(2 * MINUTE_MS);
    expect(await operations()).toMatchObject([{ state: 'unknown', reason: 'interrupted' }]);
    expect(await reviews()).toMatchObject([{ reason: 'unknown_outcome', resolvedAt: null }]);
    expect(await oldestUnknownAt()).not.toBeNull();
    answer();
    await play.quiet();
    expect(await asked).toMatchObject({ state: 'pending' });
    expect(await reviews()).toMatchObject([{ resolution: 'evidence' }]);
    expect(await oldestUnknownAt()).toBeNull();
  }

  it('is a person’s matter again when no status shows it', async () => {
    await answeredLate();
    for (let day = 0; day < 3; day += 1) await play.later(DAY_MS);
    const [operation] = await operations();
    expect(operation).toMatchObject({ state: 'unknown', reason: 'no_evidence' });
    expect(await reviews()).toMatchObject([
      { reason: 'unknown_outcome', resolvedAt: null, resolution: null },
    ]);
    expect(await asksForReview()).toHaveLength(2);
    expect(await oldestUnknownAt()).toBe(operation?.updatedAt);
  });

  it('can be ended by a person then', async () => {
    await answeredLate();
    for (let day = 0; day < 3; day += 1) await play.later(DAY_MS);
    await play.money().resolveOperation('request/r-1', 'failed', 'not on the dashboard');
    expect(await reviews()).toMatchObject([{ resolution: 'not on the dashboard' }]);
    expect(await oldestUnknownAt()).toBeNull();
  });
});
