import { ControlError } from './control-error.ts';
import type {
  AdvanceReply,
  ChallengeAnswer,
  ClockReply,
  ControlCard,
  ControlFault,
  ControlFaults,
  ControlPayment,
  ControlSession,
  NextOutcome,
  RequestFilter,
  SandboxInfo,
  TenantInfo,
  TenantOptions,
} from './control-shapes.ts';
import type { Fault } from '../faults/fault.ts';
import type { ProfileName } from '../faults/profiles.ts';
import type { LoggedRequest } from '../request-log.ts';

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
  pay(sessionId: string, payment: { card: ControlCard }): Promise<ControlPayment>;
  /** Ends a session's life now. */
  expire(sessionId: string): Promise<ControlSession>;
  /** Answers a 3-D Secure challenge; the transaction's id works too. */
  answerChallenge(challengeId: string, answer: ChallengeAnswer): Promise<ControlPayment>;
  /** The requests that the gateway saw, redacted, oldest first. */
  requests(filter?: RequestFilter): Promise<LoggedRequest[]>;
  /** Makes the next calls go wrong. */
  addFault(fault: ControlFault): Promise<Fault>;
  /** What waits for calls. */
  faults(): Promise<ControlFaults>;
  /** Puts named weather in place of all faults that wait; `healthy` lifts them. */
  setProfile(name: ProfileName): Promise<ControlFaults>;
  /** Lifts one fault, or all of them. */
  liftFaults(id?: string): Promise<void>;
}

/**
 * @param url the sandbox's own address, without `/_sandbox`
 * @param options.tenant whom the calls are about; the first tenant unless told
 */
export function createControlClient(
  url: string,
  { tenant = 'default' }: { readonly tenant?: string } = {},
): ControlClient {
  const base = `${url.replace(/\/$/, '')}/_sandbox/v1`;
  const named = { 'x-sandbox-tenant': tenant };
  const get = <Answer>(path: string) =>
    call<Answer>(base + path, { method: 'GET', headers: named });
  const send =
    (method: 'POST' | 'PATCH') =>
    <Answer>(path: string, body: object = {}) =>
      call<Answer>(base + path, {
        method,
        headers: { ...named, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
  const post = send('POST');
  const patch = send('PATCH');
  const remove = (path: string) => call<object>(base + path, { method: 'DELETE', headers: named });
  const segment = encodeURIComponent;
  return {
    ready: async () => void (await get('/ready')),
    info: () => get<SandboxInfo>('/info'),
    openTenant: (options) => post<TenantInfo>('/tenants', options),
    switchMerchant: async (merchant) => {
      await patch(`/tenants/${segment(tenant)}`, { merchant });
    },
    revokePortalTokens: async () => void (await post('/portal-tokens/revoke')),
    reset: async () => void (await post('/reset')),
    freezeClock: () => post<ClockReply>('/clock/freeze'),
    resumeClock: () => post<ClockReply>('/clock/resume'),
    setClockRate: (rate) => post<ClockReply>('/clock/rate', { rate }),
    advanceClock: (goal) => post<AdvanceReply>('/clock/advance', goal),
    next: async (outcome) => void (await post('/next', outcome)),
    pay: (id, payment) => post<ControlPayment>(`/sessions/${segment(id)}/pay`, payment),
    expire: async (id) => {
      const { session } = await post<{ session: ControlSession }>(
        `/sessions/${segment(id)}/expire`,
      );
      return session;
    },
    answerChallenge: (id, answer) => post<ControlPayment>(`/challenges/${segment(id)}`, answer),
    requests: async (filter = {}) => {
      const query = new URLSearchParams(Object.entries(filter));
      return (await get<{ requests: LoggedRequest[] }>(`/requests?${query.toString()}`)).requests;
    },
    addFault: async (fault) => (await post<{ fault: Fault }>('/faults', fault)).fault,
    faults: () => get<ControlFaults>('/faults'),
    setProfile: (name) => post<ControlFaults>(`/faults/profile/${segment(name)}`),
    liftFaults: async (id) =>
      void (await remove(id === undefined ? '/faults' : `/faults/${segment(id)}`)),
  };
}

/** The sandbox and this client are one package of one version, so its answers are not re-checked. */
async function call<Answer>(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, { ...init, redirect: 'error' });
  const body: unknown = await response.json();
  if (!response.ok) throw ControlError.fromProblem(response.status, body);
  return body as Answer;
}
