import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { readCorpus } from './corpus.ts';
import { mutants, Search, textOf } from './search.ts';
import type { Target } from './target.ts';
import { targets } from './targets.ts';

/** A few seconds of all of them; what a run tries follows from the seed. */
const RUNS = 100;
const SEED = 19;

describe.each(targets.map((target) => [target.name, target] as const))('%s', (name, target) => {
  const texts = [...new Set([...target.seeds, ...readCorpus(name)])];

  it('holds for every kept text', () => {
    for (const text of texts) expect(() => target.check(text), JSON.stringify(text)).not.toThrow();
  });

  it('holds for new texts made of them', () => {
    fc.assert(
      fc.property(mutants(target.words), (mutant) => target.check(textOf(mutant, texts))),
      { numRuns: RUNS, seed: SEED },
    );
  });
});

describe('a search', () => {
  let search: Search | undefined;
  afterEach(() => search?.close());

  const searchOf = (check: Target['check'], limitMs?: number): Search =>
    (search = new Search(
      { name: 'x', about: '', seeds: ['abc'], words: ['!'], check },
      [],
      limitMs,
    ));

  it('finds a text that breaks a property, and makes it small', () => {
    const finding = searchOf((text) => {
      if (text.includes('!b')) throw new Error('broken');
    }).explore(SEED, 20_000);
    expect(finding).toEqual({ text: '!b', message: 'Error: broken' });
  });

  it('ends a text that takes for ever', () => {
    const finding = searchOf((text) => {
      for (;;) if (text !== 'abc') return;
    }, 1_000).replay();
    expect(finding?.message).toContain('timed out');
  });
});
