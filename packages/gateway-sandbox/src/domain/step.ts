import { portalHandlers, tenantHandlers } from './account.ts';
import { readClock } from './clock.ts';
import type { Effect } from './events.ts';
import { capture, endRefund, refund, voidAuthorization } from './moves.ts';
import { deliveryHandlers } from './outbox.ts';
import {
  answerChallenge,
  chargeRecurring,
  createLink,
  expireSession,
  pay,
  revokeToken,
  sale,
} from './pay.ts';
import { armNext, setProfileOutcome } from './record.ts';
import { tenantOf } from './tenant.ts';
import type { Chance, Moment, State, Tenant } from './tenant.ts';
import { advanceClock, fireTimers, freezeClock, resumeClock } from './time.ts';

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
  'freeze-clock': freezeClock,
  'resume-clock': resumeClock,
  'advance-clock': advanceClock,
  /** Fires the timers that are due, and nothing else. */
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
