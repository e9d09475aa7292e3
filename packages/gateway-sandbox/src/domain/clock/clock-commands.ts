import { respond } from '../command.ts';
import type { Moment } from '../command.ts';
import type { Tenant } from '../state.ts';
import { frozen, movedTo, readClock, running } from './clock.ts';
import type { ClockSetting } from './clock.ts';
import { fireTimers } from './fire-timers.ts';

export const freezeClock = (tenant: Tenant, _command: object, { realNow, now }: Moment) =>
  changeClock(tenant, frozen(tenant.clock, realNow), now);

/** `rate`: the seconds that pass in a real one, by default 1. */
export const resumeClock = (
  tenant: Tenant,
  { rate }: { readonly rate?: number },
  { realNow, now }: Moment,
) => changeClock(tenant, running(tenant.clock, realNow, rate), now);

/**
 * Time travel, forward only. The effects are what fired on the way, in the order of time.
 * `pausedAt`: an outward effect happened there, and its outcome comes before later timers.
 */
export function advanceClock(
  tenant: Tenant,
  command: { readonly byMs: number } | { readonly toMs: number },
  moment: Moment,
) {
  const { realNow, now, chance } = moment;
  const target = 'byMs' in command ? now + command.byMs : command.toMs;
  if (target < now) return respond(tenant, { kind: 'in-the-past', now });
  const fired = fireTimers(tenant, target, { realNow, chance, pauses: true });
  const clock = movedTo(tenant.clock, fired.pausedAt ?? target, realNow);
  return respond(
    { ...fired.tenant, clock },
    { kind: 'advanced', now: readClock(clock, realNow), pausedAt: fired.pausedAt },
    fired.effects,
  );
}

function changeClock(tenant: Tenant, clock: ClockSetting, now: number) {
  return respond({ ...tenant, clock }, { now }, [
    { at: now, kind: 'clock-changed', id: clock.kind },
  ]);
}
