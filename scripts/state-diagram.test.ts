import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runHistories } from '../packages/server-helper/test-support/histories/run-histories.ts';
import { openStore } from '../packages/server-helper/test-support/histories/stores.ts';
import { root } from './process.ts';

const text = readFileSync(join(root, 'docs/how-confirmation-works.md'), 'utf8');
const source = /^stateDiagram[^`]+/m.exec(text)?.[0] ?? '';

/** The steps of the diagram, each from one state or from a group of states to another. */
const steps = [...source.matchAll(/^\s*(\[\*\]|\w+) --> (\w+)/gm)];
const groups = new Map(
  [...source.matchAll(/state "[^"]+" as (\w+) \{([^}]*)\}/g)].map(([, name, inside = '']) => [
    name,
    new Set(inside.match(/\w+/g)),
  ]),
);

/** Whether the diagram shows a step from one state to another. */
function shows(from: string, to: string): boolean {
  const isAt = (place: string | undefined, state: string): boolean =>
    place === state || groups.get(place)?.has(state) === true;
  return steps.some(([, start, end]) => isAt(start, from) && isAt(end, to));
}

/** Plays histories of a shop, and returns every change of a payment's state that was committed. */
async function changesSeen(histories: number): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  const openWatchedStore = async (seed: number) => {
    const store = await openStore('memory', seed);
    const save = store.save.bind(store);
    const states = new Map<string, string>();
    store.save = async (asked, hook) => {
      const result = await save(asked, hook);
      const { orderId, state } = asked.record.payment;
      const former = states.get(orderId) ?? '[*]';
      if (result.outcome === 'saved' && former !== state) seen.add(`${former} ${state}`);
      if (result.outcome === 'saved') states.set(orderId, state);
      return result;
    };
    return store;
  };
  const run = { seed: 1, histories };
  const { failure } = await runHistories(run, { openStore: openWatchedStore, variant: undefined });
  expect(failure).toBe(null);
  return seen;
}

describe('the diagram of a payment’s states', () => {
  it('shows every change of state that shops go through', async () => {
    const seen = [...(await changesSeen(200))].map((pair) => pair.split(' '));
    expect(seen.length).toBeGreaterThan(15);
    expect(seen.filter(([from = '', to = '']) => !shows(from, to))).toEqual([]);
  });

  it('shows no step that there is not', () => {
    expect(shows('pending', 'paid')).toBe(true);
    expect(shows('refunded', 'paid')).toBe(false);
    expect(shows('paid', 'pending')).toBe(false);
  });
});
