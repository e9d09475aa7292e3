import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { afterAll, expect, inject, it } from 'vitest';
import { twoProcesses } from '../../../test-support/two-processes.ts';
import type { Attempt } from '../../payments/attempt.ts';
import { checkAt, openedIn, paidChange } from '../conformance/orders.ts';

const { database, store, other } = await twoProcesses(inject('databaseUrl'));
afterAll(() => database.end());

/** An order's life, every answer to it, and the names that no other order has. */
interface Life {
  readonly orderId: string;
  readonly answers: readonly unknown[];
  readonly names: readonly string[];
}

const DAY_MS = 86_400_000;

/** A transaction that another order has, and that order. */
async function boundElsewhere(): Promise<readonly [transaction: string, orderId: string]> {
  const owner = await openedIn(store);
  const transaction = randomUUID();
  await store.commit(paidChange(owner, transaction));
  return [transaction, owner.payment.orderId];
}

/** Reserves, opens, looks at and pays an order, between what must be refused. */
async function live(bound: readonly [transaction: string, orderId: string]): Promise<Life> {
  const opened = await openedIn(store);
  const { orderId } = opened.payment;
  const [attempt] = opened.attempts as [Attempt];
  const transaction = randomUUID();
  const doubly = paidChange(opened, bound[0]);
  const paid = { ...paidChange(opened, transaction), attempts: [settledOf(attempt)] };
  const answers: unknown[] = [];
  const check = checkAt(orderId);
  for (const one of [check, check, { ...check, now: check.now + DAY_MS, everySession: true }]) {
    answers.push(await store.beginStatusCheck(one));
  }
  for (const change of [doubly, paid, paid]) answers.push(await store.commit(change));
  return { orderId, answers, names: [orderId, ...bound, transaction, attempt.sessionId ?? ''] };
}

const settledOf = (attempt: Attempt): Attempt => ({ ...attempt, state: 'succeeded' });

/** What is told and stored of an order. */
async function timelineOf({ orderId, answers, names }: Life): Promise<unknown> {
  const told = [answers, await store.load(orderId), await store.history(orderId)];
  const text = names.reduce(
    (story, name, index) => story.replaceAll(name, `name ${index}`),
    JSON.stringify(told),
  );
  return JSON.parse(text);
}

it('what is sent alone is told and leaves the same as beside another call', async () => {
  const bound = [await boundElsewhere(), await boundElsewhere(), await boundElsewhere()] as const;
  const sent = (name: string): number =>
    database.sent.filter((text) => text.includes(`${name}(`)).length;
  database.sent.length = 0;
  const alone = await live(bound[0]);
  expect([sent('pay_commit_one'), sent('pay_begin_status_check')]).toEqual([5, 3]);
  expect(alone.answers).toMatchObject([
    { taken: { number: 1 } },
    { taken: null },
    { taken: { number: 1 } },
    { outcome: 'transaction_taken' },
    { outcome: 'committed' },
    { outcome: 'conflict' },
  ]);
  database.sent.length = 0;
  const [first, second] = await Promise.all([live(bound[1]), live(bound[2])]);
  expect([sent('pay_commit'), sent('pay_begin_status_checks')]).toEqual([5, 3]);
  expect(await timelineOf(first)).toEqual(await timelineOf(alone));
  expect(await timelineOf(second)).toEqual(await timelineOf(alone));
});

it('what is sent alone waits for who holds its order, and is told what they left', async () => {
  const held = await openedIn(store);
  const { orderId } = held.payment;
  let letGo = (): void => undefined;
  let hasBegun = (): void => undefined;
  const begun = new Promise<void>((resolve) => (hasBegun = resolve));
  const paying = other.commit(paidChange(held, randomUUID()), async () => {
    hasBegun();
    await new Promise<void>((resolve) => (letGo = resolve));
  });
  await begun;
  database.sent.length = 0;
  const check = store.beginStatusCheck({ ...checkAt(orderId), unlessHasMoney: true });
  const commit = store.commit(paidChange(held, randomUUID()));
  // Each was refused alone, and is sent again to the function that waits.
  while (database.sent.length < 4) await setImmediate();
  letGo();
  expect(await paying).toEqual({ outcome: 'committed' });
  expect(await check).toMatchObject({ record: { payment: { state: 'paid' } }, taken: null });
  expect(await commit).toMatchObject({ outcome: 'conflict', record: { payment: { version: 3 } } });
});
