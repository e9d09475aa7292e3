import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { sendJson } from '../../../test-support/scripted-gateway.ts';
import { startShop } from '../../../test-support/shop-of-test.ts';
import { memoryStore } from '../../stores/memory-store.ts';

const HOUR_MS = 3_600_000;
const ANSWERED = 10;
const LINKS = 15;
const unknown = { code: 404, message: 'Not found', errorCode: '404', data: null };

/** A store that gives out further attempts once the first checks have ended. */
function storeInRounds() {
  const store = memoryStore();
  const claim = store.claimDue.bind(store);
  const save = store.save.bind(store);
  let claimed = 0;
  let ended = 0;
  store.claimDue = async (...given) => {
    while (ended < Math.min(claimed, ANSWERED)) await setImmediate();
    const due = await claim(...given);
    claimed += due.length;
    return due;
  };
  store.save = async (...given) => {
    const result = await save(...given);
    if (given[0].endsCheck === true) ended += 1;
    return result;
  };
  return store;
}

it('a gateway that does not know old sessions is asked about many at once: it answers', async () => {
  const shop = await startShop({ payments: { limits: false, store: storeInRounds() } });
  /** Answers to the last questions, which wait for each other. */
  const held: (() => void)[] = [];
  let asked = 0;
  shop.gateway.answerAt('/status', (_request, response) => {
    asked += 1;
    held.push(() => sendJson(response, 404, unknown));
    if (asked <= ANSWERED || asked === LINKS) for (const answer of held.splice(0)) answer();
  });
  for (let order = 1; order <= LINKS; order += 1) {
    const orderId = `old-${order}`;
    shop.orders.set(orderId, { orderId, amount: '1.00', customer: { phone: '0501234567' } });
    await shop.payments.ensureLink(orderId);
  }
  shop.later(HOUR_MS);
  await shop.payments.tick();
  expect(asked).toBe(LINKS);
});
