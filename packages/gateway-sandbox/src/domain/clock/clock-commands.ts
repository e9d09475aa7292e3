import { respond } from '../command.ts';
import type { Handler } from '../command.ts';
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
  if (target < now) return respond(tenant, { kind: 'in-the-past', now });
  const fired = fireTimers(tenant, target, { realNow, chance, pauses: true });
  const clock = movedTo(tenant.clock, fired.pausedAt ?? target, realNow);
  return respond(
    { ...fired.tenant, clock },
    { kind: 'advanced', now: readClock(clock, realNow), pausedAt: fired.pausedAt },
    fired.effects,
  );
};

function changeClock(tenant: Tenant, clock: ClockSetting, now: number) {
  return respond({ ...tenant, clock }, { now }, [
    { at: now, kind: 'clock-changed', id: clock.kind },
  ]);
}
