import { dayAt, isDay, MAX_DAYS, nextDay } from '../flows/figures.ts';
import type { Fields, Visit } from './visit.ts';

/** The spans that one press shows, in days that end today. */
export const presets = [1, 7, 30, 90] as const;

/** What is shown where the address names no span: short, since every visit begins here. */
const DEFAULT_DAYS = 7;

const DAY_MS = 86_400_000;

/** The days that the figures are of, both included. */
export interface FigureDays {
  readonly since: string;
  readonly until: string;
  /** Whether the address named days that could not be read. */
  readonly isBad: boolean;
}

/** Reads the span of an address. */
export function readSpan({ query, office }: Visit): FigureDays {
  const today = dayAt(office.parts.clock.now(), office.settings.timeZone);
  const { since = '', until = '' } = query;
  const shown = lastDays(DEFAULT_DAYS, today);
  if (since === '' && until === '') return { ...shown, isBad: false };
  const last = until === '' ? today : until;
  const isGood =
    isDay(since) && isDay(last) && since <= last && daysBetween(since, last) < MAX_DAYS;
  return isGood ? { since, until: last, isBad: false } : { ...shown, isBad: true };
}

/** The address of a preset. */
export const presetFields = ({ office }: Visit, days: number): Fields => ({
  ...lastDays(days, dayAt(office.parts.clock.now(), office.settings.timeZone)),
});

/** The span as `payments.figures` takes it. */
export const figuresQuery = ({ since, until }: FigureDays, timeZone: string) => ({
  since,
  until: nextDay(until),
  timeZone,
});

function lastDays(days: number, today: string): { readonly since: string; readonly until: string } {
  const first = new Date(Date.parse(today) - (days - 1) * DAY_MS);
  return { since: first.toISOString().slice(0, 10), until: today };
}

const daysBetween = (since: string, until: string): number =>
  (Date.parse(until) - Date.parse(since)) / DAY_MS;
