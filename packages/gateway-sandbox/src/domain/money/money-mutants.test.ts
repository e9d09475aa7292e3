import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drive } from '../../testing/money-model/drive.ts';
import { sequences } from '../../testing/money-model/moves.ts';
import { breakCore, mutants } from '../../testing/money-model/mutants.ts';

test.each(mutants)(
  'the model notices that $defect',
  async (mutant) => {
    const { core, remove } = await breakCore(mutant);
    try {
      const property = fc.property(sequences, (moves) => drive(core, moves));
      const settings = { seed: 20_300_101, numRuns: 10_000, endOnFailure: true };
      const { failed, numRuns } = fc.check(property, settings);
      expect(failed, `nothing was noticed in ${numRuns} sequences`).toBe(true);
    } finally {
      await remove();
    }
  },
  120_000,
);
