import { afterEach, beforeEach, expect, it } from 'vitest';
import { ScriptedShop } from '../../../test-support/scripted-shop.ts';

const DAY_MS = 86_400_000;

let play: ScriptedShop;
beforeEach(async () => void (play = await ScriptedShop.open()));
afterEach(() => play.end());

const watchToTheEnd = async (): Promise<void> => {
  for (let day = 0; day < 12; day += 1) await play.later(DAY_MS);
};

it('an order that is opened again after it ended can expire again, and each end is an event of its own', async () => {
  await play.steps({ kind: 'want-to-pay', orderId: 'a' });
  await play.later(2 * DAY_MS + 1_000_000);
  expect((await play.payment()).state).toBe('expired');
  // A sale that never arrived opens the order again; its link is still the current one.
  await play.steps(
    { kind: 'money-mood', mood: 'request-lost' },
    { kind: 'sale', orderId: 'a', key: 1, isAuthorization: false },
    { kind: 'person-checks', orderId: 'a' },
  );
  expect((await play.payment()).state).toBe('failed');
  await watchToTheEnd();
  const { events } = await play.history('a');
  const ends = events.filter(({ event }) => event.type === 'expired');
  expect((await play.payment()).state).toBe('expired');
  expect(new Set(ends.map(({ event }) => event.id)).size).toBe(2);
});
