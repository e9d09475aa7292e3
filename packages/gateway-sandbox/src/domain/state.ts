import { realTime } from './clock/clock.ts';
import type { ClockSetting } from './clock/clock.ts';
import type { Timer } from './clock/timers.ts';
import type { Account, SdkToken, Webhook } from './tenant/account.ts';
import type { Environment, Session } from './session/session.ts';
import { newAccount } from './tenant/account.ts';
import type { Outcome } from './transaction/outcome.ts';
import type { SavedCard, Transaction } from './transaction/transaction.ts';
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

/**
 * Everything that one merchant has at the gateway. The maps, the sets and the timers change in
 * place; a record in them is replaced by its next version. A tenant that is another object than
 * before has changed.
 */
export interface Tenant {
  /** Commands that changed this tenant so far; chance is drawn anew for each. */
  readonly sequence: number;
  /** How often the past was taken back, so that a timer that fires again draws anew. */
  readonly rewinds: number;
  readonly account: Account;
  readonly clock: ClockSetting;
  /** In the order in which they came to be. */
  readonly sessions: Map<string, Session>;
  /** Session ids by environment and merchant order id, which has to be unique (§4.1). */
  readonly sessionByOrder: Map<string, string>;
  readonly transactions: Map<string, Transaction>;
  /** Transaction ids by challenge id. */
  readonly challenged: Map<string, string>;
  /** Transaction ids by the ids of their refunds. */
  readonly refunded: Map<string, string>;
  /** Transaction ids by recurring token: a token is bound to the one that made it (§2.3). */
  readonly tokenOwners: Map<string, string>;
  readonly revokedTokens: Set<string>;
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
  /** The timers that fall due later, as a heap. */
  readonly timers: Timer[];
  /** Oldest first. */
  readonly snapshots: readonly Snapshot[];
  readonly outbox: Outbox;
}

/** The tenants by their ids, in the order in which they came to be. */
export type State = Map<string, Tenant>;

/** The first tenant, which serves every call that names no tenant. */
export const defaultTenant = 'default';

export function newTenant(): Tenant {
  return {
    sequence: 0,
    rewinds: 0,
    account: newAccount,
    clock: realTime,
    sessions: new Map(),
    sessionByOrder: new Map(),
    transactions: new Map(),
    challenged: new Map(),
    refunded: new Map(),
    tokenOwners: new Map(),
    revokedTokens: new Set(),
    savedCards: new Map(),
    savedByCustomer: new Map(),
    armed: [],
    profileOutcome: null,
    webhooks: [],
    sdkTokens: [],
    timers: [],
    snapshots: [],
    outbox: { deliveries: new Map(), holds: false, behindId: null },
  };
}

export function newState(): State {
  return new Map([[defaultTenant, newTenant()]]);
}

export function tenantOf(state: State, id: string): Tenant {
  return state.get(id) ?? newTenant();
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
export function newestSessions({ sessions }: Tenant): Session[] {
  return [...sessions.values()].toReversed();
}
