import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flowStores, freshStore, type FreshStore } from '../../../test-support/every-store.ts';
import { ScriptedGateway, statusRow } from '../../../test-support/scripted-gateway.ts';
import { createPayments, type Payments } from '../../index.ts';

const DAY_MS = 86_400_000;

describe.each(flowStores)('a clock that ran a day ahead and was put back (%s store)', (name) => {
  let fresh: FreshStore;
  let gateway: ScriptedGateway;
  let payments: Payments;
  let now = Date.now();

  const start = (): Payments =>
    createPayments({
      gateway: { environment: 'staging', baseUrl: gateway.baseUrl, apiKey: 'key-1' },
      publicUrl: 'https://shop.example',
      tokenSecrets: ['0123456789abcdef0123456789abcdef'],
      store: fresh.store,
      clock: { now: () => now, sleep: (ms) => new Promise((wake) => setTimeout(wake, ms).unref()) },
      loadOrder: (orderId) => ({ orderId, amount: '115.00', customer: { phone: '0501234567' } }),
      pages: { success: '/thanks', pending: '/wait', failure: '/retry' },
    });

  beforeEach(async () => {
    fresh = await freshStore(name);
    gateway = await new ScriptedGateway().start();
    now = Date.now() + DAY_MS;
    payments = start();
    const { redirectUrl } = await payments.ensureLink('1001');
    const session = new URL(redirectUrl).searchParams.get('sessionId') ?? '';
    gateway.rows.set(session, [statusRow()]);
  });
  afterEach(async () => {
    await payments.close();
    await gateway.close();
    await fresh.end();
  });

  it('delays no status check of a process that runs on', async () => {
    await payments.tick();
    now -= DAY_MS;
    await payments.tick();
    expect((await payments.retrieve('1001'))?.state).toBe('paid');
  });
});
