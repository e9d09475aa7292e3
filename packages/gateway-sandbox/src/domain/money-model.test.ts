import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drive } from '../testing/money-model/drive.ts';
import { sequences } from '../testing/money-model/moves.ts';
import { findTestCard } from './cards.ts';
import { violationsOf } from './invariants.ts';
import { emptyState } from './state.ts';
import { statusRows } from './status-rows.ts';
import { step } from './step.ts';

const core = { step, emptyState, statusRows, violationsOf, findTestCard };

test('ten thousand random sequences move the money as the model says, and no webhook tells more', () => {
  let driven = 0;
  fc.assert(
    fc.property(sequences, (moves) => {
      drive(core, moves);
      driven += 1;
    }),
    { numRuns: 10_000 },
  );
  expect(driven).toBe(10_000);
}, 120_000);
