import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sequences } from '../testing/money-model/moves.ts';
import { play } from '../testing/money-model/play.ts';

test('ten thousand random sequences move the money as the model says, and no webhook reports more', () => {
  let driven = 0;
  fc.assert(
    fc.property(sequences, (moves) => {
      play(moves);
      driven += 1;
    }),
    { numRuns: 10_000 },
  );
  expect(driven).toBe(10_000);
}, 120_000);
