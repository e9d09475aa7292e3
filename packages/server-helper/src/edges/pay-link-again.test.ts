import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPayLink } from '../../test-support/pay-links.ts';
import { sendJson, statusRow } from '../../test-support/scripted-gateway.ts';
import { expectProblem, Shop } from '../../test-support/shop.ts';

let shop: Shop;
beforeEach(async () => void (shop = await Shop.start()));
afterEach(() => shop.close());

/** Where the pay link leads, as status and address. */
async function opened(): Promise<readonly [number, string | undefined]> {
  const { status, headers } = await openPayLink(shop);
  return [status, headers.location];
}

/** How often the gateway was asked about a link. */
const asked = (): number => shop.gateway.seen.filter(({ path }) => path.endsWith('/status')).length;

/** The address of the hosted page that the first opening led to. */
async function openedFirst(): Promise<string> {
  const [, location = ''] = await opened();
  return location;
}

const rowsOf = (hosted: string, ...rows: readonly unknown[]): void => {
  shop.gateway.rows.set(new URL(hosted).searchParams.get('sessionId') ?? '', rows);
};

describe('a pay link that is opened again', () => {
  it('thanks who has paid and was never heard of, and asks for no more money', async () => {
    const hosted = await openedFirst();
    expect(asked()).toBe(0);
    rowsOf(hosted, statusRow());
    expect(await opened()).toEqual([303, 'https://shop.example/thanks/1001']);
    expect(await shop.payments.retrieve('1001')).toMatchObject({ state: 'paid' });
  });

  it('says that a person looks at it where the money is not the order’s', async () => {
    const hosted = await openedFirst();
    rowsOf(hosted, statusRow({ amount: '1.00' }));
    const reply = await openPayLink(shop, { accept: 'application/json' });
    expectProblem(reply, 409, 'in_review');
  });

  it('leads to the same page while nothing was paid, and asks no more often than a return does', async () => {
    const hosted = await openedFirst();
    for (let looks = 0; looks < 5; looks += 1) expect(await opened()).toEqual([303, hosted]);
    expect(asked()).toBe(1);
    // What a shopper did since the answer is not lost: the next tick asks for them.
    rowsOf(hosted, statusRow());
    shop.later();
    await shop.payments.tick();
    expect(await shop.payments.retrieve('1001')).toMatchObject({ state: 'paid' });
    expect(await opened()).toEqual([303, 'https://shop.example/thanks/1001']);
    expect(asked()).toBe(2);
  });

  it('asks once about a link that it does not offer again, before it makes another', async () => {
    const hosted = await openedFirst();
    shop.reprice('99.00');
    const [status, location] = await opened();
    expect(status).toBe(303);
    expect(location).not.toBe(hosted);
    expect(asked()).toBe(1);
  });

  it('leads to the same page where the gateway does not answer', async () => {
    const hosted = await openedFirst();
    shop.gateway.script = (_request, response) => sendJson(response, 503, {});
    expect(await opened()).toEqual([303, hosted]);
    expect(asked()).toBeGreaterThan(0);
  });

  it('says that it is tried again where the shop’s own part fails', async () => {
    await shop.close();
    const inTransaction = () => {
      throw new Error('the shelf is empty');
    };
    shop = await Shop.start({ payments: { inTransaction, onError: () => undefined } });
    const hosted = await openedFirst();
    rowsOf(hosted, statusRow());
    const [status, location] = await opened();
    expect([status, location]).toEqual([503, undefined]);
  });

  it('is the only one that asks: the checkout offers a live link at once', async () => {
    const { session } = await shop.open();
    expect((await shop.open()).session).toBe(session);
    expect(asked()).toBe(0);
  });
});
