import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flowStores } from '../../../test-support/every-store.ts';
import { ScriptedShop } from '../../../test-support/scripted-shop.ts';
import { resolveReview } from '../../payments/reviews.ts';
import { saveChange } from '../../../test-support/save-change.ts';

const DAY_MS = 24 * 3_600_000;

describe.each(flowStores)('a link whose status the gateway never says (%s store)', (name) => {
  let play: ScriptedShop;

  beforeEach(async () => {
    play = await ScriptedShop.open(name);
    await play.steps({ kind: 'want-to-pay', orderId: play.orderId });
  });
  afterEach(() => play.end());

  const days = async (count: number): Promise<void> => {
    for (let day = 0; day < count; day += 1) await play.later(DAY_MS);
  };
  const silence = (): void => void (play.gateway.mood = 'status-unreachable');
  const answers = (): void => void (play.gateway.mood = 'well');
  const reviews = async () =>
    (await play.record()).reviews.map(({ reason, subject, resolution }) => [
      reason,
      subject,
      resolution,
    ]);
  const resolve = async (): Promise<void> => {
    const record = await play.record();
    const id = `${play.orderId}/no_evidence/a~1`;
    const resolution = { id, why: 'not paid', by: null, reopens: false };
    const change = resolveReview(record, resolution, record.payment.updatedAt);
    if (change !== null) await saveChange(play.store, change);
  };
  const open = [['no_evidence', 'a~1', null]];
  const ended = [['no_evidence', 'a~1', 'evidence']];

  it('needs a person after its watch, once, and expires by no silence', async () => {
    silence();
    await days(8);
    expect(await reviews()).toEqual([]);
    await days(5);
    expect(await reviews()).toEqual(open);
    await days(90);
    expect(await reviews()).toEqual(open);
    expect(play.events('review')).toMatchObject([{ reason: 'no_evidence', transactionId: null }]);
    expect(await play.record()).toMatchObject({
      payment: { state: 'pending' },
      attempts: [{ state: 'closed', nextCheckAt: null }],
    });
  });

  it('gets no second link beside it while a person has not resolved that', async () => {
    silence();
    await days(100);
    await play.steps({ kind: 'want-to-pay', orderId: play.orderId });
    expect(play.gateway.sessions.size).toBe(1);
    await resolve();
    await play.steps({ kind: 'want-to-pay', orderId: play.orderId });
    expect(play.gateway.sessions.size).toBe(2);
  });

  it('is found paid when the gateway answers at last', async () => {
    await play.steps({ kind: 'pay', orderId: play.orderId, pick: 0, isApproved: true });
    silence();
    await days(12);
    expect(await reviews()).toEqual(open);
    answers();
    await days(2);
    expect((await play.payment()).state).toBe('paid');
    expect(await reviews()).toEqual(ended);
  });

  it('expires when the gateway says at last that nothing came', async () => {
    silence();
    await days(12);
    answers();
    await days(2);
    expect(await play.record()).toMatchObject({
      payment: { state: 'expired' },
      attempts: [{ state: 'closed' }],
    });
    expect(await reviews()).toEqual(ended);
  });

  it('needs nobody where the payment had expired before the silence', async () => {
    await days(4);
    expect((await play.payment()).state).toBe('expired');
    silence();
    await days(100);
    expect(await reviews()).toEqual([]);
    expect(await play.record()).toMatchObject({ attempts: [{ state: 'closed' }] });
  });
});
