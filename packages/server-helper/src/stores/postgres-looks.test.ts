import { randomUUID } from 'node:crypto';
import { afterAll, expect, inject, it } from 'vitest';
import { twoProcesses } from '../../test-support/two-processes.ts';
import { lookAt, openedIn, paidChange } from './conformance-orders.ts';

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
  const looks = await Promise.all(
    [store, other].map((process) => Promise.all(ids.map((id) => process.beginLook(lookAt(id))))),
  );
  const taken = looks.flat().flatMap((look) => look?.taken?.orderId ?? []);
  expect(taken.toSorted()).toEqual(ids.toSorted());
  for (const look of looks.flat()) {
    if (look?.taken) expect(look.record.attempts).toEqual([look.taken]);
  }
});

it('waits alone for an order that another process holds, and then sees what that one wrote', async () => {
  const held = await openedIn(store);
  const heldRequest = { ...lookAt(held.payment.orderId), unlessSettled: true };
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
  const waiting = store.beginLook(heldRequest).finally(() => (isWaiting = false));
  const others = await Promise.all(ids.map((id) => store.beginLook(lookAt(id))));
  expect(others.map((look) => look?.taken?.orderId)).toEqual(ids);
  expect(isWaiting).toBe(true);
  letGo();
  expect(await slow).toEqual({ outcome: 'committed' });
  expect(await waiting).toMatchObject({ taken: null, record: { payment: { state: 'paid' } } });
});
