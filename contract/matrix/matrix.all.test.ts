import { it } from 'vitest';
import { combinationOf } from './combinations.ts';
import { expectGoodEnds } from './expectations.ts';
import { readings } from './readings.ts';

const combinations = [1, 2, 3].map(combinationOf);

it.each([...readings, ...combinations].map((reading) => [reading.name, reading] as const))(
  'every journey under %s ends as it should, or a person has it and health says so',
  (_name, reading) => expectGoodEnds(reading),
);
