import { expect, it, onTestFinished, vi } from 'vitest';
import { ScriptedGateway, statusRow } from '../../../test-support/scripted-gateway.ts';
import { createPayments } from '../../index.ts';
import { manualClock, memoryStore } from '../../testing.ts';

/** An attempt's first status check is due by then. */
const FIRST_CHECK_MS = 18_000;
/** A handler that takes longer counts as failed. */
const HANDLER_DEADLINE_MS = 50_000;

it('looks at payments that are due while a handler of the merchant hangs', async () => {
  const gateway = await new ScriptedGateway().start();
  const clock = manualClock();
  const told = new Map<string, number>();
  const payments = createPayments({
    gateway: { environment: 'staging', baseUrl: gateway.baseUrl, apiKey: 'key-1' },
    publicUrl: 'https://shop.example',
    tokenSecrets: ['0123456789abcdef0123456789abcdef'],
    store: memoryStore(),
    clock,
    loadOrder: (orderId) => ({ orderId, amount: '115.00', customer: { phone: '0501234567' } }),
    on: {
      paid: ({ orderId }) => {
        told.set(orderId, clock.now());
        return orderId === '1001' ? new Promise(() => undefined) : undefined;
      },
    },
    pages: { success: '/thanks/:orderId', pending: '/wait/:orderId', failure: '/retry/:orderId' },
  });
  onTestFinished(async () => {
    const closed = payments.close();
    await clock.advance(HANDLER_DEADLINE_MS);
    await closed;
    await gateway.close();
  });
  const pay = async (orderId: string, transactionId: string): Promise<void> => {
    const { redirectUrl } = await payments.ensureLink(orderId);
    const session = new URL(redirectUrl).searchParams.get('sessionId') ?? '';
    gateway.rows.set(session, [statusRow({ transactionId })]);
  };
  const untilTold = (orderId: string) =>
    vi.waitFor(async () => {
      await clock.advance(1_000);
      return told.get(orderId) ?? expect.fail('nobody was told yet');
    }, 60_000);

  payments.start();
  await pay('1001', 'f2d5b7c0-0000-4000-8000-000000000001');
  await clock.advance(FIRST_CHECK_MS);
  const hangsSince = await untilTold('1001');
  await pay('1002', 'f2d5b7c0-0000-4000-8000-000000000002');
  await clock.advance(FIRST_CHECK_MS);
  expect((await untilTold('1002')) - hangsSince).toBeLessThan(HANDLER_DEADLINE_MS);
});
