import { portalHandlers, tenantHandlers } from './account.ts';
import { readClock, frozen, movedTo, running, withoutNext } from './clock.ts';
import type { ClockSetting, Timer, TimerKind } from './clock.ts';
import type { Effect } from './events.ts';
import {
  capture,
  endRefund,
  refund,
  voidAuthorization,
  armNext,
  setProfileOutcome,
  settle,
  settleRefund,
} from './moves.ts';
import { deliveryHandlers, webhookDue } from './outbox.ts';
import {
  answerChallenge,
  chargeRecurring,
  createLink,
  expireSession,
  pay,
  revokeToken,
  sale,
} from './pay.ts';
import { tenantOf, paymentOf } from './tenant.ts';
import type { Chance, Moment, State, Tenant } from './tenant.ts';

/** The handler of each command: its second parameter is the input, its result the reply. */
const handlers = {
  'create-link': createLink,
  pay,
  'answer-challenge': answerChallenge,
  'expire-session': expireSession,
  sale,
  refund,
  capture,
  void: voidAuthorization,
  'charge-recurring': chargeRecurring,
  'revoke-token': revokeToken,
  'end-refund': endRefund,
  'arm-next': armNext,
  'set-profile-outcome': setProfileOutcome,
  'freeze-clock': (tenant: Tenant, _given: object, moment: Moment) =>
    changeClock(tenant, frozen(tenant.clock, moment.realNow), moment),
  /** `rate`: the seconds that pass in a real one, by default 1. */
  'resume-clock': (tenant: Tenant, { rate }: { readonly rate?: number }, moment: Moment) =>
    changeClock(tenant, running(tenant.clock, moment.realNow, rate), moment),
  'advance-clock': advanceClock,
  tick: () => ({ kind: 'ticked' }) as const,
  ...tenantHandlers,
  ...portalHandlers,
  ...deliveryHandlers,
};

type Handlers = typeof handlers;

export type CommandKind = keyof Handlers;

export type Command<Kind extends CommandKind> = { kind: Kind; tenant: string } & {
  [K in CommandKind]: Handlers[K] extends (
    tenant: Tenant,
    given: infer Given,
    moment: Moment,
  ) => unknown
    ? Given
    : never;
}[Kind];

export type Reply<Kind extends CommandKind> = {
  [K in CommandKind]: ReturnType<Handlers[K]>;
}[Kind];

type Handler<Kind extends CommandKind> = (
  tenant: Tenant,
  command: Command<Kind>,
  moment: Moment,
) => Reply<Kind>;

/**
 * The whole gateway: carries one command out on the state. Timers that are due before the command
 * fire first, so that no command sees an outdated state; those that it sets for this very instant
 * fire with it, since its webhooks are on their way.
 */
export function step<Kind extends CommandKind>(
  state: State,
  command: Command<Kind>,
  realNow: number,
  chance: Chance,
): { reply: Reply<Kind>; effects: readonly Effect[] } {
  const tenant = tenantOf(state, command.tenant);
  state.set(command.tenant, tenant);
  const effects: Effect[] = [];
  const now = readClock(tenant.clock, realNow);
  fireTimers(tenant, now, { realNow, chance, effects });
  const handler = handlers[command.kind] as unknown as Handler<Kind>;
  const moment = { realNow, now, random: chance(tenant.sequence), chance, effects };
  const reply = handler(tenant, command, moment);
  // How webhooks fare is not counted: it takes as long as it takes, and later ids must not depend
  // on it.
  const isCounted = command.kind !== 'tick' && !Object.hasOwn(deliveryHandlers, command.kind);
  if (isCounted) tenant.sequence += 1;
  fireTimers(tenant, readClock(tenant.clock, realNow), { realNow, chance, effects });
  return { reply, effects };
}

function changeClock(tenant: Tenant, clock: ClockSetting, { now, effects }: Moment) {
  tenant.clock = clock;
  effects.push({ at: now, kind: 'clock-changed', id: clock.kind });
  return { now };
}

/**
 * Time travel, forward only. The effects are what fired on the way, in the order of time.
 * `pausedAt`: an outward effect happened there, and its outcome comes before later timers.
 */
function advanceClock(
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
function fireTimers(
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
