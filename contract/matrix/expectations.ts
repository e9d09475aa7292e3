import { expect } from 'vitest';
import { isIn, openCells } from './exceptions.ts';
import type { Reading } from './readings.ts';
import { playReading } from './run-matrix.ts';

/** Every journey under a reading ends as it should, or a person has it and health says so. */
export async function expectGoodEnds(reading: Reading): Promise<void> {
  const { cells } = await playReading(reading);
  const failures = [...cells].filter(
    ([journey, { kind }]) =>
      kind === 'wrong' || (kind === 'failure' && !isIn(openCells, reading, journey)),
  );
  expect(failures).toEqual([]);
  expect(cells.size).toBe(reading.journeys.length);
  // An exception that is mended goes from the list.
  const isOpen = openCells.some(({ readings: names }) => names.includes(reading.name));
  if (isOpen) expect([...cells.values()].map(({ kind }) => kind)).toContain('failure');
}
