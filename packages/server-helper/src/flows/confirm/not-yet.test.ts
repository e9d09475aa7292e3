import { afterEach, describe, expect, it } from 'vitest';
import { statusRow } from '../../../test-support/scripted-gateway.ts';
import { Shop } from '../../../test-support/shop.ts';

const DAY_MS = 24 * 3_600_000;
const ORDER = '1001';

let shop: Shop;
afterEach(() => shop.close());

/** Opens a link at a gateway that answers 404 about sessions without a transaction. */
async function openAt(notFound: 'unknown' | 'not-yet'): Promise<string> {
  shop = await Shop.start({ profile: { status: { notFound } } });
  const { gateway } = shop;
  gateway.answerStatus(404, { code: 404, message: 'not found' }, (id) => gateway.rows.has(id));
  return (await shop.open(ORDER)).session;
}

async function days(count: number): Promise<void> {
  for (let day = 0; day < count; day += 1) {
    shop.later(DAY_MS);
    await shop.payments.tick();
  }
}

const stateNow = async () => (await shop.payments.retrieve(ORDER))?.state;

describe('a 404 about a session', () => {
  it('lets a link expire at the end of its life where it means that nothing came yet', async () => {
    await openAt('not-yet');
    await days(4);
    expect(await stateNow()).toBe('expired');
  });

  it('lets a link expire a week later where it may mean anything', async () => {
    await openAt('unknown');
    await days(4);
    expect(await stateNow()).toBe('pending');
    await days(6);
    expect(await stateNow()).toBe('expired');
  });

  it('hides no payment that comes later', async () => {
    const session = await openAt('not-yet');
    shop.later();
    expect(await shop.payments.confirm(ORDER)).toMatchObject({ state: 'pending' });
    shop.gateway.rows.set(session, [statusRow()]);
    shop.later();
    expect(await shop.payments.confirm(ORDER)).toMatchObject({ state: 'paid' });
  });
});
