import { beforeEach, describe, expect, it, vi } from 'vitest';
import { saveChange } from '../../../test-support/save-change.ts';
import { sendJson, statusAnswer, statusRow } from '../../../test-support/scripted-gateway.ts';
import { startShop } from '../../../test-support/shop-of-test.ts';
import type { Shop } from '../../../test-support/shop.ts';
import { manualClock, type ManualClock } from '../../doubles/manual-clock.ts';
import { type Attempt, awaitsHint } from '../../payments/attempt.ts';
import { takeHint } from '../../payments/checks.ts';
import { memoryStore } from '../../stores/memory-store.ts';
import { MINUTE_MS, SECOND_MS } from '../../../test-support/durations.ts';

it('payments.confirm answers with money that another check found while the gateway was slow', async () => {
  const shop = await startShop();
  await shop.open('1001');
  let release: (() => void) | undefined;
  shop.gateway.script = (_request, response) => {
    release = () => sendJson(response, 200, statusAnswer([]));
  };
  const slow = shop.payments.confirm('1001');
  await expect.poll(() => release).toBeDefined();
  shop.gateway.answerStatus(200, statusAnswer([statusRow()]));
  shop.later();
  expect((await shop.payments.confirm('1001'))?.state).toBe('paid');
  release?.();
  expect((await slow)?.state).toBe('paid');
});

it('hints that come during a round share the next one, and hear of its failure once', async () => {
  let fail: ((error: Error) => void) | undefined;
  const store = memoryStore();
  store.claimDue = () => new Promise((_resolve, reject) => (fail = reject));
  const shop = await startShop({ payments: { store } });
  const { merchantOrderId } = await shop.open();
  for (let hint = 0; hint < 9; hint += 1) await shop.notify({ merchantOrderId });
  const failures = () => shop.logged.filter((line) => line.includes('could not be followed'));
  for (let round = 1; round <= 2; round += 1) {
    fail?.(new Error('the store is gone'));
    await expect.poll(failures).toHaveLength(round);
  }
});

describe('a due attempt that another caller checks before its own check begins', () => {
  let clock: ManualClock;
  let shop: Shop;
  let session: string;
  /** What happens between the claim of the attempt and its check. */
  let meanwhile: () => Promise<unknown>;

  beforeEach(async () => {
    const store = memoryStore();
    const claim = store.claimDue.bind(store);
    store.claimDue = async (...given) => {
      const due = await claim(...given);
      if (due.length > 0) await meanwhile();
      return due;
    };
    clock = manualClock();
    shop = await startShop({ payments: { store, clock, afterPayment: [] } });
    ({ session } = await shop.open());
    await clock.advance(11 * MINUTE_MS);
  });

  it('is checked again when the other check says, and not in the next seconds', async () => {
    meanwhile = () => shop.payments.confirm('1001');
    expect(await shop.payments.tick()).toMatchObject({ checked: 1 });
    await clock.advance(10_000);
    expect(await shop.payments.tick()).toMatchObject({ checked: 0 });
    expect(shop.gateway.statusCalls).toHaveLength(1);
  });

  it('is not checked again where the other check was its last, however long ago that ended', async () => {
    shop.shows(session, {});
    meanwhile = async () => {
      await shop.payments.confirm('1001');
      await clock.advance(6_000);
    };
    expect(await shop.payments.tick()).toMatchObject({ checked: 1 });
    await clock.advance(10 * MINUTE_MS);
    expect(await shop.payments.tick()).toMatchObject({ checked: 0 });
    expect(shop.gateway.statusCalls).toHaveLength(1);
  });
});

it('a hinted link is not claimed again and again while another one’s look is too recent', async () => {
  const shop = await startShop();
  const { merchantOrderId } = await shop.open();
  shop.reprice('99.50');
  shop.later();
  await shop.open();
  // Both were asked about, and what is asked without any hint is asked ever more rarely.
  await shop.pass(3 * MINUTE_MS, 6);
  shop.later(6 * SECOND_MS);
  await shop.notify({ merchantOrderId });
  const attempts = async () => (await shop.record()).attempts;
  const isFollowed = (one: Attempt): boolean => one.hintedAt !== null && !awaitsHint(one);
  await expect.poll(async () => (await attempts()).some(isFollowed)).toBe(true);
  const [waiting, asked] = (await attempts()).toSorted(
    (left, right) => (left.lastCheckAt ?? 0) - (right.lastCheckAt ?? 0),
  );
  const at = (asked?.lastCheckAt ?? 0) + 10;
  const isWaiting = (one: Attempt): boolean => one.number === waiting?.number;
  await saveChange(shop.store, takeHint(await shop.record(), isWaiting, at)!);
  const claims = vi.spyOn(shop.store, 'claimDue');
  await shop.pass(SECOND_MS);
  expect(claims.mock.calls.length).toBeLessThan(10);
});
