import { beforeEach, describe, expect, it } from 'vitest';
import { declined, OTHER } from '../../../test-support/attacked-shop.ts';
import { aCard } from '../../../test-support/operation-inputs.ts';
import { inA, sendJson, statusRow } from '../../../test-support/scripted-gateway.ts';
import { startShop } from '../../../test-support/shop-of-test.ts';
import { expectProblem, type Shop } from '../../../test-support/shop.ts';
import { storeWith } from '../../doubles/faulty-store.ts';
import { memoryStore } from '../../testing.ts';

let shop: Shop;
let first: Awaited<ReturnType<Shop['open']>>;

/** A shop whose order has its first link. */
async function start(session: object = {}): Promise<void> {
  shop = await startShop({ profile: { session } });
  first = await shop.open();
}

const checkout = () => shop.checkout({ orderId: '1001' });

function reprice(amount: string): void {
  shop.reprice(amount);
  shop.later();
}

/** The shopper's card was declined, and the gateway sent the shopper back. */
async function decline(): Promise<void> {
  shop.gateway.rows.set(first.session, [declined]);
  shop.later();
  expect((await shop.send(first.failure)).status).toBe(303);
  shop.later();
}

describe('a page that is closed by a declined card', () => {
  beforeEach(() => start({ afterFailure: 'closed' }));

  it('is not offered again: the shopper gets a new one', async () => {
    await decline();
    const second = await shop.open();
    expect(second.session).not.toBe(first.session);
    shop.shows(second.session, { transactionId: OTHER });
    shop.later();
    await shop.send(second.success);
    expect(await shop.payments.retrieve('1001')).toMatchObject({ state: 'paid', review: [] });
  });

  it('is asked about once more before the new one is made', async () => {
    await decline();
    shop.shows(first.session, {});
    expectProblem(await checkout(), 409, 'already_paid');
    expect(shop.gateway.creates).toHaveLength(1);
  });
});

describe('an order whose price changed, over HTTP,', () => {
  beforeEach(() => start());

  it('gets no second link where the gateway does not answer about the first', async () => {
    reprice('99.50');
    shop.gateway.answerStatus(503);
    const reply = await checkout();
    expectProblem(reply, 502, 'gateway_unreachable');
    expect(reply.headers['retry-after']).toBe('5');
    await expect(shop.payments.ensureLink('1001')).rejects.toMatchObject({
      code: 'not_confirmed',
    });
    expect(shop.gateway.creates).toHaveLength(1);
    shop.gateway.script = undefined;
    shop.later();
    expect((await checkout()).status).toBe(201);
    expect(shop.gateway.creates).toHaveLength(2);
  });

  it('gets no second link when the first was paid a moment ago, at the old price', async () => {
    reprice('99.50');
    shop.gateway.answerStatus(503);
    await checkout();
    shop.gateway.script = undefined;
    shop.shows(first.session, {});
    shop.later();
    expectProblem(await checkout(), 409, 'in_review');
    expect(shop.gateway.creates).toHaveLength(1);
  });

  it('gets its live link again without a question when the price is the old one', async () => {
    shop.gateway.answerStatus(503);
    shop.later();
    expect((await shop.open()).session).toBe(first.session);
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

describe('a sale beside an open link', () => {
  beforeEach(async () => {
    await start();
    shop.later();
  });

  const sell = () => shop.payments.sale('1001', { auth: 'capture', card: aCard, requestId: 's-1' });
  const sales = () => shop.gateway.requestsTo('/payment/s2s/sale');

  it('sends no card while the gateway does not say whether the link is paid', async () => {
    shop.gateway.answerStatus(503);
    await expect(sell()).rejects.toMatchObject({ code: 'not_confirmed' });
    expect(sales()).toEqual([]);
    expect((await shop.record()).operations).toEqual([]);
    const sold = { result: 'SUCCESS', status: 'SUCCESS', transactionId: OTHER };
    shop.gateway.answer({ '/sale': [200, inA(sold)] });
    expect(await sell()).toMatchObject({ state: 'pending' });
    expect(sales()).toHaveLength(1);
  });

  it('asks anew after an answer of a moment ago, since the link may be paid since', async () => {
    await shop.payments.confirm('1001');
    shop.shows(first.session, {});
    await expect(sell()).rejects.toMatchObject({ code: 'already_paid' });
    expect(sales()).toEqual([]);
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
  let taken = 0;
  /** What the store answers to `take` is read from it at once, and comes late. */
  const take: typeof store.take = async (...given) => {
    const answer = await store.take(...given);
    taken += 1;
    await taking.opened;
    return answer;
  };
  const slow = storeWith(store, { take });
  const other = await startShop({ beside: one, payments: { store: slow } });
  const creating = gate();
  gateway.script = async (request, response) => {
    if (request.path.endsWith('/status')) return sendJson(response, 503, {});
    await creating.opened;
    gateway.answerUsually(request, response);
  };
  const making = one.payments.ensureLink('1001');
  await expect.poll(() => gateway.creates.length).toBe(1);
  // A check that began before the link was there.
  const sent = gateway.creates[0]?.body as { readonly successUrl: string };
  const early = other.send(new URL(sent.successUrl).pathname);
  await expect.poll(() => taken).toBe(1);
  creating.open();
  await making;
  // The other process takes the first link for one that is over.
  other.later(48 * 3_600_000);
  const second = other.payments.ensureLink('1001');
  await expect.poll(() => taken).toBe(2);
  taking.open();
  await expect(second).rejects.toMatchObject({ code: 'not_confirmed' });
  await early;
  expect(gateway.creates).toHaveLength(1);
});

/** An order gets another price, and something happens whenever its next link is about to be made. */
async function repriceAnd(meanwhile: () => unknown): Promise<void> {
  const store = memoryStore();
  const save: typeof store.save = async (change, hook) => {
    if (change.record.attempts[1]?.state === 'creating') await meanwhile();
    return store.save(change, hook);
  };
  shop = await startShop({ payments: { store: storeWith(store, { save }) } });
  first = await shop.open();
  reprice('99.50');
}

it('a webhook between the gateway’s answer and the next link is asked about before that link', async () => {
  await repriceAnd(async () => {
    if (shop.gateway.rows.size > 0) return;
    shop.shows(first.session, {});
    await shop.notify(first);
    shop.later();
  });
  await expect(shop.payments.ensureLink('1001')).rejects.toMatchObject({ code: 'in_review' });
  expect(shop.gateway.creates).toHaveLength(1);
});

it('a webhook while the next link is made is asked about before that link is handed out', async () => {
  await repriceAnd(() => undefined);
  const { gateway } = shop;
  gateway.script = async (request, response) => {
    if (request.path.endsWith('/intiate')) {
      gateway.rows.set(first.session, [statusRow()]);
      await shop.notify(first);
    }
    gateway.answerUsually(request, response);
  };
  await expect(shop.payments.ensureLink('1001')).rejects.toMatchObject({ code: 'in_review' });
});

it('webhooks that keep coming have the gateway asked once more, and no order waits for their end', async () => {
  let left = 4;
  await repriceAnd(async () => {
    left -= 1;
    if (left > 0) await shop.notify(first);
  });
  await shop.payments.ensureLink('1001');
  expect(shop.gateway.creates).toHaveLength(2);
  expect(shop.gateway.statusCalls.length).toBeLessThanOrEqual(3);
});
