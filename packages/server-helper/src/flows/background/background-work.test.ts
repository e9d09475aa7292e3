import { expect, it, onTestFinished, vi } from 'vitest';
import { statusRow } from '../../../test-support/scripted-gateway.ts';
import { Shop } from '../../../test-support/shop.ts';
import { manualClock } from '../../testing.ts';

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
    shop.gateway.rows.set(session, [statusRow({ transactionId })]);
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
