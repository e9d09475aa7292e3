import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { statusRow } from '../../../test-support/scripted-gateway.ts';
import { Shop } from '../../../test-support/shop.ts';
import { manualClock, type ManualClock } from '../../doubles/manual-clock.ts';
import { memoryStore } from '../../stores/memory-store.ts';

const MINUTE_MS = 60_000;

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
    shop = await Shop.start({ payments: { store, clock, afterPayment: [] } });
    ({ session } = await shop.open());
    await clock.advance(11 * MINUTE_MS);
  });
  afterEach(() => shop.close());

  it('is checked again when the other check says, and not in the next seconds', async () => {
    meanwhile = () => shop.payments.confirm('1001');
    expect(await shop.payments.tick()).toMatchObject({ checked: 1 });
    await clock.advance(10_000);
    expect(await shop.payments.tick()).toMatchObject({ checked: 0 });
    expect(shop.gateway.statusCalls).toHaveLength(1);
  });

  it('is not checked again where the other check was its last, however long ago that ended', async () => {
    shop.gateway.rows.set(session, [statusRow()]);
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
