import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PersistentMap } from './persistent-map.ts';

test('a persistent map answers like a Map after any sequence of sets', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.integer())), (pairs) => {
      let map = PersistentMap.empty<number>();
      for (const [key, value] of pairs) map = map.set(key, value);
      const model = new Map(pairs);
      expect(map.size).toBe(model.size);
      for (const [key, value] of model) expect(map.get(key)).toBe(value);
      expect(map.has('never set, by the length of it')).toBe(false);
    }),
  );
});

test('keys with one and the same hash do not overwrite each other', () => {
  const map = PersistentMap.empty<number>().set('costarring', 1).set('liquid', 2);
  expect(map.set('costarring', 3).get('costarring')).toBe(3);
  expect([map.get('costarring'), map.get('liquid'), map.size]).toEqual([1, 2, 2]);
});

test('an old version never sees what was set later', () => {
  let map = PersistentMap.empty<number>();
  for (let index = 0; index < 500; index += 1) map = map.set(`key ${index}`, index);
  const later = map.set('key 7', -1).set('new', 1);
  expect([map.get('key 7'), map.has('new'), map.size]).toEqual([7, false, 500]);
  expect([later.get('key 7'), later.get('new'), later.size]).toEqual([-1, 1, 501]);
});
