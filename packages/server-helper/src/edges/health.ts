import { createHash, timingSafeEqual } from 'node:crypto';
import type { AlignedClock, Clock } from '../clock.ts';
import type { UnknownLinks } from '../flows/confirm/unknown-links.ts';
import type { RecurringTokens } from '../flows/money/recurring-tokens.ts';
import type { PaymentFlows } from '../flows/payment-flows.ts';
import type { StoreTrouble } from '../flows/store-opening.ts';
import { isThisMachine as isNameOfThisMachine } from '../gateway/settings.ts';
import type { GatewayClient } from '../gateway/gateway-client.ts';
import type { HealthOptions } from '../options/payments-options.ts';
import { packageVersion } from '../package-version.ts';
import type { Backlog } from '../stores/store.ts';
import type { Answer, EdgeRequest } from './http.ts';
import { clientOf } from './limits.ts';

export interface HealthParts {
  readonly limits: HealthOptions;
  readonly clock: Clock & Pick<AlignedClock, 'hasLeapt'>;
  readonly gateway: Pick<GatewayClient, 'breakers' | 'drift'>;
  readonly flows: Pick<PaymentFlows<unknown>, 'backlog' | 'isWritable' | 'waits'>;
  readonly recurringTokens: Pick<RecurringTokens, 'unreadable'>;
  readonly unknownLinks: Pick<UnknownLinks, 'areMany' | 'refusesEnded' | 'isAnyLost'>;
  readonly trouble: StoreTrouble;
}

/**
 * `GET /health`: 200 while payments can be recorded, else 503. A stranger learns the status and its
 * word: how much waits tells of a shop's trade, and a finding or a version where it is weak.
 */
export async function healthFor(request: EdgeRequest, parts: HealthParts): Promise<Answer> {
  const { status, json } = await health(parts);
  return answerFor(request, parts.limits, status, json);
}

/** `GET /health/live`: the process answers. It asks nothing else: a new process mends no store and no gateway. */
export const live = (): Answer => ({ status: 200, json: { status: 'ok' } });

/**
 * `GET /health/ready`: 200 while this process can record payments, else 503. What needs a person, but
 * stops no payment, is not looked at: every process would say the same.
 */
export async function ready(request: EdgeRequest, parts: HealthParts): Promise<Answer> {
  const { version, store: known, reason } = (await health(parts)).json;
  const store = parts.flows.waits.isStuck?.() ? 'stuck' : known;
  const isReady = store === 'ok';
  const json = { status: isReady ? 'ok' : 'unavailable', version, store, reason };
  return answerFor(request, parts.limits, isReady ? 200 : 503, json);
}

/** The whole answer, for those who may know. */
export async function health(parts: HealthParts) {
  const { limits, clock, flows, trouble } = parts;
  const version = packageVersion();
  const gateway = parts.gateway.breakers();
  const [backlog, isWritable] = await Promise.all([
    flows.backlog().catch(() => null),
    flows.isWritable(),
  ]);
  if (backlog === null || !isWritable) {
    const store = backlog === null ? 'unavailable' : 'not_writable';
    const reason = trouble.reason ?? undefined;
    return { status: 503, json: { status: 'unavailable', version, store, reason, gateway } };
  }
  const now = clock.now();
  const age = (at: number | null): number | null => (at === null ? null : Math.max(0, now - at));
  const { oldestDueAt, oldestFailingAt, oldestUndeliveredAt, oldestUnknownAt, ...counts } = backlog;
  const oldest = {
    overdueMs: age(oldestDueAt),
    failingMs: age(oldestFailingAt),
    undeliveredMs: age(oldestUndeliveredAt),
    unknownMs: age(oldestUnknownAt),
  };
  const found = Object.entries(faultsOf(parts, counts, oldest));
  const findings = found.filter(([, isFound]) => isFound).map(([finding]) => finding);
  const entries = findings.flatMap((finding) => entriesOf[finding] ?? []);
  const isWell = findings.length === 0;
  return {
    status: !isWell && limits.failsWhenDegraded === true ? 503 : 200,
    json: {
      status: isWell ? 'ok' : 'degraded',
      version,
      store: 'ok',
      gateway,
      backlog: counts,
      oldest,
      findings,
      profile: entries.length === 0 ? undefined : entries,
    },
  };
}

/** The entries of the gateway profile that may end a finding. */
const entriesOf: Readonly<Record<string, readonly string[]>> = {
  ended_links_refused: ['session.afterEnd'],
  unfollowed_webhooks: ['webhook.orderName', 'webhook.transactionId'],
};

/** In milliseconds: a check waits for its turn where many are due, and a due event for cron alone. */
export const LATE = { checks: 15 * 60_000, events: 5 * 60_000 } as const;

/** How long a finding about the gateway's answers outlives the last one that had it. */
const DRIFT_MS = 60 * 60_000;

/** The faults that stop no payment from being recorded, and whether each is there. */
function faultsOf(
  { limits, clock, gateway, recurringTokens, unknownLinks }: HealthParts,
  backlog: Omit<Backlog, `oldest${string}`>,
  oldest: Readonly<Record<'overdueMs' | 'undeliveredMs' | 'unknownMs', number | null>>,
) {
  const now = clock.now();
  const { overdueMs, unknownMs = 24 * 3_600_000, waiting = 500 } = limits;
  const { dueAttempts, undelivered, unprovenPayments, unreadableAnswers } = backlog;
  // What status calls of this process have met lately that is not expected.
  const recent = gateway
    .drift()
    .filter(({ operation, kind }) => kind === 'unfollowed_hint' || operation.endsWith('Status'))
    .filter(({ lastSeenAt }) => now - lastSeenAt < DRIFT_MS);
  const drift = new Set(recent.map(({ kind }) => kind));
  return {
    checks_failing: backlog.failingOrders > 0,
    clock_leapt: clock.hasLeapt(),
    dead_letters: backlog.deadLetters > 0,
    ended_links_refused: unknownLinks.refusesEnded(now),
    events_overdue: (oldest.undeliveredMs ?? 0) > (overdueMs ?? LATE.events),
    gateway_held_back: Object.values(gateway.breakers()).includes('open'),
    status_checks_overdue: (oldest.overdueMs ?? 0) > (overdueMs ?? LATE.checks),
    many_waiting: dueAttempts > waiting || undelivered > waiting,
    outcome_unknown: (oldest.unknownMs ?? 0) > unknownMs,
    unfollowed_webhooks: drift.has('unfollowed_hint'),
    unknown_links: unknownLinks.areMany(now),
    unknown_words: drift.has('unknown_word'),
    unproven_payments: unprovenPayments > 0 || unknownLinks.isAnyLost(now),
    unreadable_answers: unreadableAnswers > 0 || drift.has('unreadable_answer'),
    unreadable_recurring_tokens: recurringTokens.unreadable > 0,
  };
}

/** The details for this machine and the bearer of the token, and one word for anyone else. */
function answerFor(
  request: EdgeRequest,
  { token }: HealthOptions,
  status: number,
  details: Readonly<Record<string, unknown>>,
): Answer {
  const given = /^Bearer +(\S.*)$/i.exec(request.header('authorization') ?? '')?.[1];
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const bearsToken =
    given !== undefined && token !== undefined && timingSafeEqual(digest(given), digest(token));
  const knowsDetails = isThisMachine(request) || bearsToken;
  return { status, json: knowsDetails ? details : { status: details['status'] } };
}

/** Headers by which a proxy on this machine says that the request is not its own. */
const FORWARDED = [
  'cf-connecting-ip fastly-client-ip forwarded true-client-ip via x-amzn-trace-id x-client-ip',
  'x-cluster-client-ip x-envoy-external-address x-forwarded-for x-forwarded-host x-forwarded-proto',
  'x-real-ip',
].flatMap((names) => names.split(' '));

/** A proxy that sets no header still passes on the name that a stranger asked for, as most do. */
function isThisMachine(request: EdgeRequest): boolean {
  const host = request.header('host');
  const isNamed =
    host === undefined || isNameOfThisMachine(URL.parse(`http://${host}`)?.hostname ?? '');
  const isForwarded = !isNamed || FORWARDED.some((name) => request.header(name) !== undefined);
  return clientOf(request.address) === null && !isForwarded;
}
