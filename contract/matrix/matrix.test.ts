import { expect, it } from 'vitest';
import { buildFidelity } from '../fidelity/fidelity.ts';
import { brokenIn, playReading, silentCells } from './play.ts';
import { combinationOf, portalPlaces, readings, quickReadings } from './readings.ts';

it.each([...quickReadings, combinationOf(1)].map((reading) => [reading.name, reading] as const))(
  'every journey under %s ends as it should, or a person has it and health says so',
  async (_name, reading) => {
    const row = await playReading(reading);
    expect(brokenIn(row)).toEqual([]);
    expect(row.cells.size).toBe(reading.journeys.length);
  },
);

it('each policy of the sandbox and each place of a profile has a row', () => {
  const sources = Object.values(buildFidelity().sources);
  const policies = sources.flatMap(({ policies: names }) => names);
  const places = sources.flatMap(({ profile }) => profile);
  const played = new Set(readings.flatMap(({ policy }) => policy));
  const covered = [...readings.flatMap((reading) => reading.places), ...portalPlaces];
  expect([...played].toSorted()).toEqual([...new Set<string>(policies)].toSorted());
  expect([...new Set(covered)].toSorted()).toEqual([...new Set(places)].toSorted());
});

it('the exceptions name readings that there are', () => {
  const names = new Set(readings.map(({ name }) => name));
  const named = silentCells.flatMap((exception) => exception.readings);
  expect(named.filter((name) => !names.has(name))).toEqual([]);
});
