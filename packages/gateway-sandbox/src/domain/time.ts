import { frozen, movedTo, readClock, running, withoutNext } from './clock.ts';
import type { ClockSetting, Timer, TimerKind } from './clock.ts';
import { webhookDue } from './outbox.ts';
import { settle, settleRefund } from './record.ts';
import { paymentOf } from './tenant.ts';
import type { Moment, Tenant } from './tenant.ts';

export const freezeClock = (tenant: Tenant, _command: object, moment: Moment) =>
  changeClock(tenant, frozen(tenant.clock, moment.realNow), moment);

/** `rate`: the seconds that pass in a real one, by default 1. */
export const resumeClock = (tenant: Tenant, { rate }: { readonly rate?: number }, moment: Moment) =>
  changeClock(tenant, running(tenant.clock, moment.realNow, rate), moment);

function changeClock(tenant: Tenant, clock: ClockSetting, { now, effects }: Moment) {
  tenant.clock = clock;
  effects.push({ at: now, kind: 'clock-changed', id: clock.kind });
  return { now };
}

/**
 * Time travel, forward only. The effects are what fired on the way, in the order of time.
 * `pausedAt`: an outward effect happened there, and its outcome comes before later timers.
 */
export function advanceClock(
  tenant: Tenant,
  command: { readonly byMs: number } | { readonly toMs: number },
  moment: Moment,
) {
  const { realNow, now } = moment;
  const target = 'byMs' in command ? now + command.byMs : command.toMs;
  if (target < now) return { kind: 'in-the-past', now } as const;
  const pausedAt = fireTimers(tenant, target, moment, true);
  tenant.clock = movedTo(tenant.clock, pausedAt ?? target, realNow);
  return { kind: 'advanced', now: readClock(tenant.clock, realNow), pausedAt } as const;
}

/** Does nothing when the subject of the timer has moved on. */
type Firing = (tenant: Tenant, timer: Timer, moment: Moment) => void;

const firings: { readonly [Kind in TimerKind]: Firing } = {
  'session-expired': (tenant, { at, id }, { effects }) => {
    const session = tenant.sessions.get(id);
    if (session?.paidBy !== null || session.expiresAt !== at) return;
    effects.push({ at, kind: 'session-expired', id });
  },
  'challenge-timed-out': (tenant, { id }, moment) => {
    const payment = paymentOf(tenant, tenant.challenged.get(id));
    if (payment !== null) settle(tenant, payment, '3T', moment);
  },
  // The bank took the payment on while the session was open, so only another payment is in its way.
  'payment-settled': (tenant, { id }, moment) => {
    const payment = paymentOf(tenant, id);
    if (payment === null) return;
    const { session, transaction } = payment;
    const code = session.paidBy === null ? (transaction.awaitedCode ?? '05') : '3P';
    settle(tenant, payment, code, moment);
  },
  'refund-settled': (tenant, { id }, moment) => {
    const payment = paymentOf(tenant, tenant.refunded.get(id));
    const entry = payment?.transaction.entries.find((one) => one.id === id);
    if (payment === null || entry === undefined) return;
    settleRefund(tenant, payment, entry, { ...moment, reason: entry.plannedReason });
  },
  'webhook-due': webhookDue,
};

/**
 * Fires what falls due up to `until`, each timer at its own instant, in the order of time, then id.
 * A timer that a firing sets, and that falls due in time, fires too. With `pauses` the run ends
 * after the instant at which a webhook falls due, since its outcome may set further timers.
 */
export function fireTimers(
  tenant: Tenant,
  until: number,
  moment: Pick<Moment, 'realNow' | 'chance' | 'effects'>,
  pauses = false,
): number | null {
  let pausedAt: number | null = null;
  const { effects } = moment;
  for (;;) {
    const [timer] = tenant.timers;
    if (timer === undefined || timer.at > (pausedAt ?? until)) return pausedAt;
    const { at, kind, id, round } = timer;
    withoutNext(tenant.timers);
    const random = moment.chance(`${kind} ${id} ${round} ${tenant.rewinds}`);
    const known = effects.length;
    firings[kind](tenant, timer, { ...moment, now: at, random });
    const isOutward = effects.slice(known).some((effect) => effect.kind === 'webhook-due');
    if (pauses && isOutward) pausedAt = at;
  }
}
