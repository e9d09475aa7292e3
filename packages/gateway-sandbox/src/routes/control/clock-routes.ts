import { iso } from '../../domain/clock.ts';
import { isHappening } from '../../domain/events.ts';
import type { Happening } from '../../domain/events.ts';
import { travel } from '../../machine/machine.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { badRequest } from './control-call.ts';
import type { ControlRoutes } from './control-call.ts';

/** The end of the sandbox's time, so that every instant prints as a plain ISO 8601 date. */
const lastInstant = Date.UTC(2100, 0, 1);

const slowestRate = 0.01;
/** An hour in a second. */
const fastestRate = 3600;

/** The clock of a tenant. */
export function clockRoutes({ machine }: SandboxParts): ControlRoutes {
  return {
    'POST /clock/freeze': ({ tenant }) => {
      const { reply } = machine.execute({ kind: 'freeze-clock', tenant });
      return { answer: { now: iso(reply.now) } };
    },
    'POST /clock/resume': ({ tenant }) => {
      const { reply } = machine.execute({ kind: 'resume-clock', tenant });
      return { answer: { now: iso(reply.now) } };
    },
    'POST /clock/rate': ({ tenant, fields: { rate } }) => {
      if (typeof rate !== 'number' || !(rate >= slowestRate && rate <= fastestRate)) {
        return badRequest(
          'invalid_rate',
          `"rate" is how many seconds pass in a real one: a number from ${slowestRate} to ${fastestRate}.`,
        );
      }
      const { reply } = machine.execute({ kind: 'resume-clock', tenant, rate });
      return { answer: { now: iso(reply.now), rate } };
    },
    'POST /clock/advance': async ({ tenant, fields: { by, to } }) => {
      if ((by === undefined) === (to === undefined)) {
        return badRequest('invalid_time', 'Send either "by" or "to".');
      }
      const value = by === undefined ? readInstant(to) : readDuration(by);
      if (value === null) {
        return badRequest(
          'invalid_time',
          '"by" is an ISO 8601 duration of weeks, days, hours, minutes and seconds (PT48H); "to" is an instant with its offset (2030-01-01T00:00:00Z).',
        );
      }
      const target = by === undefined ? value : machine.now(tenant) + value;
      if (target > lastInstant) {
        return badRequest('invalid_time', 'The sandbox clock ends with the year 2099.');
      }
      const goal = by === undefined ? { toMs: value } : { byMs: value };
      const travelled = await travel(machine, tenant, goal);
      if (travelled === null) {
        const now = iso(machine.now(tenant));
        return badRequest('past_instant', `The clock only moves forward. It is ${now}.`);
      }
      const fired = travelled.fired.filter(isHappening).map(firedEntry);
      return { answer: { now: iso(travelled.now), fired } };
    },
  };
}

function firedEntry({ at, kind, id }: Happening): object {
  return { at: iso(at), kind, id };
}

const unitsMs = [604_800_000, 86_400_000, 3_600_000, 60_000, 1000] as const;

/**
 * An ISO 8601 duration in milliseconds, or null. Years and months have no fixed length and are
 * not read.
 */
export function readDuration(value: unknown): number | null {
  if (typeof value !== 'string' || value.length > 64) return null;
  const parts =
    /^P(?=.)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,3})?)S)?)?$/.exec(
      value,
    );
  if (parts === null) return null;
  const total = unitsMs.reduce((sum, unit, index) => sum + Number(parts[index + 1] ?? 0) * unit, 0);
  return Number.isSafeInteger(Math.round(total)) ? Math.round(total) : null;
}

/** An ISO 8601 instant with its offset, in epoch milliseconds, or null. */
export function readInstant(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(value);
  const instant = isInstant ? Date.parse(value) : Number.NaN;
  return Number.isNaN(instant) ? null : instant;
}
