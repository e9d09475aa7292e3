import { beforeEach, describe, expect, it } from 'vitest';
import { flowStores } from '../../../test-support/every-store.ts';
import { aCard } from '../../../test-support/operation-inputs.ts';
import type { ScriptedShop } from '../../../test-support/scripted-shop.ts';
import { scriptedShop } from '../../../test-support/shop-of-test.ts';

let play: ScriptedShop;
const sell = (requestId = 's-1') =>
  play.money().sale('a', { auth: 'capture', card: aCard, requestId });
const challenge = (isApproved: boolean) =>
  play.steps({ kind: 'pay', orderId: 'a', pick: 0, isApproved });

describe.each(flowStores)('a sale, kept in %s,', (name) => {
  beforeEach(async () => {
    play = await scriptedShop(name);
  });

  it('pays the order once the status confirms it, and ships once', async () => {
    expect(await sell()).toMatchObject({ result: 'success', state: 'succeeded', amount: '115.00' });
    expect(await play.payment()).toMatchObject({ state: 'paid', capturedMinorUnits: 11_500 });
    expect(play.shipped).toEqual(['a']);
    await expect(sell('s-2')).rejects.toMatchObject({ code: 'already_paid' });
    expect(play.sent('sale')).toBe(1);
  });

  it('is paid by nothing but the status', async () => {
    play.gateway.mood = 'status-unreachable';
    expect(await sell()).toMatchObject({ result: 'pending', state: 'pending' });
    expect((await play.payment()).state).toBe('pending');
    play.gateway.mood = 'well';
    await play.later();
    expect((await play.payment()).state).toBe('paid');
    expect(await sell()).toMatchObject({ result: 'success' });
  });

  it('behind a challenge is paid after the shopper passed it', async () => {
    play.gateway.saleEnd = 'redirect';
    expect(await sell()).toMatchObject({ result: 'redirect', html: '<form></form>' });
    // The challenge is kept nowhere, so only the first answer has it.
    expect(await sell()).toMatchObject({ result: 'pending', html: null });
    await play.later();
    expect((await play.payment()).state).toBe('pending');
    await challenge(true);
    await play.later();
    expect((await play.payment()).state).toBe('paid');
    expect(await sell()).toMatchObject({ result: 'success', reason: 'evidence' });
    expect(play.shipped).toEqual(['a']);
  });

  it('whose challenge failed is failed, and another card may pay', async () => {
    play.gateway.saleEnd = 'redirect';
    await sell();
    await challenge(false);
    await play.later();
    expect((await play.payment()).state).toBe('failed');
    play.gateway.saleEnd = 'success';
    // The gateway was asked about the first card a moment ago, and is asked again after the gap.
    expect(await sell('s-2')).toMatchObject({ result: 'pending' });
    await play.later();
    expect((await play.payment()).state).toBe('paid');
  });

  it('that is declined fails the payment, and another card may pay', async () => {
    play.gateway.saleEnd = 'declined';
    expect(await sell()).toMatchObject({ result: 'declined', state: 'failed' });
    expect((await play.payment()).state).toBe('failed');
    play.gateway.saleEnd = 'success';
    expect(await sell()).toMatchObject({ result: 'declined' });
    expect(await sell('s-2')).toMatchObject({ result: 'success' });
  });

  it('that the gateway refuses moves nothing', async () => {
    play.transactions.mood = 'refused';
    expect(await sell()).toMatchObject({ result: 'rejected', reason: 'invalid_request' });
    expect((await play.payment()).state).toBe('unpaid');
  });

  it('whose answer was lost stops the order until a person has looked, and is never sent again', async () => {
    play.transactions.mood = 'answer-lost';
    expect(await sell()).toMatchObject({ result: 'unknown', state: 'unknown' });
    play.transactions.mood = 'well';
    expect((await play.payment()).state).toBe('review');
    await expect(sell('s-2')).rejects.toMatchObject({ code: 'in_review' });
    await play.steps({ kind: 'want-to-pay', orderId: 'a' });
    expect((await play.record()).attempts).toMatchObject([{ kind: 'sale', state: 'lost' }]);
    const done = (options?: { transactionId: string }) =>
      play.money().resolveOperation('request/s-1', 'succeeded', 'it is on the dashboard', options);
    const nameless = { code: 'invalid_operation', field: 'transactionId' };
    await expect(done()).rejects.toMatchObject(nameless);
    const [session] = play.gateway.sessions.values();
    await done({ transactionId: session?.transactions[0]?.id ?? '' });
    expect(play.shipped).toEqual([]);
    await play.later();
    expect((await play.payment()).state).toBe('paid');
    expect(play.shipped).toEqual(['a']);
    expect(play.sent('sale')).toBe(1);
  });

  it('that a person found not to be made lets another card pay', async () => {
    play.transactions.mood = 'request-lost';
    await sell();
    play.transactions.mood = 'well';
    await play.money().resolveOperation('request/s-1', 'failed', 'nothing on the dashboard');
    expect((await play.payment()).state).toBe('failed');
    expect(await sell('s-2')).toMatchObject({ result: 'success' });
  });

  it('left by a process that died stops the order for a person', async () => {
    play.gateway.sale = () => new Promise(() => undefined);
    void sell();
    await play.quiet();
    Reflect.deleteProperty(play.gateway, 'sale');
    await expect(sell('s-2')).rejects.toMatchObject({ code: 'operation_in_progress' });
    await play.later(61_000);
    expect((await play.payment()).state).toBe('review');
    expect(await sell()).toMatchObject({ result: 'unknown', reason: 'interrupted' });
    expect(play.gateway.sessions.size).toBe(0);
  });

  it('is not kept from the order by a link that a dying process left behind', async () => {
    play.gateway.createPaymentLink = () => new Promise(() => undefined);
    void play.steps({ kind: 'want-to-pay', orderId: 'a' });
    await play.quiet();
    await expect(sell()).rejects.toMatchObject({ code: 'operation_in_progress' });
    await play.later(46_000);
    expect(await sell()).toMatchObject({ result: 'success' });
    expect((await play.record()).attempts).toMatchObject([{ state: 'lost' }, { kind: 'sale' }]);
  });

  it('asks about an open link before it charges a card beside it', async () => {
    await play.steps({ kind: 'want-to-pay', orderId: 'a' });
    await challenge(true);
    await expect(sell()).rejects.toMatchObject({ code: 'already_paid' });
    expect(play.sent('sale')).toBe(0);
  });

  it('keeps nothing of the card, in no row, no log entry and no event', async () => {
    await sell();
    await play.later();
    const all = JSON.stringify([await play.record(), await play.history('a')]);
    expect(all).toContain('request/s-1');
    // A random id may hold the digits of a security code by chance.
    const kept = all.replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'id');
    for (const secret of [aCard.number, aCard.cvv, aCard.holderName]) {
      expect(kept).not.toContain(secret);
    }
  });

  it('is refused for anything but authorize and capture', async () => {
    const request = { auth: 'charge' as 'capture', card: aCard, requestId: 's-1' };
    const refused = { code: 'invalid_operation', field: 'auth' };
    await expect(play.money().sale('a', request)).rejects.toMatchObject(refused);
  });
});
