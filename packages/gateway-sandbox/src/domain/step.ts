import { answerChallenge } from './answer-challenge.ts';
import { advanceClock, freezeClock, resumeClock } from './clock-commands.ts';
import type { Command, CommandKind, Effect, Handler, Randomness, Reply } from './command.ts';
import { createLink } from './create-link.ts';
import { expireSession } from './expire-session.ts';
import { pay } from './pay.ts';
import { readClock } from './clock.ts';
import { emptyTenant, tenantOf } from './state.ts';
import type { State } from './state.ts';

const handlers: { readonly [Kind in CommandKind]: Handler<Kind> } = {
  'create-link': createLink,
  pay,
  'answer-challenge': answerChallenge,
  'expire-session': expireSession,
  'arm-next': (tenant, { outcome, merchantOrderId }) => {
    const armed = { outcome, merchantOrderId };
    return {
      tenant: { ...tenant, armed: [...tenant.armed, armed] },
      reply: { armed },
      effects: [],
    };
  },
  'freeze-clock': freezeClock,
  'resume-clock': resumeClock,
  'advance-clock': advanceClock,
  reset: () => ({ tenant: emptyTenant, reply: { kind: 'reset' }, effects: [] }),
};

/** The whole gateway as one pure function. A state that comes back identical was not changed. */
export function step<Kind extends CommandKind>(
  state: State,
  command: Command<Kind>,
  realNow: number,
  random: Randomness,
): { state: State; reply: Reply<Kind>; effects: readonly Effect[] } {
  const before = tenantOf(state, command.tenant);
  const handler: Handler<Kind> = handlers[command.kind];
  const { tenant, reply, effects } = handler(before, command, {
    realNow,
    now: readClock(before.clock, realNow),
    random,
  });
  if (tenant === before) return { state, reply, effects };
  // It counts on through a reset, so that no id is ever given twice.
  const after = { ...tenant, sequence: before.sequence + 1 };
  return { state: { tenants: state.tenants.set(command.tenant, after) }, reply, effects };
}
