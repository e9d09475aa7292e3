import type { Handler } from '../command.ts';
import type { Effect } from '../effect.ts';
import type { Tenant } from '../state.ts';
import { frozen, movedTo, readClock, running } from './clock.ts';
import type { ClockSetting } from './clock.ts';
import { fireTimers } from './fire-timers.ts';

export const freezeClock: Handler<'freeze-clock'> = (tenant, _command, { realNow, now }) =>
  changeClock(tenant, frozen(tenant.clock, realNow), now);

export const resumeClock: Handler<'resume-clock'> = (tenant, { rate }, { realNow, now }) =>
  changeClock(tenant, running(tenant.clock, realNow, rate), now);

/** Time travel, forward only. The effects are what fired on the way, in the order of time. */
export const advanceClock: Handler<'advance-clock'> = (tenant, command, moment) => {
  const { realNow, now, chance } = moment;
  const target = 'byMs' in command ? now + command.byMs : command.toMs;
  if (target < now) return { tenant, reply: { kind: 'in-the-past', now }, effects: [] };
  const fired = fireTimers(tenant, target, { realNow, chance, pauses: true });
  const clock = movedTo(tenant.clock, fired.pausedAt ?? target, realNow);
  return {
    tenant: { ...fired.tenant, clock },
    reply: { kind: 'advanced', now: readClock(clock, realNow), pausedAt: fired.pausedAt },
    effects: fired.effects,
  };
};

function changeClock(tenant: Tenant, clock: ClockSetting, now: number) {
  const effect: Effect = { at: now, kind: 'clock-changed', id: clock.kind };
  return { tenant: { ...tenant, clock }, reply: { now }, effects: [effect] };
}
