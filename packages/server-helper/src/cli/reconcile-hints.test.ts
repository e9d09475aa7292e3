import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { TransactionShop } from '../../test-support/transaction-gateway.ts';
import { createGatewayClient } from '../index.ts';
import { memoryStore } from '../testing.ts';
import { differencesIn, newTally } from './reconcile.ts';

it('compares transactions that hints named too, where the gateway answers these alone', async () => {
  const store = memoryStore();
  const status = { asksFor: 'transaction', notFound: 'unknown' } as const;
  const at = await TransactionShop.start({ asksFor: 'transaction' }, { payments: { store } });
  const link = await at.shop.open();
  const id = randomUUID();
  await at.webhook(link.merchantOrderId, id);
  await at.later();
  at.has(link, { merchantOrderId: link.merchantOrderId }, id);
  const { baseUrl } = at.shop.gateway;
  const gateway = createGatewayClient({ environment: 'staging', baseUrl, apiKey: 'key' });
  const scope = { since: 0, order: '1001', pauseMs: 0, leavesHints: true, readings: status };
  const tally = newTally();
  const found: unknown[] = [];
  for await (const one of differencesIn({ store, gateway }, scope, tally)) found.push(one);
  expect(tally).toMatchObject({ differences: 1 });
  expect(found).toMatchObject([{ from: 'pending', to: 'paid', isHinted: true }]);
  await at.later();
  expect(await at.state()).toBe('paid');
  await gateway.close();
  await at.shop.close();
});
