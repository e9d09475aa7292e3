import { Map } from 'immutable';
import { realTime } from './clock/clock.ts';
import type { ClockSetting } from './clock/clock.ts';
import { Timers } from './clock/timers.ts';
import type { SdkToken, Webhook } from './portal/portal-commands.ts';
import type { Environment, Session } from './session/session.ts';
import { newAccount } from './tenant/account.ts';
import type { Account } from './tenant/account.ts';
import type { Outcome } from './transaction/outcome.ts';
import type { SavedCard, Transaction } from './transaction/transaction.ts';
import { emptyOutbox } from './webhooks/delivery.ts';
import type { Outbox } from './webhooks/delivery.ts';

/** The operations whose outcome can be armed, by the client's method names. */
export const armableOperations = [
  'createPaymentLink',
  'sale',
  'chargeRecurring',
  'refund',
  'capture',
] as const;

/** `createPaymentLink` means a payment of such a link. */
export type ArmableOperation = (typeof armableOperations)[number];

/** An outcome waiting for the next payment, for one order or one operation if it says so. */
export interface ArmedOutcome {
  readonly outcome: Outcome;
  /** Null: the next payment, be it of a link, a sale or a recurring charge. */
  readonly operation: ArmableOperation | null;
  readonly merchantOrderId: string | null;
}

/** The state of a tenant at an instant, to restore later. */
export interface Snapshot {
  readonly id: string;
  /** Epoch milliseconds of the tenant's clock. */
  readonly at: number;
  readonly tenant: Tenant;
}

/** Everything that one merchant has at the gateway. */
export interface Tenant {
  /** Commands that changed this tenant so far; chance is drawn anew for each. */
  readonly sequence: number;
  /** How often the past was taken back, so that a timer that fires again draws anew. */
  readonly rewinds: number;
  readonly account: Account;
  readonly clock: ClockSetting;
  readonly sessions: Map<string, Session>;
  readonly latestSessionId: string | null;
  /** Session ids by environment and merchant order id, which has to be unique (§4.1). */
  readonly sessionByOrder: Map<string, string>;
  readonly transactions: Map<string, Transaction>;
  /** Transaction ids by challenge id. */
  readonly challenged: Map<string, string>;
  /** Transaction ids by the ids of their refunds. */
  readonly refunded: Map<string, string>;
  /** Transaction ids by recurring token: a token is bound to the one that made it (§2.3). */
  readonly tokenOwners: Map<string, string>;
  readonly revokedTokens: Map<string, true>;
  readonly savedCards: Map<string, SavedCard>;
  /** Ids of saved cards, oldest first, by environment and customer. */
  readonly savedByCustomer: Map<string, readonly string[]>;
  readonly armed: readonly ArmedOutcome[];
  /**
   * The outcome of payments while a profile such as `bank-outage` is in force; null: the profile
   * decides none.
   */
  readonly profileOutcome: Outcome | null;
  /** Both environments' (§2.4); oldest first. */
  readonly webhooks: readonly Webhook[];
  readonly sdkTokens: readonly SdkToken[];
  /** The timers that fall due later. */
  readonly timers: Timers;
  /** Oldest first. */
  readonly snapshots: readonly Snapshot[];
  readonly outbox: Outbox;
}

export interface State {
  readonly tenants: Map<string, Tenant>;
  /** In the order in which they came to be. */
  readonly tenantIds: readonly string[];
}

/** The first tenant, which serves every call that names no tenant. */
export const defaultTenant = 'default';

export const emptyTenant: Tenant = {
  sequence: 0,
  rewinds: 0,
  account: newAccount,
  clock: realTime,
  sessions: Map(),
  latestSessionId: null,
  sessionByOrder: Map(),
  transactions: Map(),
  challenged: Map(),
  refunded: Map(),
  tokenOwners: Map(),
  revokedTokens: Map(),
  savedCards: Map(),
  savedByCustomer: Map(),
  armed: [],
  profileOutcome: null,
  webhooks: [],
  sdkTokens: [],
  timers: Timers.none,
  snapshots: [],
  outbox: emptyOutbox,
};

export const emptyState: State = {
  tenants: Map<string, Tenant>().set(defaultTenant, emptyTenant),
  tenantIds: [defaultTenant],
};

export function tenantOf(state: State, id: string): Tenant {
  return state.tenants.get(id) ?? emptyTenant;
}

export function orderKey(environment: Environment, merchantOrderId: string): string {
  return `${environment} ${merchantOrderId}`;
}

/** The session of a payment link with this id; a sale's cannot be paid. */
export function linkSession(tenant: Tenant, id: string): Session | undefined {
  const session = tenant.sessions.get(id);
  return session?.kind === 'link' ? session : undefined;
}

/** The transactions of a session, oldest first. */
export function transactionsOf(tenant: Tenant, session: Session): Transaction[] {
  return session.transactionIds
    .map((id) => tenant.transactions.get(id))
    .filter((transaction) => transaction !== undefined);
}

/** The sessions of a tenant, newest first. */
export function* newestSessions(tenant: Tenant): Generator<Session> {
  let id = tenant.latestSessionId;
  while (id !== null) {
    const session = tenant.sessions.get(id);
    if (session === undefined) return;
    yield session;
    id = session.previousId;
  }
}
