import { createHash, timingSafeEqual } from 'node:crypto';
import type { AlignedClock } from '../clock.ts';
import type { UnknownLinks } from '../flows/confirm/unknown-links.ts';
import type { StoreTrouble } from '../flows/store-opening.ts';
import type { RecurringTokens } from '../flows/money/recurring-tokens.ts';
import { isThisMachine as isNameOfThisMachine } from '../gateway/settings.ts';
import type { GatewayClient } from '../gateway/gateway-client.ts';
import type { DriftKind } from '../gateway/diagnostics.ts';
import type { HealthOptions } from '../options/edge-options.ts';
import type { PaymentsOptions } from '../options/payments-options.ts';
import { packageVersion } from '../package-version.ts';
import type { Backlog } from '../stores/store.ts';
import { type Answer, clientOf, type EdgeRequest } from './http.ts';

/** The status, and what the details begin with. */
export interface HealthAnswer {
  readonly status: number;
  readonly json: { readonly status: 'ok' | 'degraded' | 'unavailable' } & Readonly<
    Record<string, unknown>
  >;
}

/** A fault that does not stop payments from being recorded. */
export type HealthFinding = keyof typeof isFound;

/** The entries of the gateway profile that may end a finding. */
const entriesOf: Readonly<Partial<Record<HealthFinding, readonly string[]>>> = {
  ended_links_refused: ['session.afterEnd'],
  unfollowed_webhooks: ['webhook.orderName', 'webhook.transactionId'],
};

/** What this process has met itself. */
interface Met {
  /** How many orders have a recurring token that no key opens. */
  readonly unreadableTokens: number;
  readonly hasClockLeapt: boolean;
  /** Whether the gateway knew none of many links that were asked about. */
  readonly areLinksUnknown: boolean;
  /** Whether the gateway refuses to speak of links after their end. */
  readonly refusesEnded: boolean;
  /** Whether it has a link of an order that neither the store nor the shop knows. */
  readonly isLinkLost: boolean;
}

/** The dependencies of the health route. */
export interface HealthDependencies {
  readonly version: string;
  readonly limits: HealthOptions;
  now(): number;
  readBacklog(): Promise<Backlog>;
  /** Whether the store takes writes; absent where that is not checked. */
  isWritable?(): Promise<boolean>;
  readonly gateway: Pick<GatewayClient, 'breakers' | 'drift'>;
  met?(): Met;
  /** Why the store failed last, in words; `null` where that is not known. */
  storeReason?(): string | null;
}

/** What health reports besides the backlog of the store. */
export function healthOf(
  { health: limits = {} }: Pick<PaymentsOptions<never>, 'health'>,
  clock: AlignedClock,
  gateway: HealthDependencies['gateway'],
  met: {
    readonly recurringTokens: Pick<RecurringTokens, 'unreadable'>;
    readonly unknownLinks: UnknownLinks;
    readonly trouble: StoreTrouble;
  },
): Omit<HealthDependencies, 'readBacklog' | 'isWritable'> {
  return {
    version: packageVersion(),
    limits,
    now: () => clock.now(),
    gateway,
    met: () => ({
      unreadableTokens: met.recurringTokens.unreadable,
      hasClockLeapt: clock.hasLeapt(),
      areLinksUnknown: met.unknownLinks.areMany(clock.now()),
      refusesEnded: met.unknownLinks.refusesEnded(clock.now()),
      isLinkLost: met.unknownLinks.isAnyLost(clock.now()),
    }),
    storeReason: () => met.trouble.reason,
  };
}

const OVERDUE_MS = 15 * 60_000;
const UNKNOWN_MS = 24 * 3_600_000;
const WAITING = 500;
/** How long a finding about the gateway's answers outlives the last one that had it. */
const DRIFT_MS = 60 * 60_000;

/**
 * `GET /health`: 200 while payments can be recorded, else 503. A stranger learns the status and its
 * word: how much waits tells of a shop's trade, and a finding or a version where it is weak.
 */
export async function healthFor(
  request: EdgeRequest,
  dependencies: HealthDependencies,
): Promise<Answer> {
  return answerFor(request, dependencies.limits, await health(dependencies));
}

/** The details for this machine and the bearer of the token, and one word for anyone else. */
export function answerFor(
  request: EdgeRequest,
  { token }: HealthOptions,
  { status, json }: HealthAnswer,
): Answer {
  const knowsDetails = isThisMachine(request) || bearsToken(request, token);
  return { status, json: knowsDetails ? json : { status: json.status } };
}

/** Headers by which a proxy on this machine says that the request is not its own. */
const FORWARDED = [
  'cf-connecting-ip',
  'fastly-client-ip',
  'forwarded',
  'true-client-ip',
  'via',
  'x-amzn-trace-id',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-envoy-external-address',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

/** A proxy that sets no header still passes on the name that a stranger asked for, as most do. */
function isThisMachine(request: EdgeRequest): boolean {
  const host = request.header('host');
  const isNamed =
    host === undefined || isNameOfThisMachine(URL.parse(`http://${host}`)?.hostname ?? '');
  const isForwarded = !isNamed || FORWARDED.some((name) => request.header(name) !== undefined);
  return clientOf(request.address) === null && !isForwarded;
}

function bearsToken(request: EdgeRequest, token: string | undefined): boolean {
  const given = /^Bearer +(\S.*)$/i.exec(request.header('authorization') ?? '')?.[1];
  if (given === undefined || token === undefined) return false;
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}

/** The whole answer, for those who may know. */
export async function health(dependencies: HealthDependencies): Promise<HealthAnswer> {
  const { version, limits } = dependencies;
  const gateway = dependencies.gateway.breakers();
  const [backlog, isWritable] = await Promise.all([
    dependencies.readBacklog().catch(() => null),
    dependencies.isWritable?.() ?? true,
  ]);
  if (backlog === null || !isWritable) {
    const store = backlog === null ? 'unavailable' : 'not_writable';
    const reason = dependencies.storeReason?.() ?? undefined;
    return { status: 503, json: { status: 'unavailable', version, store, reason, gateway } };
  }
  const now = dependencies.now();
  const { oldestDueAt, oldestFailingAt, oldestUndeliveredAt, oldestUnknownAt, ...counts } = backlog;
  const oldest = {
    overdueMs: age(oldestDueAt, now),
    failingMs: age(oldestFailingAt, now),
    undeliveredMs: age(oldestUndeliveredAt, now),
    unknownMs: age(oldestUnknownAt, now),
  };
  const isHeldBack = Object.values(gateway).includes('open');
  const drift = recentDrift(dependencies, now);
  const facts = { ...counts, ...oldest, ...dependencies.met?.(), drift, isHeldBack, limits };
  const findings = (Object.keys(isFound) as HealthFinding[]).filter((one) => isFound[one](facts));
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

/** The age of a time; `null` where there is none. */
const age = (at: number | null, now: number): number | null =>
  at === null ? null : Math.max(0, now - at);

/** What is counted: the backlog with ages in place of times, and what this process has met. */
type Facts = Omit<Backlog, `oldest${string}`> &
  Readonly<Record<'overdueMs' | 'undeliveredMs' | 'unknownMs', number | null>> &
  Partial<Met> & {
    readonly drift: ReadonlySet<DriftKind>;
    readonly isHeldBack: boolean;
    readonly limits: HealthOptions;
  };

/** What status calls of this process have met lately that is not expected. */
function recentDrift({ gateway }: HealthDependencies, now: number): ReadonlySet<DriftKind> {
  const recent = gateway
    .drift()
    .filter(({ operation, kind }) => kind === 'unfollowed_hint' || operation.endsWith('Status'))
    .filter(({ lastSeenAt }) => now - lastSeenAt < DRIFT_MS);
  return new Set(recent.map(({ kind }) => kind));
}

const isFound = {
  checks_failing: ({ failingOrders }) => failingOrders > 0,
  clock_leapt: ({ hasClockLeapt }) => hasClockLeapt === true,
  dead_letters: ({ deadLetters }) => deadLetters > 0,
  ended_links_refused: ({ refusesEnded }) => refusesEnded === true,
  events_overdue: ({ undeliveredMs, limits }) =>
    (undeliveredMs ?? 0) > (limits.overdueMs ?? OVERDUE_MS),
  gateway_held_back: ({ isHeldBack }) => isHeldBack,
  status_checks_overdue: ({ overdueMs, limits }) =>
    (overdueMs ?? 0) > (limits.overdueMs ?? OVERDUE_MS),
  many_waiting: ({ dueAttempts, undelivered, limits: { waiting = WAITING } }) =>
    dueAttempts > waiting || undelivered > waiting,
  outcome_unknown: ({ unknownMs, limits }) => (unknownMs ?? 0) > (limits.unknownMs ?? UNKNOWN_MS),
  unfollowed_webhooks: ({ drift }) => drift.has('unfollowed_hint'),
  unknown_links: ({ areLinksUnknown }) => areLinksUnknown === true,
  unknown_words: ({ drift }) => drift.has('unknown_word'),
  unproven_payments: ({ unprovenPayments, isLinkLost = false }) =>
    unprovenPayments > 0 || isLinkLost,
  unreadable_answers: ({ unreadableAnswers, drift }) =>
    unreadableAnswers > 0 || drift.has('unreadable_answer'),
  unreadable_recurring_tokens: ({ unreadableTokens = 0 }) => unreadableTokens > 0,
} as const satisfies Readonly<Record<string, (facts: Facts) => boolean>>;
