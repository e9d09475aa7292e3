import { expect, it } from 'vitest';
import { brokenIn, playReading } from './play.ts';
import { combinationOf, readings } from './readings.ts';

const combinations = [1, 2, 3, 4, 5].map(combinationOf);

it.each([...readings, ...combinations].map((reading) => [reading.name, reading] as const))(
  'every journey under %s ends as it should, or a person has it and health says so',
  async (_name, reading) => {
    const row = await playReading(reading);
    expect(brokenIn(row)).toEqual([]);
    expect(row.cells.size).toBe(reading.journeys.length);
  },
);
