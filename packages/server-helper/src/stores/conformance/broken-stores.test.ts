import { describe, expect, it } from 'vitest';
import { storeWith } from '../../doubles/faulty-store.ts';
import { memoryStore } from '../memory-store.ts';
import type { Delivery, Store } from '../store.ts';
import { storeConformance } from './conformance.ts';

function broken(membersOf: (sound: Store<unknown>) => Partial<Store<unknown>>): Store<unknown> {
  const sound = memoryStore() as Store<unknown>;
  return storeWith(sound, membersOf(sound));
}

/** Writes what it is given on top of whatever is stored. */
const losingUpdates = () =>
  broken((sound) => ({
    async save(save, hook, hookTimeoutMs) {
      const result = await sound.save(save, hook, hookTimeoutMs);
      if (result.outcome !== 'conflict') return result;
      const version = (result.record?.payment.version ?? 0) + 1;
      const payment = { ...save.record.payment, version };
      return sound.save({ ...save, record: { ...save.record, payment } }, hook, hookTimeoutMs);
    },
  }));

/** Writes the document before the hook runs, and keeps it when the hook throws. */
const writingHalf = () =>
  broken((sound) => ({
    async save(save, hook, hookTimeoutMs) {
      try {
        return await sound.save(save, hook, hookTimeoutMs);
      } catch (error) {
        await sound.save({ ...save, events: [], movements: [] });
        throw error;
      }
    },
  }));

/** Reads what is due, and leases it only when all who asked for the same at that moment have it. */
const sharingEvents = () =>
  broken((sound) => {
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
  });

/** Stores no names of transactions. */
const forgettingNames = () =>
  broken((sound) => ({
    save: (save, ...rest) =>
      sound.save(
        { ...save, names: save.names.filter(({ kind }) => kind !== 'transaction') },
        ...rest,
      ),
  }));

/** The names of the cases that a store fails. */
async function failedBy(store: Store<unknown>): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const { name, check } of storeConformance) await check(store).catch(() => failed.push(name));
  return failed;
}

it('the suite passes a sound store', async () => {
  expect(await failedBy(broken(() => ({})))).toEqual([]);
});

describe('the suite fails a store that', () => {
  it('loses an update', async () => {
    expect(await failedBy(losingUpdates())).toEqual([
      'gives a document back as it was saved, with all that another release added',
      'answers a save on another version by a conflict with the stored document',
      'lets one of twenty parallel savers win, and runs its hook once',
      'never gives a session, transaction or operation to two orders, of many at once',
    ]);
  });

  it('writes half a change', async () => {
    expect(await failedBy(writingHalf())).toEqual([
      'saves nothing of a change whose hook throws or does not end, and else all of it',
      'never takes a statement’s error for a save when the hook swallowed it',
    ]);
  });

  it('hands one event to two', async () => {
    expect(await failedBy(sharingEvents())).toEqual([
      'gives each event to one of the parallel claimers, as many as it asks for',
    ]);
  });

  it('forgets a name', async () => {
    expect(await failedBy(forgettingNames())).toEqual([
      'saves nothing of a change whose hook throws or does not end, and else all of it',
      'never gives a session, transaction or operation to two orders, of many at once',
      'tells names apart by kind, capitals, accents and spaces, and shares references',
      'reads an archived order as before, and archives again what changes after it',
    ]);
  });
});
