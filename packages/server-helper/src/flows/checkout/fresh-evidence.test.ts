import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flowStore } from '../../../test-support/every-store.ts';
import { aCard } from '../../../test-support/operation-inputs.ts';
import { sendJson, statusRow } from '../../../test-support/scripted-gateway.ts';
import { ScriptedShop } from '../../../test-support/scripted-shop.ts';
import { expectProblem, Shop } from '../../../test-support/shop.ts';
import { startShop } from '../../../test-support/shop-of-test.ts';
import { storeWith } from '../../doubles/faulty-store.ts';
import { memoryStore } from '../../testing.ts';

describe('an order whose price changed, over HTTP,', () => {
  let shop: Shop;
  let session: string;

  beforeEach(async () => {
    shop = await Shop.start();
    ({ session } = await shop.open());
  });
  afterEach(() => shop.close());

  function reprice(amount: string): void {
    shop.reprice(amount);
    shop.later();
  }

  it.each([
    ['HTTP 503', 503, {}],
    ['HTTP 401', 401, {}],
    ['HTML', 200, '<html></html>'],
    ['a part', 200, { code: 200, errorCode: null, data: { content: [], totalElements: 1 } }],
  ])(
    'gets no second link when the gateway answers %s about the first',
    async (_what, status, body) => {
      reprice('99.50');
      shop.gateway.answerStatus(status, body);
      const reply = await shop.checkout({ orderId: '1001' });
      expectProblem(reply, 502, 'gateway_unreachable');
      expect(reply.headers['retry-after']).toBe('5');
      await expect(shop.payments.ensureLink('1001')).rejects.toMatchObject({
        code: 'not_confirmed',
      });
      expect(shop.gateway.creates).toHaveLength(1);
      shop.gateway.script = undefined;
      shop.later();
      expect((await shop.checkout({ orderId: '1001' })).status).toBe(201);
      expect(shop.gateway.creates).toHaveLength(2);
    },
  );

  it('gets no second link when the first was paid a moment ago, at the old price', async () => {
    reprice('99.50');
    shop.gateway.answerStatus(503);
    await shop.checkout({ orderId: '1001' });
    shop.gateway.script = undefined;
    shop.gateway.rows.set(session, [statusRow()]);
    shop.later();
    expectProblem(await shop.checkout({ orderId: '1001' }), 409, 'in_review');
    expect(shop.gateway.creates).toHaveLength(1);
  });

  it('gets its second link where the gateway knows nothing of the first yet', async () => {
    reprice('99.50');
    shop.gateway.answerStatus(404, { code: 404, message: 'nothing', errorCode: '404', data: null });
    expect((await shop.checkout({ orderId: '1001' })).status).toBe(201);
    expect(shop.gateway.creates).toHaveLength(2);
  });

  it('gets its live link again without a question when the price is the old one', async () => {
    shop.gateway.answerStatus(503);
    shop.later();
    expect((await shop.open()).session).toBe(session);
    expect(shop.gateway.statusCalls).toHaveLength(0);
  });

  it('gets another link however many are open, each of which is asked about at once', async () => {
    for (let link = 2; link <= 9; link += 1) {
      reprice(`${link}0.00`);
      await shop.payments.ensureLink('1001');
    }
    expect(shop.gateway.creates).toHaveLength(9);
    const { attempts } = (await shop.store.load('1001')) ?? { attempts: [] };
    const askedAt = attempts.slice(0, -1).map(({ lastCheckAt }) => lastCheckAt ?? 0);
    expect(Math.max(...askedAt) - Math.min(...askedAt)).toBeLessThan(2_000);
  });
});

describe.each([flowStore])('a sale beside an open link, in %s,', (name) => {
  let play: ScriptedShop;

  beforeEach(async () => {
    play = await ScriptedShop.open(name);
    await play.steps({ kind: 'want-to-pay', orderId: 'a' });
  });
  afterEach(() => play.end());

  const sell = () => play.money().sale('a', { auth: 'capture', card: aCard, requestId: 's-1' });

  it('sends no card while the gateway does not say whether the link is paid', async () => {
    await play.later(6_000);
    await play.steps({ kind: 'mood', mood: 'status-unreachable' });
    await expect(sell()).rejects.toMatchObject({ code: 'not_confirmed' });
    expect(play.sent('sale')).toBe(0);
    expect((await play.record()).operations).toEqual([]);
    await play.steps({ kind: 'mood', mood: 'well' });
    expect(await sell()).toMatchObject({ state: 'pending' });
    expect(play.sent('sale')).toBe(1);
  });

  it('sends none after a question of a moment ago that was not answered', async () => {
    await play.later(6_000);
    await play.steps(
      { kind: 'mood', mood: 'status-unreachable' },
      { kind: 'confirm', orderId: 'a' },
    );
    await expect(sell()).rejects.toMatchObject({ code: 'not_confirmed' });
    expect(play.sent('sale')).toBe(0);
  });

  it('asks anew after an answer of a moment ago, since the link may be paid since', async () => {
    await play.later(6_000);
    await play.steps(
      { kind: 'confirm', orderId: 'a' },
      { kind: 'pay', orderId: 'a', pick: 0, isApproved: true },
    );
    await expect(sell()).rejects.toMatchObject({ code: 'already_paid' });
    expect(play.sent('sale')).toBe(0);
  });
});

/** Something that waits until the test goes on. */
function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

it('a link that opened while others were asked about is asked about before the next one', async () => {
  const one = await startShop({}, 'memory');
  const { gateway, store } = one;
  const taking = gate();
  const done: PropertyKey[] = [];
  /** What the store answers to `take` is read from it at once, and comes late. */
  const slow = new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (name !== 'take' && name !== 'save') return member;
      return async (...given: unknown[]): Promise<unknown> => {
        const answer: unknown = await Reflect.apply(member as typeof store.take, target, given);
        done.push(name);
        if (name === 'take') await taking.opened;
        return answer;
      };
    },
  });
  const other = await startShop({ beside: one, payments: { store: slow } });
  const creating = gate();
  gateway.script = async (request, response) => {
    if (request.path.endsWith('/status')) return sendJson(response, 503, {});
    await creating.opened;
    gateway.answerUsually(request, response);
  };
  const first = one.payments.ensureLink('1001');
  await expect.poll(() => gateway.creates.length).toBe(1);
  // A check that began before the link was there.
  const sent = gateway.creates[0]?.body as { readonly successUrl: string };
  const early = other.send(new URL(sent.successUrl).pathname);
  await expect.poll(() => done).toEqual(['take']);
  creating.open();
  await first;
  // The other process takes the first link for one that is over.
  other.later(48 * 3_600_000);
  const second = other.payments.ensureLink('1001');
  await expect.poll(() => done.filter((name) => name === 'take')).toHaveLength(2);
  taking.open();
  await expect(second).rejects.toMatchObject({ code: 'not_confirmed' });
  await early;
  expect(gateway.creates).toHaveLength(1);
});

/** A shop whose link is repriced, and that hears of the first one by a webhook whenever the next is about to be made. */
async function notifiedShop(
  notify: (shop: Shop, link: Awaited<ReturnType<Shop['open']>>) => unknown,
) {
  const store = memoryStore();
  const save: typeof store.save = async (change, hook) => {
    if (change.record.attempts[1]?.state === 'creating') await notify(shop, link);
    return store.save(change, hook);
  };
  const shop = await startShop({ payments: { store: storeWith(store, { save }) } });
  const link = await shop.open();
  shop.reprice('99.50');
  shop.later();
  return shop;
}

it('a webhook between the gateway’s answer and the next link is asked about before that link', async () => {
  let isPaid = false;
  const shop = await notifiedShop(async (one, link) => {
    if (isPaid) return;
    isPaid = true;
    one.gateway.rows.set(link.session, [statusRow()]);
    await one.notify(link);
    one.later();
  });
  await expect(shop.payments.ensureLink('1001')).rejects.toMatchObject({ code: 'in_review' });
  expect(shop.gateway.creates).toHaveLength(1);
});

it('webhooks that keep coming have the gateway asked once more, and no order waits for their end', async () => {
  let left = 4;
  const shop = await notifiedShop(async (one, link) => {
    left -= 1;
    if (left > 0) await one.notify(link);
  });
  const asked = shop.gateway.statusCalls.length;
  await shop.payments.ensureLink('1001');
  expect(shop.gateway.creates).toHaveLength(2);
  expect(shop.gateway.statusCalls.length - asked).toBeLessThanOrEqual(3);
});
