import { advanceClock, freezeClock, resumeClock } from './clock/clock-commands.ts';
import { readClock } from './clock/clock.ts';
import { fireTimers } from './clock/fire-timers.ts';
import { respond } from './command.ts';
import type { Chance, Command, CommandKind, Handler, Reply } from './command.ts';
import type { Effect } from './effect.ts';
import { capture, endRefund, refund, voidAuthorization } from './money/movements.ts';
import { portalHandlers } from './portal/portal-handlers.ts';
import { createLink, expireSession } from './session/session-commands.ts';
import { tenantOf } from './state.ts';
import type { State } from './state.ts';
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
import { pay, sale } from './transaction/pay.ts';
import { chargeRecurring, revokeToken } from './transaction/recurring.ts';
import { deliveryHandlers } from './webhooks/delivery-handlers.ts';

const handlers: { readonly [Kind in CommandKind]: Handler<Kind> } = {
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
  tick: (tenant) => respond(tenant, { kind: 'ticked' }),
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
  const handler: Handler<Kind> = handlers[command.kind];
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
