import { controlWire } from './control-wire.ts';
import type { ControlClientOptions, ControlWire } from './control-wire.ts';
import type {
  ControlDelivery,
  ControlEvent,
  DeliveryFilter,
  ReplayRequest,
} from './delivery-shapes.ts';
import type {
  AdvanceReply,
  ChallengeAnswer,
  ClockReply,
  ControlFault,
  ControlFaults,
  ControlLedger,
  ControlMeans,
  ControlPayment,
  ControlSession,
  ControlSessionDetails,
  ControlSnapshot,
  InvariantsReply,
  LedgerFilter,
  NextOutcome,
  RequestFilter,
  SandboxInfo,
  TenantInfo,
  TenantOptions,
  Verification,
  VerifyReply,
} from './control-shapes.ts';
import type { Fault } from '../faults/fault.ts';
import type { Fidelity } from '../package-files.ts';
import type { ProfileName } from '../faults/profiles.ts';
import type { LoggedRequest } from '../log/request-log.ts';

/**
 * A typed client of the control API. Every method rejects with a `ControlError` that bears the
 * problem's `code`.
 *
 * @example
 * ```ts
 * const control = createControlClient('http://127.0.0.1:4010');
 * await control.next({ outcome: 'decline:51' });
 * await control.advanceClock({ by: 'PT48H' });
 * ```
 */
export interface ControlClient {
  /** Resolves when the sandbox answers. */
  ready(): Promise<void>;
  /** Addresses, keys, version, seed, clock and policy. */
  info(): Promise<SandboxInfo>;
  /** Opens a tenant with keys, a clock, a seed and faults of its own. */
  openTenant(options?: TenantOptions): Promise<TenantInfo>;
  /** Lets the gateway lose its record of the merchant, or find it again (§7). */
  switchMerchant(merchant: 'found' | 'not-found'): Promise<void>;
  /** What webhooks have to tell, whether or not anyone subscribed: the last events, oldest first. */
  events(filter?: Pick<DeliveryFilter, 'merchantOrderId'>): Promise<ControlEvent[]>;
  /** What went, goes and is to go to the merchant's webhooks, oldest first. */
  deliveries(filter?: DeliveryFilter): Promise<ControlDelivery[]>;
  /** Sends a delivery once more: the same bytes, signed anew or to another address if asked for. */
  replayDelivery(id: string, options?: ReplayRequest): Promise<ControlDelivery>;
  /** Holds back whatever falls due from now on. */
  holdDeliveries(): Promise<void>;
  /** Lets held deliveries go, one after another: those named, in their order, or all. */
  releaseDeliveries(ids?: readonly string[]): Promise<ControlDelivery[]>;
  /** Makes every portal token of the tenant bad; whoever needs one logs in again (§5). */
  revokePortalTokens(): Promise<void>;
  /** Forgets every session, transaction, fault and request, sets the clock right, keeps the keys. */
  reset(): Promise<void>;
  freezeClock(): Promise<ClockReply>;
  resumeClock(): Promise<ClockReply>;
  /** Lets the clock run at `rate` seconds in a real one, 0.01 to 3600; `resumeClock` ends it. */
  setClockRate(rate: number): Promise<ClockReply>;
  /** Moves the clock forward and tells what fell due on the way, in the order of time. */
  advanceClock(goal: { by: string } | { to: string }): Promise<AdvanceReply>;
  /** Decides the next payment, or the next payment of one order. */
  next(outcome: NextOutcome): Promise<void>;
  /** Pays a session without a browser. */
  pay(sessionId: string, means: ControlMeans): Promise<ControlPayment>;
  /** A session, its attempts, and the cards that its customer can pay with. */
  session(sessionId: string): Promise<ControlSessionDetails>;
  /** Ends a session's life now. */
  expire(sessionId: string): Promise<ControlSession>;
  /** Answers a 3-D Secure challenge; the transaction's id works too. */
  answerChallenge(challengeId: string, answer: ChallengeAnswer): Promise<ControlPayment>;
  /** Settles an accepted refund now, or lets it fail. */
  endRefund(refundId: string, action: 'settle' | 'fail'): Promise<ControlPayment>;
  /** Every movement of money, oldest session first. */
  ledger(filter?: LedgerFilter): Promise<readonly ControlLedger[]>;
  /** Whether the money adds up; it always should. */
  invariants(): Promise<InvariantsReply>;
  /** How firmly each behaviour is known, the readings taken, and the tests that pin them. */
  fidelity(): Promise<Fidelity>;
  /** Ends a recurring token before its time; answers the transaction that made it. */
  revokeToken(recurringToken: string): Promise<{ transactionId: string }>;
  /** The requests that the gateway saw, redacted, oldest first. */
  requests(filter?: RequestFilter): Promise<LoggedRequest[]>;
  /** The same requests as an HTTP archive (HAR 1.2). */
  requestsArchive(filter?: RequestFilter): Promise<object>;
  /** One request as a curl command that takes its key from the shell. */
  curl(requestId: string): Promise<string>;
  /** Whether as many requests came as expected. */
  verify(expected: Verification): Promise<VerifyReply>;
  /** Makes the next calls go wrong. */
  addFault(fault: ControlFault): Promise<Fault>;
  /** What waits for calls. */
  faults(): Promise<ControlFaults>;
  /** Puts named weather in place of all faults that wait; `healthy` lifts them. */
  setProfile(name: ProfileName): Promise<ControlFaults>;
  /** Lifts one fault, or all of them. */
  liftFaults(id?: string): Promise<void>;
  /** Keeps the tenant as it stands; the sandbox names what has no name. */
  createSnapshot(id?: string): Promise<ControlSnapshot>;
  /** Puts the tenant back, its clock included. Faults and the requests list stay. */
  restoreSnapshot(id: string): Promise<ControlSnapshot>;
  snapshots(): Promise<readonly ControlSnapshot[]>;
  deleteSnapshot(id: string): Promise<void>;
  /** The readings of the specification that differ from the default. */
  policy(): Promise<readonly string[]>;
  /** Puts other readings in force, for all tenants. */
  setPolicy(names: readonly string[]): Promise<void>;
  /** The same client for another tenant of this sandbox. */
  forTenant(id: string): ControlClient;
}

/** @param url the sandbox's own address, without `/_sandbox` */
export function createControlClient(
  url: string,
  options: ControlClientOptions = {},
): ControlClient {
  const wire = controlWire(url, options);
  return {
    ...tenantCalls(wire, options.tenant ?? 'default'),
    ...steeringCalls(wire),
    ...faultCalls(wire),
    ...requestCalls(wire),
    ...snapshotCalls(wire),
    ...deliveryCalls(wire),
    forTenant: (tenant) => createControlClient(url, { ...options, tenant }),
  };
}

const segment = encodeURIComponent;

function tenantCalls({ get, post, patch, put }: ControlWire, tenant: string) {
  return {
    ready: async () => void (await get('/ready')),
    info: () => get<SandboxInfo>('/info'),
    openTenant: (options) => post<TenantInfo>('/tenants', options),
    switchMerchant: async (merchant) =>
      void (await patch(`/tenants/${segment(tenant)}`, { merchant })),
    revokePortalTokens: async () => void (await post('/portal-tokens/revoke')),
    reset: async () => void (await post('/reset')),
    policy: async () => (await get<{ policy: string[] }>('/policy')).policy,
    setPolicy: async (policy) => void (await put('/policy', { policy })),
  } satisfies Partial<ControlClient>;
}

/** The clock, and what a shopper does. */
function steeringCalls({ get, post }: ControlWire) {
  return {
    freezeClock: () => post<ClockReply>('/clock/freeze'),
    resumeClock: () => post<ClockReply>('/clock/resume'),
    setClockRate: (rate) => post<ClockReply>('/clock/rate', { rate }),
    advanceClock: (goal) => post<AdvanceReply>('/clock/advance', goal),
    next: async (outcome) => void (await post('/next', outcome)),
    pay: (id, means) => post<ControlPayment>(`/sessions/${segment(id)}/pay`, means),
    session: (id) => get<ControlSessionDetails>(`/sessions/${segment(id)}`),
    expire: async (id) =>
      (await post<{ session: ControlSession }>(`/sessions/${segment(id)}/expire`)).session,
    answerChallenge: (id, answer) => post<ControlPayment>(`/challenges/${segment(id)}`, answer),
    endRefund: (id, action) => post<ControlPayment>(`/refunds/${segment(id)}`, { action }),
    revokeToken: (token) =>
      post<{ transactionId: string }>(`/recurring-tokens/${segment(token)}/revoke`),
  } satisfies Partial<ControlClient>;
}

function faultCalls({ get, post, remove }: ControlWire) {
  return {
    addFault: async (fault) => (await post<{ fault: Fault }>('/faults', fault)).fault,
    faults: () => get<ControlFaults>('/faults'),
    setProfile: (name) => post<ControlFaults>(`/faults/profile/${segment(name)}`),
    liftFaults: async (id) =>
      void (await remove(id === undefined ? '/faults' : `/faults/${segment(id)}`)),
  } satisfies Partial<ControlClient>;
}

function requestCalls({ get, post }: ControlWire) {
  return {
    requests: async (filter) =>
      (await get<{ requests: LoggedRequest[] }>(`/requests${queryOf(filter)}`)).requests,
    requestsArchive: (filter) => get<object>(`/requests.har${queryOf(filter)}`),
    curl: async (id) => (await get<{ curl: string }>(`/requests/${segment(id)}/curl`)).curl,
    verify: (expected) => post<VerifyReply>('/verify', expected),
    ledger: async (filter) =>
      (await get<{ transactions: ControlLedger[] }>(`/ledger${queryOf(filter)}`)).transactions,
    invariants: () => get<InvariantsReply>('/invariants'),
    fidelity: () => get<Fidelity>('/fidelity'),
  } satisfies Partial<ControlClient>;
}

function deliveryCalls({ get, post }: ControlWire) {
  return {
    events: async (filter) =>
      (await get<{ events: ControlEvent[] }>(`/events${queryOf(filter)}`)).events,
    deliveries: async (filter) =>
      (await get<{ deliveries: ControlDelivery[] }>(`/deliveries${queryOf(filter)}`)).deliveries,
    replayDelivery: async (id, options) =>
      (await post<{ delivery: ControlDelivery }>(`/deliveries/${segment(id)}/replay`, options))
        .delivery,
    holdDeliveries: async () => void (await post('/deliveries/hold')),
    releaseDeliveries: async (ids) =>
      (
        await post<{ released: ControlDelivery[] }>(
          '/deliveries/release',
          ids === undefined ? {} : { ids },
        )
      ).released,
  } satisfies Partial<ControlClient>;
}

function snapshotCalls({ get, post, remove }: ControlWire) {
  return {
    createSnapshot: async (id) =>
      (await post<{ snapshot: ControlSnapshot }>('/snapshots', { id })).snapshot,
    restoreSnapshot: async (id) =>
      (await post<{ snapshot: ControlSnapshot }>(`/snapshots/${segment(id)}/restore`)).snapshot,
    snapshots: async () => (await get<{ snapshots: ControlSnapshot[] }>('/snapshots')).snapshots,
    deleteSnapshot: async (id) => void (await remove(`/snapshots/${segment(id)}`)),
  } satisfies Partial<ControlClient>;
}

function queryOf(filter: RequestFilter | LedgerFilter = {}): string {
  const parameters = Object.entries(filter).map(([name, value]) => [name, String(value)] as const);
  return `?${new URLSearchParams(Object.fromEntries(parameters)).toString()}`;
}
