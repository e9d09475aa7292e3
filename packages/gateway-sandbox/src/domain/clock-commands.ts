import type { Effect, Handler } from './command.ts';
import { frozen, movedTo, readClock, running } from './clock.ts';
import type { ClockSetting } from './clock.ts';
import { sessionLifeMs } from './session.ts';
import { newestSessions, transactionsOf } from './state.ts';
import type { Tenant } from './state.ts';
import { challengeLimitMs } from './transaction.ts';

export const freezeClock: Handler<'freeze-clock'> = (tenant, _command, { realNow, now }) =>
  changeClock(tenant, frozen(tenant.clock, realNow), now);

export const resumeClock: Handler<'resume-clock'> = (tenant, _command, { realNow, now }) =>
  changeClock(tenant, running(tenant.clock, realNow), now);

/** Time travel, forward only. The effects are what fired on the way, in the order of time. */
export const advanceClock: Handler<'advance-clock'> = (tenant, command, { realNow, now }) => {
  const target = 'byMs' in command ? now + command.byMs : command.toMs;
  if (target < now) return { tenant, reply: { kind: 'in-the-past', now }, effects: [] };
  const clock = movedTo(tenant.clock, target, realNow);
  return {
    tenant: { ...tenant, clock },
    reply: { kind: 'advanced', now: readClock(clock, realNow) },
    effects: firedBetween(tenant, now, target),
  };
};

function changeClock(tenant: Tenant, clock: ClockSetting, now: number) {
  const effect: Effect = { at: now, kind: 'clock-changed', id: clock.kind };
  return { tenant: { ...tenant, clock }, reply: { now }, effects: [effect] };
}

/** What falls due after `from` and not after `to`. */
function firedBetween(tenant: Tenant, from: number, to: number): Effect[] {
  const fired: Effect[] = [];
  const add = (at: number, kind: Effect['kind'], id: string) => {
    if (at > from && at <= to) fired.push({ at, kind, id });
  };
  for (const session of newestSessions(tenant)) {
    // Time only moves forward, so every older session and its challenges are over as well.
    if (session.createdAt + sessionLifeMs + challengeLimitMs <= from) break;
    if (session.paidBy === null) add(session.expiresAt, 'session-expired', session.id);
    for (const { status, challenge } of transactionsOf(tenant, session)) {
      if (status !== 'PENDING' || challenge === null || challenge.openUntil === null) continue;
      add(challenge.openUntil, 'challenge-timed-out', challenge.id);
    }
  }
  return fired.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}
