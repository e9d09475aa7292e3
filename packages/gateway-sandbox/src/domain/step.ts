import { readClock, atRate, clockState, movedTo, withoutNext } from './clock.ts';
import type { Timer, TimerKind } from './clock.ts';
import type { Effect } from './events.ts';
import * as moves from './moves.ts';
import { deliveryHandlers, webhookDue } from './outbox.ts';
import * as pay from './pay.ts';
import { tenantOf, firstKeyId, mostSdkTokens, mostWebhooks, newTenant } from './tenant.ts';
import type { Chance, Moment, State, Tenant, ApiKey, SdkToken, Webhook } from './tenant.ts';

/** How long a portal token is good; assumed, the specification names no lifetime (§5). */
export const portalTokenLifeMs = 60 * 60 * 1000;

/** How long an SDK token is good; assumed, the specification names no lifetime. */
const sdkTokenLifeMs = 365 * 24 * 60 * 60 * 1000;

/** The most portal tokens that a tenant holds; one more login ends the oldest. */
const mostTokens = 1000;

export const mostSnapshots = 50;

type Named = Pick<ApiKey, 'id' | 'environment'>;
type OfEnvironment = Pick<ApiKey, 'environment'>;

const unknownId = { kind: 'unknown-id' } as const;

const portalHandlers = {
  /** The caller has checked the name and the password (N16). */
  'log-in': ({ tenant: { account }, now, random }: Moment, { environment }: OfEnvironment) => {
    const token = { id: random.uuid(), environment, expiresAt: now + portalTokenLifeMs };
    account.portalTokens = [...account.portalTokens, token].slice(-mostTokens);
    return { token, refreshId: random.uuid() };
  },
  /** Makes every token of the tenant bad at once, so that a test can get "revoked" (§7). */
  'revoke-portal-tokens': ({ tenant: { account } }: Moment) => {
    const revoked = account.portalTokens.length;
    account.portalTokens = [];
    return { revoked };
  },
  /** A new key beside the old ones, which live until they are revoked (N18, §5). */
  'rotate-key': ({ tenant: { account }, now, random }: Moment, { environment }: OfEnvironment) => {
    const key: ApiKey = { id: random.uuid(), environment, status: 'ACTIVE', createdAt: now };
    account.apiKeys = [...account.apiKeys, key];
    return { key };
  },
  /** The end of a key (N18). A key that was revoked before stays revoked. */
  'revoke-key': ({ tenant: { account } }: Moment, named: Named) =>
    change(account.apiKeys, named, { status: 'REVOKED' }),
  'create-webhook': (
    { tenant: { webhooks }, random }: Moment,
    { environment, url, active, events }: Omit<Webhook, 'id'>,
  ) => {
    if (webhooks.length >= mostWebhooks) return { kind: 'too-many' } as const;
    const webhook: Webhook = { id: random.uuid(), environment, url, active, events };
    webhooks.push(webhook);
    return { kind: 'created', webhook } as const;
  },
  /** Fields that the changes do not name keep their values. */
  'update-webhook': (
    { tenant: { webhooks } }: Moment,
    { changes, ...named }: Named & { readonly changes: WebhookChanges },
  ) => change(webhooks, named, changes),
  'delete-webhook': ({ tenant }: Moment, named: Named) => {
    const webhook = recordIn(tenant.webhooks, named);
    if (webhook === undefined) return unknownId;
    tenant.webhooks = tenant.webhooks.filter((other) => other !== webhook);
    return { kind: 'deleted' } as const;
  },
  'create-sdk-token': (
    { tenant: { sdkTokens }, now, random }: Moment,
    given: Pick<SdkToken, 'environment' | 'name' | 'type' | 'terminalId'>,
  ) => {
    if (sdkTokens.length >= mostSdkTokens) return { kind: 'too-many' } as const;
    const sdkToken: SdkToken = {
      id: random.uuid(),
      environment: given.environment,
      name: given.name,
      type: given.type,
      terminalId: given.terminalId,
      status: 'ACTIVE',
      createdAt: now,
      expiresAt: now + sdkTokenLifeMs,
    };
    sdkTokens.push(sdkToken);
    return { kind: 'created', sdkToken } as const;
  },
  'update-sdk-token': (
    { tenant: { sdkTokens } }: Moment,
    { status, ...named }: Named & Pick<SdkToken, 'status'>,
  ) => change(sdkTokens, named, { status }),
};

export type WebhookChanges = Partial<Pick<Webhook, 'url' | 'active' | 'events'>>;

export const recordIn = <Item extends Named>(records: readonly Item[], named: Named) =>
  records.find(({ id, environment }) => id === named.id && environment === named.environment);

function change<Item extends Named>(
  records: readonly Item[],
  named: Named,
  changes: NoInfer<Partial<Item>>,
) {
  const record = recordIn(records, named);
  return record === undefined
    ? unknownId
    : ({ kind: 'changed', record: Object.assign(record, changes) } as const);
}

/** The tenant as a whole: its beginning, its snapshots, its end. */
const tenantHandlers = {
  /** Opens a tenant with its seed; the caller has checked that the id is free. */
  'open-tenant': ({ tenant: { account } }: Moment, { seed }: Pick<Tenant['account'], 'seed'>) => {
    account.seed = seed;
    return { kind: 'opened' } as const;
  },
  /** Forgets all but the credentials. First keys always work again, revoked ones too. */
  reset: ({ tenant }: Moment) => {
    const { account } = tenant;
    takeBack(tenant, { ...newTenant(), account });
    account.isFound = true;
    for (const key of account.apiKeys) if (key.id === firstKeyId) key.status = 'ACTIVE';
    return { kind: 'reset' } as const;
  },
  /** Lets the gateway lose its record of the merchant, or find it again (§7). */
  'switch-merchant': (
    { tenant: { account } }: Moment,
    { isFound }: { readonly isFound: boolean },
  ) => {
    account.isFound = isFound;
    return { isFound };
  },
  /** Stores the tenant as it is; a snapshot of the same id is replaced. */
  'create-snapshot': ({ tenant, now }: Moment, { id }: Pick<Named, 'id'>) => {
    const others = tenant.snapshots.filter((known) => known.id !== id);
    if (others.length >= mostSnapshots) return { kind: 'too-many' } as const;
    const copy = structuredClone({ ...tenant, snapshots: [] });
    const snapshot = { id, at: now, tenant: copy };
    tenant.snapshots = [...others, snapshot];
    return { kind: 'created', snapshot } as const;
  },
  /** Restores the tenant, its clock included: time goes on from the snapshot's instant. */
  'restore-snapshot': ({ tenant, realNow, effects }: Moment, { id }: Pick<Named, 'id'>) => {
    const { snapshots } = tenant;
    const snapshot = snapshots.find((known) => known.id === id);
    if (snapshot === undefined) return { kind: 'unknown' } as const;
    const clock = movedTo(snapshot.tenant.clock, snapshot.at, realNow);
    takeBack(tenant, { ...structuredClone(snapshot.tenant), clock, snapshots });
    effects.push({ at: readClock(clock, realNow), kind: 'snapshot-restored', id });
    return { kind: 'restored', snapshot } as const;
  },
  'delete-snapshot': ({ tenant }: Moment, { id }: Pick<Named, 'id'>) => {
    const left = tenant.snapshots.filter((known) => known.id !== id);
    const isKnown = left.length < tenant.snapshots.length;
    tenant.snapshots = left;
    return { kind: isKnown ? 'deleted' : 'unknown' } as const;
  },
};

/** Both counts go on, whatever is taken back, so that no id is ever given twice. */
function takeBack(tenant: Tenant, past: Tenant): void {
  const { sequence, rewinds } = tenant;
  Object.assign(tenant, past, { sequence, rewinds: rewinds + 1 });
}

/** The handler of each command: its second parameter is the input, its result the reply. */
const handlers = {
  'create-link': pay.createLink,
  pay: pay.pay,
  'answer-challenge': pay.answerChallenge,
  'expire-session': pay.expireSession,
  sale: pay.sale,
  refund: moves.refund,
  capture: moves.capture,
  void: moves.voidAuthorization,
  'charge-recurring': pay.chargeRecurring,
  'revoke-token': pay.revokeToken,
  'end-refund': moves.endRefund,
  'arm-next': moves.armNext,
  'set-profile-outcome': moves.setProfileOutcome,
  'freeze-clock': (moment: Moment) => changeClock(moment, 0),
  /** `rate`: the seconds that pass in a real one. */
  'resume-clock': (moment: Moment, { rate = 1 }: { readonly rate?: number }) =>
    changeClock(moment, rate),
  'advance-clock': advanceClock,
  tick: () => ({ kind: 'ticked' }) as const,
  ...tenantHandlers,
  ...portalHandlers,
  ...deliveryHandlers,
};

type Handlers = typeof handlers;

export type CommandKind = keyof Handlers;

export type Command<Kind extends CommandKind> = { kind: Kind; tenant: string } & {
  [K in CommandKind]: Handlers[K] extends (moment: Moment, given: infer Given) => unknown
    ? Given
    : never;
}[Kind];

export type Reply<Kind extends CommandKind> = {
  [K in CommandKind]: ReturnType<Handlers[K]>;
}[Kind];

type Handler<Kind extends CommandKind> = (moment: Moment, command: Command<Kind>) => Reply<Kind>;

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
  const context = { tenant, realNow, chance, effects };
  fireTimers(context, now);
  const handler = handlers[command.kind] as unknown as Handler<Kind>;
  const moment = { ...context, now, random: chance(tenant.sequence) };
  const reply = handler(moment, command);
  // How webhooks fare is not counted: it takes as long as it takes, and later ids must not depend
  // on it.
  const isCounted = command.kind !== 'tick' && !Object.hasOwn(deliveryHandlers, command.kind);
  if (isCounted) tenant.sequence += 1;
  fireTimers(context, readClock(tenant.clock, realNow));
  return { reply, effects };
}

function changeClock({ tenant, now, realNow, effects }: Moment, rate: number) {
  tenant.clock = atRate(tenant.clock, realNow, rate);
  effects.push({ at: now, kind: 'clock-changed', id: clockState(tenant.clock) });
  return { now };
}

/**
 * Time travel, forward only. The effects are what fired on the way, in the order of time.
 * `pausedAt`: an outward effect happened there, and its outcome comes before later timers.
 */
function advanceClock(
  moment: Moment,
  command: { readonly byMs: number } | { readonly toMs: number },
) {
  const { tenant, realNow, now } = moment;
  const target = 'byMs' in command ? now + command.byMs : command.toMs;
  if (target < now) return { kind: 'in-the-past', now } as const;
  const pausedAt = fireTimers(moment, target, true);
  tenant.clock = movedTo(tenant.clock, pausedAt ?? target, realNow);
  return { kind: 'advanced', now: readClock(tenant.clock, realNow), pausedAt } as const;
}

const firings: Readonly<Record<TimerKind, (moment: Moment, timer: Timer) => void>> = {
  'session-expired': ({ tenant, effects }, { at, id }) => {
    const session = tenant.sessions.get(id);
    if (session?.paidBy !== null || session.expiresAt !== at) return;
    effects.push({ at, kind: 'session-expired', id });
  },
  'challenge-timed-out': (moment, { id }) => {
    const transaction = moment.tenant.challenged.get(id);
    if (transaction !== undefined) moves.settle(moment, transaction, '3T');
  },
  // The bank took the payment on while the session was open, so only another payment is in its way.
  'payment-settled': (moment, { id }) => {
    const transaction = moment.tenant.transactions.get(id);
    if (transaction === undefined) return;
    const { session, awaitedCode } = transaction;
    const code = session.paidBy === null ? (awaitedCode ?? '05') : '3P';
    moves.settle(moment, transaction, code);
  },
  'refund-settled': (moment, { id }) => void moves.endRefund(moment, { refundId: id }),
  'webhook-due': webhookDue,
};

/**
 * Fires what falls due up to `until`, each timer at its own instant, in the order of time, then id.
 * A timer that a firing sets, and that falls due in time, fires too. With `pauses` the run ends
 * after the instant at which a webhook falls due, since its outcome may set further timers.
 */
function fireTimers(
  context: Pick<Moment, 'tenant' | 'realNow' | 'chance' | 'effects'>,
  until: number,
  pauses = false,
): number | null {
  let pausedAt: number | null = null;
  const { tenant, effects } = context;
  for (;;) {
    const [timer] = tenant.timers;
    if (timer === undefined || timer.at > (pausedAt ?? until)) return pausedAt;
    const { at, kind, id, round } = timer;
    withoutNext(tenant.timers);
    const random = context.chance(`${kind} ${id} ${round} ${tenant.rewinds}`);
    const known = effects.length;
    firings[kind]({ ...context, now: at, random }, timer);
    const isOutward = effects.slice(known).some((effect) => effect.kind === 'webhook-due');
    if (pauses && isOutward) pausedAt = at;
  }
}
