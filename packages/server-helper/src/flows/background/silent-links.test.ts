import { beforeEach, describe, expect, it, vi } from 'vitest';
import { flowStores } from '../../../test-support/every-store.ts';
import type { ScriptedShop } from '../../../test-support/scripted-shop.ts';
import { scriptedShop } from '../../../test-support/shop-of-test.ts';
import { GatewayError } from '../../gateway/gateway-error.ts';
import { notePart } from '../../gateway/status.ts';
import { noteRefusedQuestion } from '../../gateway/answer.ts';
import { resolveReview } from '../../payments/reviews.ts';
import { saveChange } from '../../../test-support/save-change.ts';

const DAY_MS = 24 * 3_600_000;

let play: ScriptedShop;

/** Each test begins with a link in a store of its own. */
function linkOn(name: (typeof flowStores)[number]): void {
  beforeEach(async () => {
    play = await scriptedShop(name);
    await play.steps({ kind: 'want-to-pay', orderId: play.orderId });
  });
}

const days = async (count: number): Promise<void> => {
  for (let day = 0; day < count; day += 1) await play.later(DAY_MS);
};

describe.each(flowStores)('a link whose status the gateway never says (%s store)', (name) => {
  linkOn(name);

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

const errorOf = (code: 'not_found' | 'unreadable_answer'): GatewayError =>
  new GatewayError({ code, operation: 'retrieveStatus', outcome: 'rejected', message: code });
const notFound = errorOf('not_found');
noteRefusedQuestion(notFound);
/** An answer with a row that cannot be read and that is no money. */
const unreadable = errorOf('unreadable_answer');
notePart(unreadable, []);

describe.each(flowStores)('a link whose status is never whole (%s store)', (name) => {
  linkOn(name);

  it.each([
    ['a session that is not known', notFound],
    ['an answer with a row that cannot be read', unreadable],
  ])('is offered on, and then expires: %s', async (_what, error) => {
    const asked = vi.spyOn(play.gateway, 'retrieveStatus').mockRejectedValue(error);
    await play.later(DAY_MS);
    await play.steps({ kind: 'want-to-pay', orderId: play.orderId });
    expect(play.gateway.sessions.size).toBe(1);
    await play.later(2 * DAY_MS);
    expect((await play.payment()).state).toBe('pending');
    await days(9);
    expect(await play.record()).toMatchObject({
      payment: { state: 'expired' },
      attempts: [{ state: 'closed', nextCheckAt: null }],
    });
    expect(play.events('expired')).toHaveLength(1);
    const before = asked.mock.calls.length;
    await days(9);
    expect(asked.mock.calls.length).toBe(before);
  });

  it('is found paid although the gateway did not know it at first', async () => {
    const asked = vi.spyOn(play.gateway, 'retrieveStatus').mockRejectedValue(notFound);
    await play.later();
    asked.mockRestore();
    await play.steps({ kind: 'pay', orderId: play.orderId, pick: 0, isApproved: true });
    await play.later(60_000);
    expect((await play.payment()).state).toBe('paid');
  });

  it('is offered on when a sale beside it failed, since no try of its own did', async () => {
    const { orderId } = play;
    await play.steps(
      { kind: 'money-mood', mood: 'request-lost' },
      { kind: 'sale', orderId, key: 1, isAuthorization: false },
    );
    await play.later(3_600_000);
    await play.steps({ kind: 'person-checks', orderId });
    expect(await play.payment()).toMatchObject({ state: 'failed', currentAttempt: 1 });
    vi.spyOn(play.gateway, 'retrieveStatus').mockRejectedValue(notFound);
    await play.later(DAY_MS);
    const { redirectUrl } = (await play.record()).attempts[0] ?? {};
    expect(redirectUrl).toMatch(/^https:/);
  });

  it('says in its log that the gateway does not know the session', async () => {
    vi.spyOn(play.gateway, 'retrieveStatus').mockRejectedValue(notFound);
    await days(12);
    const { log } = await play.history(play.orderId);
    const expired = log.flatMap((entry) => (entry.kind === 'change' ? entry.change : [])).at(-1);
    expect(expired).toMatchObject({
      payment: { state: 'expired' },
      attempts: [{ redirectUrl: null }],
    });
  });
});
