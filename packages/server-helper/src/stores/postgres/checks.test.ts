import { randomUUID } from 'node:crypto';
import { afterAll, expect, inject, it } from 'vitest';
import { twoProcesses } from '../../../test-support/two-processes.ts';
import { NOW, checkAt, openedIn, paidChange } from '../conformance/orders.ts';

const { database, store, other } = await twoProcesses(inject('databaseUrl'));
afterAll(() => database.end());

const opened = (): Promise<string[]> =>
  Promise.all(
    Array.from({ length: 16 }, async () => {
      const { payment } = await openedIn(store);
      return payment.orderId;
    }),
  );

it('gives each of many orders’ attempts to one of two processes', async () => {
  const ids = await opened();
  const checks = await Promise.all(
    [store, other].map((process) =>
      Promise.all(ids.map((id) => process.beginStatusCheck(checkAt(id)))),
    ),
  );
  const taken = checks.flat().flatMap((check) => check?.taken?.orderId ?? []);
  expect(taken.toSorted()).toEqual(ids.toSorted());
  for (const check of checks.flat()) {
    if (check?.taken) expect(check.record.attempts).toEqual([check.taken]);
  }
});

it('waits alone for an order that another process holds, and then sees what that one wrote', async () => {
  const held = await openedIn(store);
  const heldRequest = { ...checkAt(held.payment.orderId), unlessHasMoney: true };
  const ids = await opened();
  let letGo = (): void => undefined;
  let hasBegun = (): void => undefined;
  const begun = new Promise<void>((resolve) => (hasBegun = resolve));
  const slow = other.commit(paidChange(held, randomUUID()), async () => {
    hasBegun();
    await new Promise<void>((resolve) => (letGo = resolve));
  });
  await begun;
  let isWaiting = true;
  const waiting = store.beginStatusCheck(heldRequest).finally(() => (isWaiting = false));
  const others = await Promise.all(ids.map((id) => store.beginStatusCheck(checkAt(id))));
  expect(others.map((check) => check?.taken?.orderId)).toEqual(ids);
  expect(isWaiting).toBe(true);
  letGo();
  expect(await slow).toEqual({ outcome: 'committed' });
  expect(await waiting).toMatchObject({ taken: null, record: { payment: { state: 'paid' } } });
});

it('keeps every one of many hints that come at once, from two processes', async () => {
  const { payment, attempts } = await openedIn(store);
  const name = attempts[0]?.merchantOrderId as never;
  const hints = Array.from({ length: 40 }, (_, at) =>
    (at % 2 === 0 ? store : other).hint(name, NOW + at),
  );
  expect(new Set(await Promise.all(hints))).toEqual(new Set([payment.orderId]));
  expect((await store.load(payment.orderId))?.attempts[0]?.hintedAt).toBe(NOW + 39);
});
