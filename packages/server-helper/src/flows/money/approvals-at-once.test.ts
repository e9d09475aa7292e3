import { beforeAll, expect, it } from 'vitest';
import { twoShops } from '../../../test-support/two-shops.ts';

const processes = twoShops();
const shopOf = (index: number) => processes().shops[index % 2 === 0 ? 0 : 1];

beforeAll(() => processes().gateway.takeRefunds());

/** A paid order with a refund of it that Noura proposed; answers with the transaction. */
async function proposedFor(orderId: string, index: number, amount: string): Promise<string> {
  const { redirectUrl } = await shopOf(0).ensureLink(orderId);
  const transactionId = processes().pay(redirectUrl, index);
  processes().later();
  await shopOf(1).confirm(orderId);
  const proposal = { amount, requestId: `p-${index}`, by: 'Noura', propose: true };
  expect(await shopOf(0).refund(orderId, proposal)).toMatchObject({ state: 'proposed' });
  return transactionId;
}

const sentFor = (transactionId: string): number =>
  processes()
    .gateway.requestsTo('/payment/s2s/refund')
    .filter(({ body }) => JSON.stringify(body).includes(transactionId)).length;

it('a proposal that both processes approve again and again at once is sent once', async () => {
  for (let index = 1; index <= 10; index += 1) {
    const transactionId = await proposedFor(`at-once-${index}`, index, '20.00');
    const approvals = Array.from({ length: 6 }, (_, turn) =>
      shopOf(turn).approve(`request/p-${index}`, { by: `person ${turn}` }),
    );
    const ends = await Promise.all(approvals);
    expect(new Set(ends.map(({ approvedBy }) => approvedBy)).size).toBe(1);
    expect(sentFor(transactionId)).toBe(1);
  }
}, 120_000);

it('of a proposal and a refund of the same money at once, one is sent', async () => {
  for (let index = 101; index <= 110; index += 1) {
    const orderId = `same-money-${index}`;
    const transactionId = await proposedFor(orderId, index, '100.00');
    const approval = shopOf(0).approve(`request/p-${index}`, { by: 'Salem' });
    const refund = shopOf(1).refund(orderId, { amount: '100.00', requestId: `r-${index}` });
    const [approved, refunded] = await Promise.allSettled([approval, refund]);
    expect([approved.status, refunded.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(sentFor(transactionId)).toBe(1);
    const states = (await shopOf(0).explain(orderId))?.operations.map(({ state }) => state);
    expect(states).toEqual(approved.status === 'fulfilled' ? ['pending'] : ['proposed', 'pending']);
  }
}, 120_000);
