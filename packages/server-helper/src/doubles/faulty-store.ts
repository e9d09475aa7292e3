import type { Store } from '../stores/store.ts';

/** The fault of the next commit; a commit that hangs never ends. */
export type Faults = 'ok' | 'fail-before' | 'fail-after-commit' | 'hang';

/** The error that a faulty store throws. */
class StoreFault extends Error {
  override readonly name = 'StoreFault';
}

/**
 * A store whose commits fail on purpose: before anything was written; after the commit, when the caller
 * cannot know; or without ever an answer.
 *
 * @param nextFault - Called once per commit.
 */
export function faultyStore<Tx>(store: Store<Tx>, nextFault: () => Faults): Store<Tx> {
  const save: Store<Tx>['save'] = async (asked, hook) => {
    const fault = nextFault();
    if (fault === 'fail-before') throw new StoreFault('failed before the commit');
    if (fault === 'hang') return new Promise(() => undefined);
    const result = await store.save(asked, hook);
    if (fault === 'fail-after-commit') throw new StoreFault('failed after the commit');
    return result;
  };
  return storeWith(store, { save });
}

/** A store with some members in place of its own. */
export function storeWith<Tx>(sound: Store<Tx>, members: Partial<Store<Tx>>): Store<Tx> {
  return new Proxy(sound, {
    get: (_, name) => {
      const member: unknown = Reflect.get(name in members ? members : sound, name);
      return typeof member === 'function' ? (member.bind(sound) as unknown) : member;
    },
  });
}
