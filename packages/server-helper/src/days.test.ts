import { describe, expect, it } from 'vitest';
import { dayAt, isDay, localDays, nextDay, startOfDay } from './days.ts';

const HOUR_MS = 3_600_000;
const hoursOf = (since: string, until: string, timeZone: string): readonly number[] =>
  localDays(since, until, timeZone).map(({ from, to }) => (to - from) / HOUR_MS);

describe('days of a time zone', () => {
  it('begin at its own midnight, and follow one another', () => {
    const days = localDays('2026-02-27', '2026-03-02', 'Asia/Riyadh');
    expect(days.map(({ day }) => day)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
    expect(new Date(days[0]?.from ?? 0).toISOString()).toBe('2026-02-26T21:00:00.000Z');
    expect(days[1]?.from).toBe(days[0]?.to);
    expect(hoursOf('2026-02-27', '2026-03-02', 'Asia/Riyadh')).toEqual([24, 24, 24]);
  });

  it.each([
    ['in winter to summer', '2026-03-28', '2026-03-31', 'Europe/Berlin', [24, 23, 24]],
    ['at midnight, forward', '2026-04-23', '2026-04-26', 'Africa/Cairo', [24, 23, 24]],
    ['from one to midnight', '2026-10-31', '2026-11-03', 'America/Havana', [24, 25, 24]],
    ['by half an hour', '2026-04-04', '2026-04-07', 'Australia/Lord_Howe', [24, 24.5, 24]],
  ])('are as long as they are where clocks change %s', (_when, since, until, zone, hours) => {
    expect(hoursOf(since, until, zone)).toEqual(hours);
  });

  it.each([
    ['since', '2026-02-30', '2026-03-01', 'UTC'],
    ['since', '2026-1-1', '2026-03-01', 'UTC'],
    ['until', '2026-01-01', '2026-01-01', 'UTC'],
    ['until', '2026-01-02', '2026-01-01', 'UTC'],
    ['until', '2025-01-01', '2026-01-03', 'UTC'],
    ['timeZone', '2026-01-01', '2026-01-02', 'Riyadh'],
  ])('are refused by the name of %s: %s to %s in %s', (field, since, until, zone) => {
    const refused = expect.objectContaining({ code: 'invalid_query', field });
    expect(() => localDays(since, until, zone)).toThrow(refused);
  });

  it('are 366 at most', () => {
    expect(localDays('2028-01-01', '2029-01-01', 'UTC')).toHaveLength(366);
  });
});

it.each([
  ['2026-11-23', 'America/St_Johns', '2026-11-23T03:30:00.000Z'],
  ['2026-11-23', 'UTC', '2026-11-23T00:00:00.000Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  // One o’clock where there is no midnight, and the first of two midnights.
  ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
  ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z'],
])('the day %s begins in %s at %s', (day, timeZone, moment) => {
  expect(new Date(startOfDay(day, timeZone)).toISOString()).toBe(moment);
  expect(dayAt(Date.parse(moment), timeZone)).toBe(day);
  expect(nextDay(dayAt(Date.parse(moment) - 1, timeZone))).toBe(day);
});

it('the day after the last of a year is the first of the next', () => {
  expect(nextDay('2026-12-31')).toBe('2027-01-01');
});

const noDays = ['2026-02-30', '2026-13-01', '26-01-01', '2026-1-1', '', 'today'];
it.each(noDays)('"%s" is no day', (text) => {
  expect(isDay(text)).toBe(false);
});
