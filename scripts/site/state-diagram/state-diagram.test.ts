import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runHistories } from '../../../packages/server-helper/test-support/histories/run-histories.ts';
import { openStore } from '../../../packages/server-helper/test-support/histories/stores.ts';
import { readDocument } from '../../check/markdown.ts';
import { root } from '../../process/root.ts';
import { drawDiagram } from './draw-diagram.ts';
import { readDiagram, shows } from './read-diagram.ts';

const text = readFileSync(join(root, 'docs/how-confirmation-works.md'), 'utf8');
const source = readDocument(text).blocks.find(({ info }) => info === 'mermaid')?.code ?? '';
const diagram = readDiagram(source);

/** Plays so many histories of a shop and tells every change of a payment's state that was committed. */
async function changesSeen(histories: number): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  const openWatchedStore = async (seed: number) => {
    const store = await openStore('memory', seed);
    const commit = store.commit.bind(store);
    const states = new Map<string, string>();
    store.commit = async (change, hook) => {
      const result = await commit(change, hook);
      const { orderId, state } = change.payment;
      const former = states.get(orderId) ?? '[*]';
      if (result.outcome === 'committed' && former !== state) seen.add(`${former} ${state}`);
      if (result.outcome === 'committed') states.set(orderId, state);
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
    expect(seen.filter(([from = '', to = '']) => !shows(diagram, from, to))).toEqual([]);
  });

  it('shows no way that there is not', () => {
    expect(shows(diagram, 'pending', 'paid')).toBe(true);
    expect(shows(diagram, 'refunded', 'paid')).toBe(false);
    expect(shows(diagram, 'paid', 'pending')).toBe(false);
  });

  it('is drawn whole', () => {
    const picture = drawDiagram(diagram);
    for (const { because } of diagram.steps) expect(picture).toContain(because);
    expect(picture.match(/class="state"/g)).toHaveLength(12);
  });

  it('is not drawn when it has a step, a state or a line that the picture lacks', () => {
    expect(() => drawDiagram(readDiagram(`${source}paid --> pending`))).toThrow('paid --> pending');
    expect(() => drawDiagram(readDiagram('stateDiagram-v2\n paid --> refunded'))).toThrow(
      'what no document says',
    );
    expect(() => readDiagram(`${source}note right of paid`)).toThrow('note right of paid');
  });
});
