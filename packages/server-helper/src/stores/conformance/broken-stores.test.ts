import { expect, it } from 'vitest';
import { storeWith } from '../../doubles/faulty-store.ts';
import { memoryStore } from '../memory-store.ts';
import type { Delivery, Store } from '../store.ts';
import { storeConformance } from './conformance.ts';

type Members = Partial<Store<unknown>>;

/** Writes what it is given on top of whatever is stored. */
const losingUpdates = (sound: Store<unknown>): Members => ({
  async save(save, hook, hookTimeoutMs) {
    const result = await sound.save(save, hook, hookTimeoutMs);
    if (result.outcome !== 'conflict') return result;
    const version = (result.record?.payment.version ?? 0) + 1;
    const payment = { ...save.record.payment, version };
    return sound.save({ ...save, record: { ...save.record, payment } }, hook, hookTimeoutMs);
  },
});

/** Writes the document before the hook runs, and keeps it when the hook throws. */
const writingHalf = (sound: Store<unknown>): Members => ({
  async save(save, hook, hookTimeoutMs) {
    try {
      return await sound.save(save, hook, hookTimeoutMs);
    } catch (error) {
      await sound.save({ ...save, events: [], movements: [] });
      throw error;
    }
  },
});

/** Reads what is due, and leases it only when all who asked for the same at that moment have it. */
function sharingEvents(sound: Store<unknown>): Members {
  const claims = new Map<string, Promise<readonly Delivery[]>>();
  return {
    async claimEvents(...asked) {
      const key = JSON.stringify(asked);
      const claim = claims.get(key) ?? sound.claimEvents(...asked);
      claims.set(key, claim);
      const claimed = await claim;
      claims.delete(key);
      return claimed;
    },
  };
}

/** Stores no names of transactions. */
const forgettingNames = (sound: Store<unknown>): Members => ({
  save: ({ names, ...save }, ...rest) =>
    sound.save({ ...save, names: names.filter(({ kind }) => kind !== 'transaction') }, ...rest),
});

it.each<[what: string, membersOf: (sound: Store<unknown>) => Members, failed: readonly string[]]>([
  [
    'loses an update',
    losingUpdates,
    [
      'gives a document back as it was saved, with all that another release added',
      'answers a save on another version by a conflict with the stored document',
      'lets one of twenty parallel savers win, and runs its hook once',
      'never gives a session, transaction or operation to two orders, of many at once',
    ],
  ],
  [
    'writes half a change',
    writingHalf,
    [
      'saves nothing of a change whose hook throws or does not end, and else all of it',
      'never takes a statement’s error for a save when the hook swallowed it',
    ],
  ],
  [
    'hands one event to two',
    sharingEvents,
    ['gives each event to one of the parallel claimers, as many as it asks for'],
  ],
  [
    'forgets a name',
    forgettingNames,
    [
      'saves nothing of a change whose hook throws or does not end, and else all of it',
      'never gives a session, transaction or operation to two orders, of many at once',
      'tells names apart by kind, capitals, accents and spaces, and shares references',
      'reads an archived order as before, and archives again what changes after it',
    ],
  ],
])('the suite fails the memory store where it %s', async (_what, membersOf, failing) => {
  const sound = memoryStore() as Store<unknown>;
  const store = storeWith(sound, membersOf(sound));
  const failed: string[] = [];
  for (const { name, check } of storeConformance) await check(store).catch(() => failed.push(name));
  expect(failed).toEqual(failing);
});
