import { respond } from '../command.ts';
import type { Chance, Moment } from '../command.ts';
import type { Effect } from '../effect.ts';
import { endEntry } from '../money/ledger.ts';
import type { Session } from '../session/session.ts';
import type { Tenant } from '../state.ts';
import { record } from '../transaction/record.ts';
import { settle, withEntries } from '../transaction/transaction.ts';
import type { Transaction } from '../transaction/transaction.ts';
import { webhookDue } from '../webhooks/outbox.ts';
import { frozen, movedTo, readClock, running } from './clock.ts';
import type { ClockSetting } from './clock.ts';
import { withoutNext } from './timers.ts';
import type { Timer, TimerKind } from './timers.ts';

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

/** The effects of a timer: none, when its subject had moved on. */
interface Fired {
  readonly tenant: Tenant;
  readonly effects: readonly Effect[];
}

/** `moment.now` is the instant at which the timer was due, however late it is noticed. */
type Firing = (tenant: Tenant, timer: Timer, moment: Moment) => Fired;

const firings: { readonly [Kind in TimerKind]: Firing } = {
  'session-expired': (tenant, { at, id }) => {
    const session = tenant.sessions.get(id);
    const isOver = session === undefined || session.paidBy !== null || session.expiresAt !== at;
    return { tenant, effects: isOver ? [] : [{ at, kind: 'session-expired', id }] };
  },
  'challenge-timed-out': (tenant, { at, id }) =>
    change(tenant, tenant.challenged.get(id), at, (transaction) => settle(transaction, '3T', at)),
  // The bank took the payment on while the session was open, so only another payment is in its way.
  'payment-settled': (tenant, { at, id }) =>
    change(tenant, id, at, (transaction, session) =>
      settle(transaction, session.paidBy === null ? (transaction.awaitedCode ?? '05') : '3P', at),
    ),
  'refund-settled': (tenant, { at, id }) =>
    change(tenant, tenant.refunded.get(id), at, (transaction) => {
      const planned = transaction.entries.find((entry) => entry.id === id)?.plannedReason ?? null;
      return withEntries(transaction, endEntry(transaction.entries, id, { reason: planned, at }));
    }),
  'webhook-due': webhookDue,
};

/** A transaction's next version; none when the timer comes too late for it. */
function change(
  tenant: Tenant,
  transactionId: string | undefined,
  at: number,
  next: (transaction: Transaction, session: Session) => Transaction,
): Fired {
  const transaction = tenant.transactions.get(transactionId ?? '');
  const session = tenant.sessions.get(transaction?.sessionId ?? '');
  if (transaction === undefined || session === undefined) return { tenant, effects: [] };
  return record(tenant, session, next(transaction, session), at);
}

/** Effects whose work happens outside the core, with an outcome that may set further timers. */
const outwardEffects: ReadonlySet<Effect['kind']> = new Set(['webhook-due']);

interface FiringRun {
  readonly realNow: number;
  readonly chance: Chance;
  /** Ends the run after the instant of an outward effect, so that its outcome comes first. */
  readonly pauses: boolean;
}

/**
 * Fires what falls due up to `until`, each timer at its own instant, in the order of time, then id.
 * A timer that a firing sets, and that falls due in time, fires too.
 */
export function fireTimers(
  tenant: Tenant,
  until: number,
  { realNow, chance, pauses }: FiringRun,
): Fired & { readonly pausedAt: number | null } {
  let current = tenant;
  let pausedAt: number | null = null;
  const effects: Effect[] = [];
  for (;;) {
    const [timer] = current.timers;
    if (timer === undefined || timer.at > (pausedAt ?? until)) break;
    const { at, kind, id, round } = timer;
    const random = chance(`${kind} ${id} ${round} ${current.rewinds}`);
    const rest = { ...current, timers: withoutNext(current.timers) };
    const fired = firings[kind](rest, timer, { realNow, now: at, random, chance });
    current = fired.tenant;
    effects.push(...fired.effects);
    if (pauses && fired.effects.some((effect) => outwardEffects.has(effect.kind))) pausedAt = at;
  }
  return { tenant: current, effects, pausedAt };
}
