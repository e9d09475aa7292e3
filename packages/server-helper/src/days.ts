import { invalidQuery } from './errors.ts';

// Days of a time zone. A day begins there when its clocks say so, which is no fixed time in UTC.

const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Whether its month has the day: `Date.parse` takes the 30th of February for the 2nd of March. */
export function isDay(text: string): boolean {
  const midnight = ISO_DAY.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isFinite(midnight) && new Date(midnight).toISOString().startsWith(text);
}

/** No span of days is longer. */
export const MAX_DAYS = 366;

const DAY_MS = 86_400_000;

/**
 * The days from one, included, to another, not included: each from its first moment to that of
 * the day after, in milliseconds since the epoch.
 *
 * @param timeZone - An IANA name, such as `Asia/Riyadh`.
 * @throws {@link PaymentsError} `invalid_query`.
 */
export function localDays(since: string, until: string, timeZone: string) {
  const clock = clockOf(timeZone);
  const first = readDay('since', since);
  const count = (readDay('until', until) - first) / DAY_MS;
  if (count < 1)
    throw invalidQuery('until', 'until must be a later day than since, and is not included.');
  if (count > MAX_DAYS) {
    const words = `since and until may be ${MAX_DAYS} days apart. Ask for a part at a time.`;
    throw invalidQuery('until', words);
  }
  const starts = Array.from({ length: count + 1 }, (_, index) =>
    startOf(first + index * DAY_MS, clock),
  );
  return starts.slice(1).map((to, index) => ({
    day: dayText(first + index * DAY_MS),
    from: starts[index] ?? to,
    to,
  }));
}

export const nextDay = (day: string): string => dayText(Date.parse(day) + DAY_MS);

/** The first moment of a day of a time zone, in milliseconds since the epoch. */
export const startOfDay = (day: string, timeZone: string): number =>
  startOf(Date.parse(day), clockOf(timeZone));

export const dayAt = (moment: number, timeZone: string): string =>
  dayText(clockOf(timeZone)(moment));

/** @param time - Read as a time in UTC. */
const dayText = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The midnight in UTC of a day. */
function readDay(field: 'since' | 'until', given: unknown): number {
  if (typeof given === 'string' && isDay(given)) return Date.parse(given);
  throw invalidQuery(field, `${field} must be a day such as "2026-11-01".`);
}

/** Reads a clock on a wall of a time zone, as if its time were UTC. */
type WallClock = (time: number) => number;

function clockOf(timeZone: string): WallClock {
  const digits = Object.fromEntries(fields.map((field) => [field, 'numeric']));
  const settings = { calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23' } as const;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en', { timeZone, ...settings, ...digits });
  } catch {
    const words = 'timeZone must be the IANA name of a time zone, such as "Asia/Riyadh".';
    throw invalidQuery('timeZone', words);
  }
  return (time) => {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]));
    const [year = 0, month = 1, ...rest] = fields.map((one) => Number(parts.get(one)));
    return Date.UTC(year, month - 1, ...rest);
  };
}

const fields = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;

/**
 * The first moment of a day. Where clocks are put forward at midnight, the day begins at one o'clock;
 * where they are put back, at the first of two midnights.
 *
 * @param midnight - The day's midnight, if it were in UTC.
 */
function startOf(midnight: number, wall: WallClock): number {
  const around = [midnight - DAY_MS, midnight + DAY_MS];
  const starts = around.map((time) => midnight - (wall(time) - time));
  return Math.min(...starts.filter((start) => wall(start) >= midnight));
}
