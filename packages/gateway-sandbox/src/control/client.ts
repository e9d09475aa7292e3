import type { Fault, ProfileName } from '../faults.ts';
import type { LoggedRequest } from '../request-log.ts';
import type { Fidelity } from '../package-files.ts';
import type {
  AdvanceReply,
  ChallengeAnswer,
  ClockReply,
  ControlDelivery,
  ControlEvent,
  ControlFault,
  ControlFaults,
  ControlLedger,
  ControlMeans,
  ControlPayment,
  ControlSession,
  ControlSessionDetails,
  ControlSnapshot,
  DeliveryFilter,
  InvariantsReply,
  LedgerFilter,
  NextOutcome,
  ReplayRequest,
  RequestFilter,
  SandboxInfo,
  TenantInfo,
  TenantOptions,
  Verification,
  VerifyReply,
} from './shapes.ts';

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
  /** The last events that webhooks report, subscribed or not, oldest first. */
  events(filter?: Pick<DeliveryFilter, 'merchantOrderId'>): Promise<ControlEvent[]>;
  /** The deliveries to the merchant's webhooks, past and future, oldest first. */
  deliveries(filter?: DeliveryFilter): Promise<ControlDelivery[]>;
  /** Sends a delivery once more: the same bytes, signed anew or to another address if asked for. */
  replayDelivery(id: string, options?: ReplayRequest): Promise<ControlDelivery>;
  /** Holds back all deliveries that fall due from now on. */
  holdDeliveries(): Promise<void>;
  /** Lets held deliveries go, one after another: those named, in their order, or all. */
  releaseDeliveries(ids?: readonly string[]): Promise<ControlDelivery[]>;
  /** Makes every portal token of the tenant bad; the next call has to log in again (§5). */
  revokePortalTokens(): Promise<void>;
  /** Forgets every session, transaction, fault and request, sets the clock right, keeps the keys. */
  reset(): Promise<void>;
  freezeClock(): Promise<ClockReply>;
  resumeClock(): Promise<ClockReply>;
  /** Lets the clock run at `rate` seconds in a real one, 0.01 to 3600; `resumeClock` ends it. */
  setClockRate(rate: number): Promise<ClockReply>;
  /** Moves the clock forward. Returns the effects on the way, in the order of time. */
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
  /** The faults that wait for calls. */
  faults(): Promise<ControlFaults>;
  /** Replaces all waiting faults by a fault profile; `healthy` lifts them. */
  setProfile(name: ProfileName): Promise<ControlFaults>;
  /** Lifts one fault, or all of them. */
  liftFaults(id?: string): Promise<void>;
  /** Stores the tenant as it is; without an id the sandbox picks one. */
  createSnapshot(id?: string): Promise<ControlSnapshot>;
  /** Restores the tenant, its clock included. Faults and the requests list stay. */
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
    ...shopperCalls(wire),
    ...recordCalls(wire),
    forTenant: (tenant) => createControlClient(url, { ...options, tenant }),
  };
}

const segment = encodeURIComponent;

/** The tenant itself: its clock, its faults and its snapshots. */
function tenantCalls({ get, post, patch, put, remove }: ControlWire, tenant: string) {
  return {
    ready: () => done(get('/ready')),
    info: () => get('/info'),
    openTenant: (options) => post('/tenants', options),
    switchMerchant: (merchant) => done(patch(`/tenants/${segment(tenant)}`, { merchant })),
    revokePortalTokens: () => done(post('/portal-tokens/revoke')),
    reset: () => done(post('/reset')),
    policy: () => pick(get('/policy'), 'policy'),
    setPolicy: (policy) => done(put('/policy', { policy })),
    freezeClock: () => post('/clock/freeze'),
    resumeClock: () => post('/clock/resume'),
    setClockRate: (rate) => post('/clock/rate', { rate }),
    advanceClock: (goal) => post('/clock/advance', goal),
    addFault: (fault) => pick(post('/faults', fault), 'fault'),
    faults: () => get('/faults'),
    setProfile: (name) => post(`/faults/profile/${segment(name)}`),
    liftFaults: (id) => done(remove(id === undefined ? '/faults' : `/faults/${segment(id)}`)),
    createSnapshot: (id) => pick(post('/snapshots', { id }), 'snapshot'),
    restoreSnapshot: (id) => pick(post(`/snapshots/${segment(id)}/restore`), 'snapshot'),
    snapshots: () => pick(get('/snapshots'), 'snapshots'),
    deleteSnapshot: (id) => done(remove(`/snapshots/${segment(id)}`)),
  } satisfies Partial<ControlClient>;
}

/** Actions of a shopper, of a bank and of the gateway itself. */
function shopperCalls({ get, post }: ControlWire) {
  return {
    next: (outcome) => done(post('/next', outcome)),
    pay: (id, means) => post(`/sessions/${segment(id)}/pay`, means),
    session: (id) => get(`/sessions/${segment(id)}`),
    expire: (id) => pick(post(`/sessions/${segment(id)}/expire`), 'session'),
    answerChallenge: (id, answer) => post(`/challenges/${segment(id)}`, answer),
    endRefund: (id, action) => post(`/refunds/${segment(id)}`, { action }),
    revokeToken: (token) => post(`/recurring-tokens/${segment(token)}/revoke`),
    replayDelivery: (id, options) =>
      pick(post(`/deliveries/${segment(id)}/replay`, options), 'delivery'),
    holdDeliveries: () => done(post('/deliveries/hold')),
    releaseDeliveries: (ids) =>
      pick(post('/deliveries/release', ids === undefined ? {} : { ids }), 'released'),
  } satisfies Partial<ControlClient>;
}

/** The requests to the gateway, and its effects. */
function recordCalls({ get, post }: ControlWire) {
  return {
    events: (filter) => pick(get(`/events${queryOf(filter)}`), 'events'),
    deliveries: (filter) => pick(get(`/deliveries${queryOf(filter)}`), 'deliveries'),
    requests: (filter) => pick(get(`/requests${queryOf(filter)}`), 'requests'),
    requestsArchive: (filter) => get(`/requests.har${queryOf(filter)}`),
    curl: (id) => pick(get(`/requests/${segment(id)}/curl`), 'curl'),
    verify: (expected) => post('/verify', expected),
    ledger: (filter) => pick(get(`/ledger${queryOf(filter)}`), 'transactions'),
    invariants: () => get('/invariants'),
    fidelity: () => get('/fidelity'),
  } satisfies Partial<ControlClient>;
}

async function done(answer: Promise<unknown>): Promise<void> {
  await answer;
}

/** One field of an answer. */
async function pick<Value>(answer: Promise<object>, name: string): Promise<Value> {
  return Reflect.get(await answer, name) as Value;
}

function queryOf(filter: RequestFilter | LedgerFilter = {}): string {
  const parameters = Object.entries(filter).map(([name, value]) => [name, String(value)] as const);
  return `?${new URLSearchParams(Object.fromEntries(parameters)).toString()}`;
}

/** The target of a control client's calls. */
export interface ControlClientOptions {
  /**
   * The tenant of the calls.
   * @defaultValue 'default', the first tenant
   */
  readonly tenant?: string;
  /** The token that a sandbox asks for when it is bound wider than loopback. */
  readonly token?: string;
}

type ControlWire = ReturnType<typeof controlWire>;

/** The control API as HTTP; paths are relative to `/_sandbox/v1`. */
function controlWire(url: string, { tenant = 'default', token }: ControlClientOptions) {
  const base = `${url.replace(/\/$/, '')}/_sandbox/v1`;
  const headers = {
    'content-type': 'application/json',
    'x-sandbox-tenant': tenant,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const by =
    (method: string) =>
    async <Answer>(path: string, body?: object): Promise<Answer> => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await fetch(base + path, { method, headers, redirect: 'error', ...sent });
      const answer: unknown = await response.json();
      if (!response.ok) throw ControlError.fromProblem(response.status, answer);
      // The sandbox and this client are one package of one version, so answers are not re-checked.
      return answer as Answer;
    };
  return {
    get: by('GET'),
    remove: by('DELETE'),
    post: by('POST'),
    patch: by('PATCH'),
    put: by('PUT'),
  };
}

/** The control API refused a call; `code` is the problem document's. */
export class ControlError extends Error {
  readonly code: string;
  /** The HTTP status. */
  readonly status: number;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'ControlError';
    this.status = status;
    this.code = code;
  }

  static fromProblem(status: number, problem: unknown): ControlError {
    const text = (name: string, otherwise: string): string => {
      const value: unknown =
        typeof problem === 'object' && problem !== null ? Reflect.get(problem, name) : null;
      return typeof value === 'string' ? value : otherwise;
    };
    return new ControlError(
      status,
      text('code', 'unreadable_answer'),
      text('detail', `The sandbox answered HTTP ${status}.`),
    );
  }
}
