import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drive } from '../../testing/money-model/drive.ts';
import { sequences } from '../../testing/money-model/moves.ts';

test('ten thousand random sequences move the money as the model says, and no webhook tells more', () => {
  let driven = 0;
  fc.assert(
    fc.property(sequences, (moves) => {
      drive(moves);
      driven += 1;
    }),
    { numRuns: 10_000 },
  );
  expect(driven).toBe(10_000);
}, 120_000);
