import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flowStores, freshStore, type FreshStore } from '../../../test-support/every-store.ts';
import { sendJson, statusAnswer, statusRow } from '../../../test-support/scripted-gateway.ts';
import { Shop } from '../../../test-support/shop.ts';

const ORDER = '1001';

describe.each(flowStores)('payments.confirm, in %s,', (name) => {
  let shop: Shop;
  let fresh: FreshStore;

  beforeEach(async () => {
    fresh = await freshStore(name);
    shop = await Shop.start({ payments: { store: fresh.store } });
    await shop.open(ORDER);
  });
  afterEach(async () => {
    await shop.close();
    await fresh.end();
  });

  it('answers with money that another check found while the gateway was slow to answer', async () => {
    let release: (() => void) | undefined;
    shop.gateway.script = (_request, response) => {
      release = () => sendJson(response, 200, statusAnswer([]));
    };
    const slow = shop.payments.confirm(ORDER);
    await expect.poll(() => release).toBeDefined();
    shop.gateway.script = (_request, response) =>
      sendJson(response, 200, statusAnswer([statusRow()]));
    shop.later();
    expect((await shop.payments.confirm(ORDER))?.state).toBe('paid');
    release?.();
    expect((await slow)?.state).toBe('paid');
  });
});
