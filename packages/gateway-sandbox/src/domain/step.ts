import { advanceClock, fireTimers, freezeClock, resumeClock } from './clock/travel.ts';
import { readClock } from './clock/clock.ts';
import { respond } from './command.ts';
import type { Chance, Moment, Step } from './command.ts';
import type { Effect } from './effect.ts';
import { capture, endRefund, refund, voidAuthorization } from './money/movements.ts';
import { portalHandlers } from './portal.ts';
import { createLink, expireSession } from './session/session-commands.ts';
import { tenantOf } from './state.ts';
import type { State, Tenant } from './state.ts';
import {
  createSnapshot,
  deleteSnapshot,
  openTenant,
  resetTenant,
  restoreSnapshot,
  switchMerchant,
} from './tenant/tenant-commands.ts';
import { armNext, setProfileOutcome } from './transaction/armed.ts';
import { answerChallenge } from './transaction/challenge.ts';
import { chargeRecurring, pay, revokeToken, sale } from './transaction/pay.ts';
import { deliveryHandlers } from './webhooks/outbox.ts';

/** The handler of each command: its second parameter is the input, its answer bears the reply. */
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
  'arm-next': armNext,
  'freeze-clock': freezeClock,
  'resume-clock': resumeClock,
  'advance-clock': advanceClock,
  /** Fires the timers that are due, and nothing else. */
  tick: (tenant: Tenant) => respond(tenant, { kind: 'ticked' }),
  'end-refund': endRefund,
  'set-profile-outcome': setProfileOutcome,
  'create-snapshot': createSnapshot,
  'restore-snapshot': restoreSnapshot,
  'delete-snapshot': deleteSnapshot,
  reset: resetTenant,
  'open-tenant': openTenant,
  'switch-merchant': switchMerchant,
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
  [K in CommandKind]: ReturnType<Handlers[K]>['reply'];
}[Kind];

type Handler<Kind extends CommandKind> = (
  tenant: Tenant,
  command: Command<Kind>,
  moment: Moment,
) => Step<Reply<Kind>>;

/** The commands that undo what happened. */
const takesBack: ReadonlySet<CommandKind> = new Set(['reset', 'restore-snapshot']);

/**
 * The whole gateway: carries one command out on the state. Timers that are due before the command
 * fire first, so that no command sees an outdated state. `changed` is false when the state is as
 * before.
 */
export function step<Kind extends CommandKind>(
  state: State,
  command: Command<Kind>,
  realNow: number,
  chance: Chance,
): { reply: Reply<Kind>; effects: readonly Effect[]; changed: boolean } {
  const before = tenantOf(state, command.tenant);
  const now = readClock(before.clock, realNow);
  const due = fireTimers(before, now, { realNow, chance, pauses: false });
  const handler = handlers[command.kind] as unknown as Handler<Kind>;
  const moment = { realNow, now, random: chance(before.sequence), chance };
  const { tenant: handled, reply, effects } = handler(due.tenant, command, moment);
  // Timers that a command sets for this very instant fire with it: its webhooks are on their way.
  const { tenant, effects: following } = fireTimers(handled, readClock(handled.clock, realNow), {
    realNow,
    chance,
    pauses: false,
  });
  if (tenant === before) return { reply, effects, changed: false };
  // Both count on, whatever is taken back, so that no id is ever given twice. How webhooks fare is
  // not counted: it takes as long as it takes, and later ids must not depend on it.
  const isCounted = handled !== due.tenant && !Object.hasOwn(deliveryHandlers, command.kind);
  const sequence = isCounted ? before.sequence + 1 : before.sequence;
  const rewinds = before.rewinds + (takesBack.has(command.kind) ? 1 : 0);
  state.set(command.tenant, { ...tenant, sequence, rewinds });
  return { reply, effects: [...due.effects, ...effects, ...following], changed: true };
}
