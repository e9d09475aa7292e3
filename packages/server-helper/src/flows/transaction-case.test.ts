import { beforeEach, describe, expect, it } from 'vitest';
import { aCard } from '../../test-support/operation-inputs.ts';
import type { ScriptedShop } from '../../test-support/scripted-shop.ts';
import { scriptedShop } from '../../test-support/shop-of-test.ts';
import { transactionId } from '../ids.ts';

let play: ScriptedShop;
/** How the gateway writes ids in its status answers; a row comes once in each spelling. */
let spellings: readonly ((id: string) => string)[];

const shouted = (id: string): string => id.toUpperCase();
const asItIs = (id: string): string => id;

/** Asks about every session of the order. */
async function confirm(): Promise<void> {
  await play.later(6_000);
  await play.steps({ kind: 'confirm', orderId: 'a' });
}

describe('a transaction whose id comes in another case,', () => {
  beforeEach(async () => {
    play = await scriptedShop();
    spellings = [asItIs];
    const { gateway } = play;
    const retrieveStatus = gateway.retrieveStatus.bind(gateway);
    gateway.retrieveStatus = async (id) => {
      const { transactions } = await retrieveStatus(id);
      return {
        transactions: transactions.flatMap((row) =>
          spellings.map((spell) => ({
            ...row,
            transactionId: transactionId(spell(row.transactionId)),
          })),
        ),
      };
    };
  });

  it('is the same payment, and not a second charge', async () => {
    await play.payByLink();
    const { ledger } = await play.record();
    spellings = [shouted];
    await confirm();
    const record = await play.record();
    expect(record.ledger).toEqual(ledger);
    expect(record.reviews).toEqual([]);
    expect(record.payment.state).toBe('paid');
  });

  it('is one transaction within one answer too', async () => {
    spellings = [shouted, asItIs];
    await play.payByLink();
    const record = await play.record();
    expect(record.payment.state).toBe('paid');
    expect(record.ledger).toHaveLength(1);
    expect(record.reviews).toEqual([]);
  });

  it('pays no second order', async () => {
    await play.payByLink();
    const [row] = (await play.record()).ledger;
    spellings = [() => shouted(row?.transactionId ?? '')];
    await play.payByLink('b');
    const other = await play.find('b');
    expect(other?.payment.state).toBe('review');
    expect(other?.reviews).toMatchObject([{ reason: 'transaction_of_another_order' }]);
    expect(play.shipped).toEqual(['a']);
  });

  it('is refunded by a merchant who writes it in that case, in the gateway’s own spelling', async () => {
    await play.payByLink();
    const [row] = (await play.record()).ledger;
    const id = row?.transactionId ?? '';
    const refund = (requestId: string, transaction: string) =>
      play.money().refund('a', { amount: '20.00', requestId, transactionId: transaction });
    expect(await refund('r-1', shouted(id))).toMatchObject({ state: 'pending', transactionId: id });
    expect(await refund('r-1', id)).toMatchObject({ operationId: 'request/r-1' });
    expect(play.sent('refund')).toBe(1);
    expect(play.transactions.posts).toMatchObject([{ transactionId: id }]);
    spellings = [shouted];
    await confirm();
    const { payment, operations } = await play.record();
    expect(payment).toMatchObject({ state: 'partially_refunded', refundedMinorUnits: 2_000 });
    expect(operations).toMatchObject([{ state: 'succeeded', reason: 'evidence' }]);
  });

  it('ends the sale that it belongs to', async () => {
    spellings = [shouted];
    const request = { auth: 'authorize', card: aCard, requestId: 's-1' } as const;
    const sold = await play.money().sale('a', request);
    expect(sold.state).toBe('succeeded');
    await play.money().capture('a', { amount: '115.00', requestId: 'c-1' });
    await confirm();
    const record = await play.record();
    expect(record.payment.state).toBe('captured');
    expect(record.ledger).toHaveLength(1);
    expect(record.reviews).toEqual([]);
  });
});
