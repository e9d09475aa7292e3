import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { flowStores } from '../../../test-support/every-store.ts';
import { ScriptedShop } from '../../../test-support/scripted-shop.ts';
import { GatewayError } from '../../gateway/gateway-error.ts';
import { notePart } from '../../gateway/partial-status.ts';

const DAY_MS = 24 * 3_600_000;

const errorOf = (code: 'not_found' | 'unreadable_answer'): GatewayError =>
  new GatewayError({ code, operation: 'retrieveStatus', outcome: 'rejected', message: code });
const notFound = errorOf('not_found');
/** An answer with a row that cannot be read and that is no money. */
const unreadable = errorOf('unreadable_answer');
notePart(unreadable, []);

describe.each(flowStores)('a link whose status is never whole (%s store)', (name) => {
  let play: ScriptedShop;

  beforeEach(async () => {
    play = await ScriptedShop.open(name);
    await play.steps({ kind: 'want-to-pay', orderId: play.orderId });
  });
  afterEach(() => play.end());

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
    for (let day = 0; day < 9; day += 1) await play.later(DAY_MS);
    expect(await play.record()).toMatchObject({
      payment: { state: 'expired' },
      attempts: [{ state: 'closed', nextCheckAt: null }],
    });
    expect(play.events('expired')).toHaveLength(1);
    const before = asked.mock.calls.length;
    for (let day = 0; day < 9; day += 1) await play.later(DAY_MS);
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
    for (let day = 0; day < 12; day += 1) await play.later(DAY_MS);
    const { log } = await play.history(play.orderId);
    const expired = log.flatMap((entry) => (entry.kind === 'change' ? entry.change : [])).at(-1);
    expect(expired).toMatchObject({
      payment: { state: 'expired' },
      attempts: [{ redirectUrl: null }],
    });
  });
});
