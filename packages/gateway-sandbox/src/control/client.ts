import type { Fault, ProfileName } from '../faults.ts';
import type { LoggedRequest } from '../request-log.ts';
import type { Fidelity } from '../package-files.ts';
import type { Problem } from '../http/messages.ts';
import type * as shapes from './shapes.ts';

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
export interface ControlClient
  extends
    ReturnType<typeof tenantCalls>,
    ReturnType<typeof shopperCalls>,
    ReturnType<typeof recordCalls> {
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
    /** Resolves when the sandbox answers. */
    ready: () => done(get('/ready')),
    /** Addresses, keys, version, seed, clock and policy. */
    info: () => get<shapes.SandboxInfo>('/info'),
    /** Opens a tenant with keys, a clock, a seed and faults of its own. */
    openTenant: (options?: shapes.TenantOptions) => post<shapes.TenantInfo>('/tenants', options),
    /** Lets the gateway lose its record of the merchant, or find it again (§7). */
    switchMerchant: (merchant: 'found' | 'not-found') =>
      done(patch(`/tenants/${segment(tenant)}`, { merchant })),
    /** Makes every portal token of the tenant bad; the next call has to log in again (§5). */
    revokePortalTokens: () => done(post('/portal-tokens/revoke')),
    /** Forgets every session, transaction, fault and request, sets the clock right, keeps the keys. */
    reset: () => done(post('/reset')),
    /** The readings of the specification that differ from the default. */
    policy: () => pick<readonly string[]>(get('/policy'), 'policy'),
    /** Puts other readings in force, for all tenants. */
    setPolicy: (policy: readonly string[]) => done(put('/policy', { policy })),
    freezeClock: () => post<shapes.ClockReply>('/clock/freeze'),
    resumeClock: () => post<shapes.ClockReply>('/clock/resume'),
    /** Lets the clock run at `rate` seconds in a real one, 0.01 to 3600; `resumeClock` ends it. */
    setClockRate: (rate: number) => post<shapes.ClockReply>('/clock/rate', { rate }),
    /** Moves the clock forward. Returns the effects on the way, in the order of time. */
    advanceClock: (goal: { by: string } | { to: string }) =>
      post<shapes.AdvanceReply>('/clock/advance', goal),
    /** Makes the next calls go wrong. */
    addFault: (fault: shapes.ControlFault) => pick<Fault>(post('/faults', fault), 'fault'),
    /** The faults that wait for calls. */
    faults: () => get<shapes.ControlFaults>('/faults'),
    /** Replaces all waiting faults by a fault profile; `healthy` lifts them. */
    setProfile: (name: ProfileName) =>
      post<shapes.ControlFaults>(`/faults/profile/${segment(name)}`),
    /** Lifts one fault, or all of them. */
    liftFaults: (id?: string) =>
      done(remove(id === undefined ? '/faults' : `/faults/${segment(id)}`)),
    /** Stores the tenant as it is; without an id the sandbox picks one. */
    createSnapshot: (id?: string) =>
      pick<shapes.ControlSnapshot>(post('/snapshots', { id }), 'snapshot'),
    /** Restores the tenant, its clock included. Faults and the requests list stay. */
    restoreSnapshot: (id: string) =>
      pick<shapes.ControlSnapshot>(post(`/snapshots/${segment(id)}/restore`), 'snapshot'),
    snapshots: () => pick<readonly shapes.ControlSnapshot[]>(get('/snapshots'), 'snapshots'),
    deleteSnapshot: (id: string) => done(remove(`/snapshots/${segment(id)}`)),
  };
}

/** Actions of a shopper, of a bank and of the gateway itself. */
function shopperCalls({ get, post }: ControlWire) {
  return {
    /** Decides the next payment, or the next payment of one order. */
    next: (outcome: shapes.NextOutcome) => done(post('/next', outcome)),
    /** Pays a session without a browser. */
    pay: (sessionId: string, means: shapes.ControlMeans) =>
      post<shapes.ControlPayment>(`/sessions/${segment(sessionId)}/pay`, means),
    /** A session, its attempts, and the cards that its customer can pay with. */
    session: (id: string) => get<shapes.ControlSessionDetails>(`/sessions/${segment(id)}`),
    /** Ends a session's life now. */
    expire: (sessionId: string) =>
      pick<shapes.ControlSession>(post(`/sessions/${segment(sessionId)}/expire`), 'session'),
    /** Answers a 3-D Secure challenge; the transaction's id works too. */
    answerChallenge: (id: string, answer: shapes.ChallengeAnswer) =>
      post<shapes.ControlPayment>(`/challenges/${segment(id)}`, answer),
    /** Settles an accepted refund now, or lets it fail. */
    endRefund: (refundId: string, action: 'settle' | 'fail') =>
      post<shapes.ControlPayment>(`/refunds/${segment(refundId)}`, { action }),
    /** Ends a recurring token before its time; answers the transaction that made it. */
    revokeToken: (recurringToken: string) =>
      post<{ transactionId: string }>(`/recurring-tokens/${segment(recurringToken)}/revoke`),
    /** Sends a delivery once more: the same bytes, signed anew or to another address if asked for. */
    replayDelivery: (id: string, options?: shapes.ReplayRequest) =>
      pick<shapes.ControlDelivery>(post(`/deliveries/${segment(id)}/replay`, options), 'delivery'),
    /** Holds back all deliveries that fall due from now on. */
    holdDeliveries: () => done(post('/deliveries/hold')),
    /** Lets held deliveries go, one after another: those named, in their order, or all. */
    releaseDeliveries: (ids?: readonly string[]) =>
      pick<shapes.ControlDelivery[]>(
        post('/deliveries/release', ids === undefined ? {} : { ids }),
        'released',
      ),
  };
}

/** The requests to the gateway, and its effects. */
function recordCalls({ get, post }: ControlWire) {
  return {
    /** The last events that webhooks report, subscribed or not, oldest first. */
    events: (filter?: Pick<shapes.DeliveryFilter, 'merchantOrderId'>) =>
      pick<shapes.ControlEvent[]>(get(`/events${queryOf(filter)}`), 'events'),
    /** The deliveries to the merchant's webhooks, past and future, oldest first. */
    deliveries: (filter?: shapes.DeliveryFilter) =>
      pick<shapes.ControlDelivery[]>(get(`/deliveries${queryOf(filter)}`), 'deliveries'),
    /** The requests that the gateway saw, redacted, oldest first. */
    requests: (filter?: shapes.RequestFilter) =>
      pick<LoggedRequest[]>(get(`/requests${queryOf(filter)}`), 'requests'),
    /** The same requests as an HTTP archive (HAR 1.2). */
    requestsArchive: (filter?: shapes.RequestFilter) =>
      get<object>(`/requests.har${queryOf(filter)}`),
    /** One request as a curl command that takes its key from the shell. */
    curl: (requestId: string) => pick<string>(get(`/requests/${segment(requestId)}/curl`), 'curl'),
    /** Whether as many requests came as expected. */
    verify: (expected: shapes.Verification) => post<shapes.VerifyReply>('/verify', expected),
    /** Every movement of money, oldest session first. */
    ledger: (filter?: shapes.LedgerFilter) =>
      pick<readonly shapes.ControlLedger[]>(get(`/ledger${queryOf(filter)}`), 'transactions'),
    /** Whether the money adds up; it always should. */
    invariants: () => get<shapes.InvariantsReply>('/invariants'),
    /** How firmly each behaviour is known, the readings taken, and the tests that pin them. */
    fidelity: () => get<Fidelity>('/fidelity'),
  };
}

async function done(answer: Promise<unknown>): Promise<void> {
  await answer;
}

async function pick<Value>(answer: Promise<object>, name: string): Promise<Value> {
  return Reflect.get(await answer, name) as Value;
}

function queryOf(filter: shapes.RequestFilter | shapes.LedgerFilter = {}): string {
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
      // The sandbox and this client are one package of one version, so answers are not re-checked.
      if (!response.ok) {
        const { code, detail } = answer as Problem;
        throw new ControlError(response.status, code, detail);
      }
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
}
